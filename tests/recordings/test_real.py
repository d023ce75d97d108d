"""What `auto` is worth on real signals."""

from collections import Counter

import numpy as np

from tests.kernel.library import needs_compiler
from tests.recordings.real import channels


def test_the_list():
    """At least 24 channels of 6 kinds, at most 4 of a recording; k as its rule says."""
    all_of_them = channels()
    assert len(all_of_them) >= 24 and len({one.kind for one in all_of_them}) >= 6
    assert max(Counter(one.recording for one in all_of_them).values()) <= 4
    for one in all_of_them:
        share = [np.sqrt(np.mean((one.value[k:] - one.value[:-k]) ** 2)) / one.value.std() for k in range(1, 17)]
        assert one.k == next((k for k, s in enumerate(share, 1) if s >= 0.2), 16)


@needs_compiler
def test_auto_on_real_signals():
    found = {one.name: one.share("auto") for one in channels()}
    worst = max(found, key=found.get)
    mean = float(np.exp(np.mean(np.log([*found.values()]))))
    print(f"\nauto on {len(found)} real signals: {mean:.3f} of ZOH, worst {found[worst]:.3f} ({worst})")
    assert mean <= 0.80 and found[worst] <= 1.15

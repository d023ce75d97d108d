"""What `auto` is worth on real signals."""

from collections import Counter

import numpy as np
import pytest

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


@needs_compiler
@pytest.mark.landing("102 runs: 6 s of CPU")
def test_a_network_hardly_harms_real_signals():
    """It learns, and gives way to the newest value where it loses; the last two fifths are judged."""
    found = [one._replace(k=k).share("network", 0.6) for one in channels() for k in (2, 4, 8)]
    print(f"\nnetwork on real signals: {np.exp(np.mean(np.log(found))):.3f} of ZOH, worst {max(found):.3f}")
    assert np.exp(np.mean(np.log(found))) <= 0.98
    assert max(found) <= 1.5 and np.mean(np.array(found) > 1.05) <= 0.08

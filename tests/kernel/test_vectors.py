"""The vectors of the seven stages through the C kernel."""

import pytest

from tests.kernel.driver import KernelDriver
from tests.kernel.library import needs_compiler
from tests.vectors.reader import STAGES, read_stage
from tests.vectors.replay import differences

pytestmark = needs_compiler


@pytest.mark.parametrize("stage", STAGES)
def test_the_kernel_reproduces_the_vectors(stage):
    assert [text for case in read_stage(stage) for text in differences(case, KernelDriver)] == []

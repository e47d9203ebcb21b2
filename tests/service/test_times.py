"""Times on the wire: seconds to the microsecond, whatever a clock says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.schema import Timing


@given(st.floats(0, 1e6))
def test_measured_times_have_at_most_six_decimals(seconds: float) -> None:
    timing = Timing(
        queue_seconds=seconds,
        compile_seconds=0,
        run_seconds=0,
        compare_seconds=0,
        total_seconds=seconds,
    )
    assert timing.queue_seconds == timing.total_seconds == round(seconds, 6)

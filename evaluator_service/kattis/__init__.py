"""Kattis problem packages, the format of most contest archives: a folder becomes a Problem and labelled submissions.

``folder`` and ``section`` read files; ``metadata``, ``testdata``, ``validators``, ``submissions`` each a part of the
package; ``scoring`` what tests are worth; ``expectations`` what labels mean; ``package`` puts it together. Nothing of a
package is run here. Needs pydantic and PyYAML alone, and Python >= 3.11.

The formats: https://www.kattis.com/problem-package-format/spec/legacy and .../2025-09
"""

from evaluator_service.kattis.expectations import Expectation, earned, unmet
from evaluator_service.kattis.folder import PackageError
from evaluator_service.kattis.package import Package, load_package
from evaluator_service.kattis.submissions import Labelled, Skipped

__all__ = [
    "Expectation",
    "Labelled",
    "Package",
    "PackageError",
    "Skipped",
    "earned",
    "load_package",
    "unmet",
]

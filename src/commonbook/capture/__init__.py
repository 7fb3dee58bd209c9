"""Takes session files into Core: what was said since last time, turn by turn, with the place where reading stopped."""

from commonbook.capture.report import HostCapture
from commonbook.capture.run import Survey, capture, session_root, survey

__all__ = ["HostCapture", "Survey", "capture", "session_root", "survey"]

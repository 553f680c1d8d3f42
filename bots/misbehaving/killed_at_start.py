"""Dies by a signal before it says anything."""

import os
import signal

os.kill(os.getpid(), signal.SIGSEGV)

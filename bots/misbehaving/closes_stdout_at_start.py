"""Closes its output before it says hello, and lives on."""

import os
import time

os.close(1)
time.sleep(60)

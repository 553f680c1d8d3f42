"""Runs programs nobody trusts."""

from arena.sandbox.child import Child
from arena.sandbox.program import Mode, Program, Usage
from arena.sandbox.starter import start

__all__ = ["Child", "Mode", "Program", "Usage", "start"]

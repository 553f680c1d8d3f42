"""Runs programs nobody trusts."""

from arena.sandbox.child import Child
from arena.sandbox.program import Mode, Program, Usage
from arena.sandbox.survey import Missing, Survey, require, start, survey

__all__ = ["Child", "Missing", "Mode", "Program", "Survey", "Usage", "require", "start", "survey"]

"""Runs programs nobody trusts."""

from arena.sandbox.build import Built, build
from arena.sandbox.child import Child
from arena.sandbox.program import Mode, Program, Usage
from arena.sandbox.survey import Missing, Survey, require, start, survey

__all__ = ["Built", "Child", "Missing", "Mode", "Program", "Survey", "Usage", "build", "require", "start", "survey"]

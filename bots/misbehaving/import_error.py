"""Imports a module that does not exist."""

import no_such_module  # noqa: F401

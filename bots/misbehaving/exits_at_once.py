"""Leaves at once, content with itself."""

raise SystemExit(0)

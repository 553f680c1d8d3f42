"""Rating systems: pure functions of the results. To add one: docs/ratings.md."""

"""Student's t distribution: how much wider an interval must be that rests on few independent terms."""

import math
from functools import cache
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)
MANY = 200  # degrees of freedom from which the normal distribution serves, with a correction


def cdf(t: float, freedom: int) -> float:
    """Probability of a value below t with `freedom` >= 1 degrees of freedom.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3, 26.7.4 and, for many, 26.7.8.
    """
    if freedom >= MANY:
        z = t * (1.0 - 1.0 / (4.0 * freedom)) / math.sqrt(1.0 + t * t / (2.0 * freedom))
        return NormalDist().cdf(z)
    angle = math.atan(t / math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    if freedom % 2:
        term = total = cosine if freedom > 1 else 0.0
        for k in range(3, freedom - 1, 2):
            term *= cosine * cosine * (k - 1) / k
            total += term
        between = 2.0 / math.pi * (angle + sine * total)
    else:
        term = total = 1.0
        for k in range(2, freedom - 1, 2):
            term *= cosine * cosine * (k - 1) / k
            total += term
        between = sine * total
    return 0.5 + 0.5 * between


@cache
def quantile(probability: float, freedom: int) -> float:
    """The value that a share of `probability` (0.5 or more) lies below."""
    low, high = 0.0, 1.0
    while cdf(high, freedom) < probability:
        high *= 2.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if cdf(middle, freedom) < probability else (low, middle)
    return 0.5 * (low + high)

"""bench_statistics - what a few measurements say of the median of all that could be made."""

import math


def median_interval(values, confidence=0.95):
    """(low, high): between them the true median lies with at least that confidence, whatever the
    values are distributed like. Each is above the median or below it as a coin falls, so that the
    k-th from either end is a bound with the binomial's probability. Of fewer than six values that is
    never so: the lowest and the highest.
    """
    ordered, n = sorted(values), len(values)
    outside, k = 0.0, 0  # the probability that the median is beyond the k-th from one end
    while k < n // 2:
        outside += math.comb(n, k) / 2 ** n
        if 2 * outside > 1 - confidence:
            break
        k += 1
    k = max(k, 1)
    return ordered[k - 1], ordered[n - k]

"""bench_statistics - the confidence interval of a median, from a few measurements."""

import math


def median_interval(values, confidence=0.95):
    """Return (low, high), which hold the true median between them with at least that confidence, for
    any distribution. Each value is above or below the median like a fair coin, so the k-th value from
    either end is a bound with the binomial's probability. Fewer than six values are never enough for
    95 %: the lowest and the highest are returned.
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

"""Writes golden/scipy/vectors.json: what SciPy and statsmodels say, for tests/scipy.rs.

    python3 -m venv venv && venv/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    venv/bin/python scripts/scipy-vectors.py
"""

import json
import pathlib

import numpy
import scipy
import statsmodels
from scipy import optimize, special, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

random = numpy.random.default_rng(20_240_917)

quantiles = [
    {"df": df, "alpha": alpha, "t": float(stats.t.isf(alpha / 2, df))}
    for df in [1, 2, 3, 4, 5, 6, 7, 9, 12, 19, 30, 59, 99, 499, 10_000, 2.5, 7.3]
    for alpha in [0.9, 0.5, 0.2, 0.1, 0.05, 0.05 / 2, 0.05 / 3, 0.01, 0.05 / 20, 1e-3, 1e-6]
]
tails = [
    {"df": df, "t": t, "p": float(2 * stats.t.sf(t, df))}
    for df in [1, 2, 3, 4, 6, 9, 19, 99, 10_000, 2.5]
    for t in [0.001, 0.1, 0.5, 1.0, 1.5, 2.0, 2.776, 5.0, 12.0, 40.0, 1e3, 1e6]
]

intervals = []
for n in [2, 3, 5, 7, 10, 20, 60]:
    for draw in ("normal", "heavy"):
        noise = random.normal(size=n) if draw == "normal" else random.standard_t(2, size=n)
        logs = 0.1 + 0.05 * noise
        test = stats.ttest_1samp(logs, 0.0)
        for factor in (1, 3):
            low, high = test.confidence_interval(1 - 0.05 / factor)
            intervals.append(
                {
                    "logs": logs.tolist(),
                    "factor": factor,
                    "p": float(test.pvalue),
                    "estimate": float(stats.gmean(numpy.exp(logs))),
                    "low": float(numpy.exp(low)),
                    "high": float(numpy.exp(high)),
                }
            )

holm = []
for m in [1, 2, 3, 5, 8, 20]:
    for _ in range(3):
        p = random.beta(0.3, 2.0, size=m)
        holm.append({"p": p.tolist(), "adjusted": multipletests(p, method="holm")[1].tolist()})
holm.append({"p": [0.02, 0.02, 0.02], "adjusted": multipletests([0.02] * 3, method="holm")[1].tolist()})

spreads = []
for n in [2, 3, 4, 7, 20]:
    values = random.lognormal(9.0, 0.1, size=n)
    spreads.append(
        {"values": values.tolist(), "median": float(numpy.median(values)), "cv": float(stats.variation(values, ddof=1))}
    )

above = [
    {"t": t, "df": df, "shift": shift, "p": float(stats.nct.sf(t, df, shift))}
    for t in [0.0, 0.5, 2.0, 2.776, 5.0, 30.0]
    for df in [1, 4, 6, 9, 19, 99, 999]
    for shift in [0.5, 1.0, 3.0, 8.0]
]


def two_sided(n, shift):
    """Power of a two-sided t test at 0.05; NaN of the other tail is beyond what SciPy can tell from 0."""
    quantile = stats.t.isf(0.025, n - 1)
    return stats.nct.sf(quantile, n - 1, shift) + numpy.nan_to_num(stats.nct.sf(quantile, n - 1, -shift))


differences = []
for n in [5, 6, 7, 10, 20, 40, 100]:
    for sd in [0.005, 0.02, 0.1]:
        effect = TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8)
        # Refined with the non-central t: statsmodels solves to about 1e-8.
        shift = optimize.brentq(
            lambda shift: two_sided(n, shift) - 0.8, effect * n**0.5 * 0.9, effect * n**0.5 * 1.1, xtol=1e-13
        )
        differences.append({"sd": sd, "blocks": n, "difference": float(numpy.expm1(shift * sd / n**0.5))})
powers = [
    {
        "sd": 0.04,
        "blocks": n,
        "difference": difference,
        "power": float(two_sided(n, numpy.log1p(difference) / 0.04 * n**0.5)),
    }
    for n in [5, 7, 20]
    for difference in [0.01, 0.02, 0.05, 0.1]
]

effects = []
for n in [3, 5, 7, 20, 200]:
    logs = random.normal(0.1, 0.05, size=n)
    half = (n - 1) / 2
    correction = special.gamma(half) / (half**0.5 * special.gamma(half - 0.5)) if n < 200 else 1 - 3 / (4 * (n - 1) - 1)
    effects.append({"logs": logs.tolist(), "effect": float(logs.mean() / logs.std(ddof=1) * correction)})

outliers = []
for n in [5, 6, 7, 8, 20, 101]:
    values = 100 + 10 * random.standard_t(1.5, size=n).clip(-9, 1000)
    low, high = numpy.percentile(values, [25, 75])
    edges = [low - 3 * (high - low), low - 1.5 * (high - low), high + 1.5 * (high - low), high + 3 * (high - low)]
    below = [int((values < edge).sum()) for edge in edges[:2]]
    above_fences = [int((values > edge).sum()) for edge in edges[2:]]
    counts = [below[0], below[1] - below[0], above_fences[0] - above_fences[1], above_fences[1]]
    outliers.append({"values": values.tolist(), "counts": counts})

vectors = {
    "made_by": f"scripts/scipy-vectors.py with SciPy {scipy.__version__}, statsmodels {statsmodels.__version__}",
    "quantiles": quantiles,
    "tails": tails,
    "intervals": intervals,
    "holm": holm,
    "spreads": spreads,
    "above": above,
    "differences": differences,
    "powers": powers,
    "effects": effects,
    "outliers": outliers,
}
target = pathlib.Path(__file__).parent.parent / "golden" / "scipy" / "vectors.json"
lines = [f"  {json.dumps(key)}: " + (json.dumps(value) if isinstance(value, str) else
         "[\n" + ",\n".join("    " + json.dumps(item) for item in value) + "\n  ]") for key, value in vectors.items()]
target.write_text("{\n" + ",\n".join(lines) + "\n}\n")

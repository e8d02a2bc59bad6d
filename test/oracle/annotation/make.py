"""Results of statsmodels and of simple counting for random judgments. Writes judgements.json, into --check DIR if given."""

import json
import sys
from pathlib import Path

import numpy as np
import statsmodels
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

GRADES = ["incorrect", "partly", "fully"]
PREFERENCES = ["original", "changed", "equal"]


def majority(values, wanted):
    return sum(value in wanted for value in values) * 2 > len(values)


def case(rng, annotators, items, sloppy, missing):
    """Makes judgments that depend on an item's quality, so that annotators tend to agree."""
    names = [f"rater {i}" for i in range(annotators)]
    made, verdicts, ratings, liked = [], [], [], []
    for item in range(items):
        worth = [rng.random() < 0.85, rng.random() < 0.75]
        lean = "equal" if worth[0] == worth[1] else PREFERENCES[0 if worth[0] else 1]
        votes = []
        for _ in names:
            if rng.random() < missing:
                votes.append(None)
                continue
            grades = []
            for good in worth:
                good = good if rng.random() > sloppy else not good
                grades.append(("fully" if rng.random() < 0.8 else "partly") if good else "incorrect")
            better = lean if rng.random() > sloppy else str(rng.choice(PREFERENCES))
            votes.append({"original": grades[0], "changed": grades[1], "better": better})
        made.append(votes)
        given = [vote for vote in votes if vote is not None]
        if not given:
            continue
        fine = [majority([vote[side] for vote in given], GRADES[1:]) for side in ("original", "changed")]
        full = [majority([vote[side] for vote in given], ["fully"]) for side in ("original", "changed")]
        likes = [kind for kind in PREFERENCES if majority([vote["better"] for vote in given], [kind])]
        verdicts.append(
            {
                "item": item,
                "judged": len(given),
                "accepted": ["neither", "one", "both"][sum(fine)],
                "full": all(full),
                "better": likes[0] if likes else None,
            }
        )
        if len(given) == annotators:
            for side in ("original", "changed"):
                ratings.append([int(vote[side] != "incorrect") for vote in given])
            liked.append([PREFERENCES.index(vote["better"]) for vote in given])
    kappa = lambda table: float(fleiss_kappa(aggregate_raters(np.array(table))[0], method="fleiss"))
    return {
        "annotators": names,
        "votes": made,
        "verdicts": verdicts,
        "acceptability": kappa(ratings),
        "preference": kappa(liked),
    }


rng = np.random.default_rng(11)
folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else Path(__file__).parent
(folder / "judgements.json").write_text(
    json.dumps(
        {
            "versions": {"numpy": np.__version__, "statsmodels": statsmodels.__version__},
            "cases": [
                case(rng, 3, 40, 0.1, 0.0),
                case(rng, 3, 40, 0.4, 0.15),
                case(rng, 4, 30, 0.2, 0.1),
                case(rng, 2, 20, 0.3, 0.0),
            ],
        }
    )
    + "\n"
)

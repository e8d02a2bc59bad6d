"""A report for a notebook: the verdicts, metrics, charts and worst failures of its page, in the notebook's colours."""

from __future__ import annotations

import html
import os
import re
import tempfile
from typing import Dict, Tuple

from captious._run import asked
from captious._show import has_extension, link_to

FAILURES = "Failures, worst first"
#: The most metrics, charts and failures at first sight. The other metrics and charts unfold.
MOST_METRICS, MOST_CHARTS, MOST_FAILURES = 12, 4, 10
#: The most characters of the section of metrics with what unfolds.
MOST_MARKUP = 100_000

#: The page's own rules, for one element of the notebook. Text has the notebook's colour, so light and dark both work.
STYLE = """
.captious { --line: color-mix(in srgb, currentColor 22%, transparent); --bar: #3d86d6; font-size: 14px; line-height: 1.45; }
.captious h3 { font-size: 1.15em; margin: .8em 0 .3em; } .captious h4 { margin: .9em 0 .3em; }
.captious table { border-collapse: collapse; margin: 0; color: inherit; font: inherit; } .captious .scroll { overflow-x: auto; }
.captious th, .captious td { padding: .2em .6em; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; background: none; }
.captious td.n, .captious th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.captious .claims small, .captious .quiet { opacity: .75; font-size: .85em; display: block; }
.captious .id { opacity: .6; font-size: .8em; font-family: ui-monospace, monospace; }
.captious figure { display: inline-block; margin: .4em 1.2em .4em 0; vertical-align: top; } .captious figcaption { font-weight: 600; }
.captious svg { display: block; max-width: 100%; height: auto; } .captious td svg { max-width: none; margin-top: .2em; } .captious svg text { fill: currentColor; font: 12px system-ui, sans-serif; }
.captious line.text { fill: currentColor; stroke: currentColor; stroke-width: 1.2 } .captious svg .quiet { fill: currentColor; opacity: .75 }
.captious .mark { fill: var(--bar) } .captious .other { fill: currentColor; opacity: .35 } .captious .none { fill: none; stroke: var(--line) }
.captious .wrong { fill: #cf8a4e; stroke: currentColor; stroke-width: .6 } .captious .span { fill: none; stroke: var(--bar); stroke-width: 2 }
.captious .axis { fill: none; stroke: var(--line) } .captious .curve { fill: none; stroke: var(--bar); stroke-width: 1.6 }
.captious .reference { fill: none; stroke: currentColor; stroke-dasharray: 3 3; opacity: .7 } .captious .frontier { fill: none; stroke: currentColor; opacity: .7 }
.captious summary { cursor: pointer; padding: .3em 0; }
"""


def page(path: str, evaluator: str) -> str:
    """Markup without scripts and without anything to load."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "page.html")
        asked(["export", path, "--to", "html", "--out", file])
        with open(file, encoding="utf-8") as opened:
            whole = opened.read()
    body = whole.partition("<body>")[2].partition("</body>")[0]
    title = re.search(r"<h1>(.*?)</h1>", body, re.S)
    parts = sections(body)
    folds = (("Verdicts", str), ("Metrics", metrics), ("Charts", charts))
    shown = ["<h4>{}</h4>{}".format(name, fold(parts[name])) for name, fold in folds if parts.get(name)]
    if FAILURES in parts:
        table, _ = split_table(parts[FAILURES], MOST_FAILURES)
        shown.append(unfolding(FAILURES, table))
    shown.append('<p class="quiet">{}{}</p>'.format(html.escape(path), panel_link(path)))
    heading = "<h3>{} · {}</h3>".format(title[1], html.escape(evaluator)) if title else ""
    return framed(heading + "\n".join(shown))


def panel_link(path: str) -> str:
    """A link to the panel, which lists all rows, the worst first. VS Code asks before it opens a report."""
    if not has_extension():
        return ""
    return '<br><a href="{}">Open in VS Code, worst examples first</a>'.format(html.escape(link_to(path)))


def trend_page(whole: str) -> str:
    """The chart and the table of a page of a trend."""
    body = whole.partition("<body>")[2].partition("</body>")[0]
    return re.sub(r"<(/?)h1>", r"<\1h3>", body)


def framed(content: str) -> str:
    return '<div class="captious"><style>{}</style>{}</div>'.format(STYLE, content)


def sections(body: str) -> Dict[str, str]:
    pieces = re.split(r"<h2(?: [^>]*)?>(.*?)</h2>", body)
    return {html.unescape(name): content for name, content in zip(pieces[1::2], pieces[2::2])}


def metrics(content: str) -> str:
    table, others = split_table(content, MOST_METRICS)
    shown = table + (unfolding("More metrics", others) if others else "")
    # A notebook stores its outputs, so they are short.
    return shown if len(shown) <= MOST_MARKUP else split_table(content.partition("<details")[0], MOST_METRICS)[0]


def charts(content: str) -> str:
    found = re.findall(r"<figure.*?</figure>", content, re.S)
    others = "".join(found[MOST_CHARTS:])
    return "".join(found[:MOST_CHARTS]) + (unfolding("More charts", others) if others else "")


def unfolding(title: str, content: str) -> str:
    return "<details><summary>{}</summary>{}</details>".format(title, content)


def split_table(content: str, most: int) -> Tuple[str, str]:
    """The first table of some markup as two tables; the second is empty if the rows fit into the first."""
    found = re.search(r"(<table>.*?<tbody>)(.*?)</tbody></table>", content, re.S)
    if found is None:
        return content, ""
    rows = re.findall(r"<tr>.*?</tr>", found[2], re.S)
    made = ['<div class="scroll">{}{}</tbody></table></div>'.format(found[1], "".join(part)) for part in (rows[:most], rows[most:])]
    rest = content[found.end() :].partition("</div>")[2]
    return content[: found.start()].replace('<div class="scroll">', "") + made[0] + rest, made[1] if rows[most:] else ""

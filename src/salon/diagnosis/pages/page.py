"""One HTML file out of a diagnosis: it opens offline, loads nothing, and runs nothing."""

import base64
import hashlib
from importlib.resources import files
from string import Template

import numpy as np

from salon.diagnosis.diagnosis import Diagnosis
from salon.diagnosis.finding import Finding
from salon.diagnosis.reading.scale import is_yes_no
from salon.markup import Child, Html, el, join
from salon.number_text import compact, decimal
from salon.pool.provenance import provenance_of

from .finding_charts import MOST_TERMS, captioned, figure_of, who_decides
from .svg_charts import Curve, curves, forest_plot, histogram, matrix
from .terminal import CHECKS, described, needed, reading_told, shares_told, verdict, weights_told
from .words import counted, listed, percent, spelled

HOW = (
    "Shares have Wilson’s intervals. All other intervals are at 95 %, by a bootstrap over whole groups (over"
    " rows where there are fewer than ten groups), since the answers of a group resemble each other. A check"
    " that makes several comparisons raises an alarm only when the interval, widened for their number, leaves"
    " no doubt. A check that the scores are too few for is not called fine.",
    "Inside groups means: each score minus the mean of its group. That is what a group-relative policy"
    " gradient sees. What a term decides is the covariance of its weighted score with the total, inside"
    " groups, as a share of the total’s variance; the shares add up to one.",
    "Two terms count as one thing from |ρ| 0.85 on, by Pearson or by Spearman. A missing score is never read"
    " as 0. Of more than 250,000 rows, correlations, shares and pairs are computed on that many, in whole"
    " groups; everything that is counted is counted over all rows.",
)


def page(found: Diagnosis) -> str:
    """The whole page as text."""
    parts = [
        _problems(found),
        _decides(found),
        _terms(found),
        _together(found),
        _people(found),
        _recipe(found),
    ]
    style = _asset("page.css")
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    return Template(_asset("page.html")).substitute(
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        title=join(found.table.source),
        style=style,
        cover=_cover(found).replace(" %", "\N{NO-BREAK SPACE}%"),
        body=join([*parts, _rest(found)]).replace(" %", "\N{NO-BREAK SPACE}%"),
    )


def _asset(name: str) -> str:
    return (files("salon.diagnosis.pages") / name).read_text("utf-8")


def section(title: str, note: str, *body: Child) -> Html:
    """A numbered section; the style sheet numbers them."""
    lede = el("p", {"class": "note"}, note) if note else None
    return el("section", {}, el("header", {}, el("h2", {}, title), lede), *body)


def _cover(found: Diagnosis) -> Html:
    mark = el("p", {"class": "mark"}, el("b", {}, "salon"), f"  ·  a diagnosis  ·  {described(found.table)}")
    wrong = found.of_level("problem")
    what = "this reward" if found.table.terms else "this judge"
    things = "thing is" if len(wrong) == 1 else "things are"
    title = verdict(found).rstrip(".")
    title = f"{spelled(len(wrong)).capitalize()} {things} wrong with {what}" if wrong else title
    titles = [finding.title[:1].lower() + finding.title[1:] for finding in wrong[:4]]
    story = f"{'; '.join(titles)}.".capitalize() if titles else _all_clear(found)
    story = f"{story[:1].upper()}{story[1:]} {weights_told(found.table)}"
    told = found.table.rated or provenance_of(found.table.reward)
    return el(
        "header",
        {"class": "cover"},
        mark,
        el("h1", {}, title),
        el("p", {"class": "story"}, story),
        el("p", {"class": "note"}, told) if told else None,
        _figures(found),
    )


def _all_clear(found: Diagnosis) -> str:
    made = len({finding.kind for finding in found.findings})
    left = len({each.kind for each in found.unchecked})
    told = f"{counted(made, 'check')} came back clean, {left} could not be made"
    return f"{told}; what each would need stands below."


def _figures(found: Diagnosis) -> Html | None:
    table = found.table
    shown: list[tuple[str, str, str]] = []
    if found.overlap is not None:
        merged = sum(len(cluster.terms) - 1 for cluster in found.clusters)
        still = {each.term for each in found.spreads if each.since is not None}
        alive = len(table.live) - merged - len([term for term in table.live if term.name in still])
        shown.append(
            (
                str(max(alive, 0)),
                "signals that move and differ",
                f"of {counted(len(table.live), 'term')} with a weight",
            )
        )
        dead = sum(table.nominal[term.name] for term in table.live if term.name in still)
        shown.append((percent(dead), "of the weight stands still", "terms without a spread inside groups"))
    for finding in found.findings:
        if finding.kind == "dead_groups" and "dead_groups" in finding.numbers:
            number = finding.numbers["dead_groups"]
            shown.append(
                (percent(number.value), "of groups teach nothing", f"all rewards equal, of {number.count:,}")
            )
    if found.agreement is not None:
        number = found.agreement.accuracy[0]
        shown.append(
            (percent(number.value), "of pairs as people order them", f"the total, on {number.count:,} pairs")
        )
    cells = [
        el("div", {}, el("dd", {}, big), el("dt", {}, label, el("span", {}, small)))
        for big, label, small in shown
    ]
    return el("dl", {"class": "figures"}, cells) if cells else None


def _problems(found: Diagnosis) -> Html | None:
    wrong = [*found.of_level("problem"), *found.of_level("notice")]
    if not wrong:
        return None
    note = "Worst first: what is wrong, how sure that is, and what to do."
    return section("What is wrong", note, [_finding(finding, found) for finding in wrong])


def _finding(finding: Finding, found: Diagnosis) -> Html:
    words = el(
        "div",
        {},
        el("p", {"class": "level"}, f"{finding.level} · {CHECKS[finding.kind]}"),
        el("h3", {}, finding.title),
        el("p", {}, finding.wrong),
        el("div", {"class": "remedy"}, el("b", {}, "What to do"), finding.remedy) if finding.remedy else None,
    )
    return el("article", {"class": f"finding {finding.level}"}, words, figure_of(finding, found))


def _decides(found: Diagnosis) -> Html | None:
    if found.shares is None or len(found.shares.names) < 2:
        return None
    late = " in the last third of the steps" if found.table.has_late else ""
    note = (
        f"Ring: the weight. Dot: the share of the variance that groups learn from{late}, with its interval."
    )
    note = f"{note} {shares_told(found)}".strip()
    return section("Who decides", note, el("figure", {"class": "wide-figure"}, who_decides(found)))


def _terms(found: Diagnosis) -> Html | None:
    if not found.shapes:
        return None
    note = "Above, how the scores lie on their scale"
    note += "; below, their spread inside groups, step by step." if len(found.table.steps) > 1 else "."
    cells = [_term(found, index) for index in range(min(len(found.shapes), MOST_TERMS))]
    return section("The terms, one by one", note, el("div", {"class": "terms"}, cells))


def _term(found: Diagnosis, index: int) -> Html:
    table, shape, spread = found.table, found.shapes[index], found.spreads[index]
    term = table.terms[index]
    weight = f"weight {decimal(table.nominal.get(term.name, 0.0))}"
    weight = weight if term.counts or term.rests else term.role
    drawings: list[Html] = [histogram(shape)]
    if len(table.steps) > 1:
        line = Curve(f"spread of {term.name}", table.steps.astype(np.float64), spread.spread_T)
        since = float(table.steps[spread.since]) if spread.since else None
        drawings.append(curves([line], low=0.0, since=since, height=96))
    missing = float(np.isnan(term.raw_N).mean())
    told = [f"90 % between {compact(shape.from_05)} and {compact(shape.to_95)}"]
    if shape.effective and not is_yes_no(term):
        told.append(f"tells {decimal(shape.effective.value, 1)} levels apart")
    told += [f"{percent(shape.tied)} of pairs tied"] if shape.tied is not None else []
    told += [f"{percent(missing)} missing"] if missing else []
    caption = el("figcaption", {}, el("b", {}, term.name), el("span", {}, weight))
    return el("figure", {}, caption, drawings, el("p", {"class": "legend"}, " · ".join(told)))


def _together(found: Diagnosis) -> Html | None:
    each = found.overlap
    if each is None or not 2 <= len(each.names) <= MOST_TERMS:
        return None
    where = "inside groups" if found.table.grouped else "inside steps" if len(found.table.steps) > 1 else ""
    shown = [
        (each.within.value_KK, f"Pearson’s ρ {where}".strip()),
        (each.within_ranks.value_KK, f"Spearman’s ρ {where}".strip()),
    ]
    if where:
        shown += [
            (each.overall.value_KK, "Pearson’s ρ over all rows"),
            (each.overall_ranks.value_KK, "Spearman’s ρ over all rows"),
        ]
    figures = [captioned(matrix(each.names, value_KK, words), words) for value_KK, words in shown]
    note = "Framed from |ρ| 0.85 on: such terms measure one thing."
    return section("What goes together", note, el("div", {"class": "matrices"}, figures))


def _people(found: Diagnosis) -> Html | None:
    each = found.agreement
    if each is None:
        return None
    names = each.names[:MOST_TERMS]
    accuracy = forest_plot(
        names, each.accuracy[:MOST_TERMS], 0.5, 0.0 if min(n.value for n in each.accuracy) < 0.3 else 0.3, 1.0
    )
    figures = [
        captioned(
            accuracy, f"Share of {each.pairs:,} pairs that are ordered as people order them; 0.5 is chance."
        )
    ]
    if each.fitted:
        fitted = list(each.fitted.items())[:MOST_TERMS]
        low = -1.0 if min(number.low or 0.0 for _, number in fitted) < -0.05 else 0.0
        drawing = forest_plot([name for name, _ in fitted], [number for _, number in fitted], 0.0, low, 1.0)
        words = "What people’s choices weigh, spread for spread: shares of a logistic fit."
        if each.held_out is not None:
            fitted_right, today_right = (percent(share) for share in each.held_out)
            words += f" On unseen pairs it is right in {fitted_right}, today’s total in {today_right}."
        figures.append(captioned(drawing, words))
    return section(
        "Against people",
        "How the scores order pairs of answers that people ordered.",
        el("div", {"class": "matrices"}, figures),
    )


def _recipe(found: Diagnosis) -> Html | None:
    if found.recipe is None or found.proposal is None:
        return None
    rows = [
        el(
            "li",
            {},
            el("b", {}, signal.name),
            el("span", {"class": "weight"}, decimal(signal.weight)),
            el("span", {"class": "why"}, signal.why),
        )
        for signal in found.proposal.signals
    ]
    rows += [
        el(
            "li",
            {},
            el("b", {}, signal.name),
            el("span", {"class": "weight"}, "–"),
            el("span", {"class": "why"}, f"dropped: {signal.why}"),
        )
        for signal in found.proposal.dropped
    ]
    code = [
        el("i", {}, f"{line}\n") if line.lstrip().startswith("#") else f"{line}\n"
        for line in found.recipe.splitlines()
    ]
    count = counted(len(found.proposal.signals), "signal")
    note = f"{counted(len(found.table.live), 'term')} become {count}."
    return section("A recipe that follows", note, el("ul", {"class": "actions"}, rows), el("pre", {}, code))


def _rest(found: Diagnosis) -> Html:
    fine = [el("li", {}, el("b", {}, f.title), el("span", {}, f.wrong)) for f in found.of_level("fine")]
    unchecked = [
        el(
            "li",
            {"class": "open"},
            el("b", {}, f"Not checked: {listed(kinds, 20)}"),
            el("span", {}, f"It would need {needs}.".replace("`", "")),
        )
        for needs, kinds in needed(found).items()
    ]
    how = [el("p", {}, words) for words in (*HOW, *reading_told(found.table))]
    return join(
        [
            section(
                "What is fine, and what was not checked", "", el("ul", {"class": "fine"}, fine, unchecked)
            ),
            section("How this was computed", "", el("div", {"class": "how"}, how)),
        ]
    )

"""The findings in sentences, for the terminal and the page."""

from salon.number_text import number
from salon.report.comparison.levels import Reach
from salon.report.numbers import percent

from .findings import Between, Findings


def story(found: Findings) -> list[str]:
    """What came out, one sentence each, whichever way it went."""
    ended = "the new rubric ends higher" if found.gain.value > 0 else "the new rubric does not end higher"
    clear = "clearly" if _away_from_zero(found.gain) else "but within chance"
    return [_speed(found), f"Measured alike, {ended}, {clear}: {_signed(found.gain)}.", _length(found)]


def _speed(found: Findings) -> str:
    level = number(found.level)
    if found.new_reached.step is None:
        return f"The new rubric never reaches the old one’s best level ({level}) within these steps."
    if found.factor is None:
        return f"The old rubric’s best level is {level}."
    times = f"{found.factor.value:.1f} times as soon"
    between = (
        f" ({found.factor.low:.1f} to {found.factor.high:.1f})"
        if found.factor.low is not None and found.factor.high is not None
        else ""
    )
    return (
        f"The old rubric’s best level, {level}, is reached by the new one after {steps(found.new_reached)}"
        f" and by the old one after {steps(found.old_reached)}: {times}{between}."
    )


def steps(each: Reach) -> str:
    """`4 steps (3 to 6)`; an end beyond the last step is called so."""
    if each.step is None:
        return "never"
    if each.low is None:
        return f"{each.step} steps"
    high = str(each.high) if each.high is not None else f"more than {each.last}"
    return f"{each.step} steps ({each.low} to {high})"


def _length(found: Findings) -> str:
    ends = {side: curves["tokens"].means for side, curves in found.curves.items()}
    told = [f"{side} {means[0]:.0f} → {means[-1]:.0f}" for side, means in ends.items()]
    apart = {side: curves["diversity"].means for side, curves in found.curves.items()}
    differ = [f"{side} {number(means[0], 3)} → {number(means[-1], 3)}" for side, means in apart.items()]
    return f"Tokens per sketch: {', '.join(told)}. Distance within groups: {', '.join(differ)}."


def _away_from_zero(each: Between) -> bool:
    return each.low is not None and each.high is not None and (each.low > 0 or each.high < 0)


def _signed(each: Between) -> str:
    ends = "" if each.low is None or each.high is None else f" ({each.low:+.3f} to {each.high:+.3f})"
    return f"{each.value:+.3f}{ends} in the last quarter of the steps"


def seed_lines(found: Findings) -> list[str]:
    """One line per run: `old 0   best .61  end .60  level at 12  win rate .73 (.54 … .90)`."""
    lines: list[str] = []
    for each in found.seeds:
        reached = "never" if each.reached is None else f"step {each.reached}"
        line = f"{each.side} {each.seed}  best {each.best:.3f}  end {each.final:.3f}  level at {reached}"
        if each.win_rate is not None:
            line += f"  wins {percent(each.win_rate.value)} against its base"
        lines.append(line)
    return lines

"""The commands `salon judge …`, `salon serve-judge` and `salon serve-scorer`. Thin: read arguments, call one
function, show it.
"""

from typing import Annotated, Any

import typer

from salon.allow_option import allowing
from salon.files.outputs import check_outputs
from salon.markup import encodable, visible

judge = typer.Typer(
    help="Ask a judge about picture files: compare, answer, critique, probe, weigh.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Name = Annotated[
    str,
    typer.Option(
        "--judge",
        help="taste, heldout, pixels, rational …, a learned judge's folder, module:attribute, or a recipe's"
        " judge: recipes/arena.yaml#vlm.",
    ),
]
Recipe = Annotated[
    str, typer.Option("--recipe", help="A reward recipe, in whose judges --judge is looked for.")
]
Model = Annotated[str, typer.Option("--model", help="A vision-language model's name on the server.")]
Url = Annotated[str, typer.Option("--base-url", help="The server's address, up to /v1.")]
Set = Annotated[list[str] | None, typer.Option("--set", help="A setting of the judge: --set batch=4.")]
Asked = Annotated[str, typer.Option("--prompt", "-p", help="What the picture was made for.")]
Before = Annotated[str, typer.Option("--before", help="For a judge of edits: the picture that was edited.")]
Pool = Annotated[str, typer.Option("--pool", help="A rated pool: a folder, or flowers.")]
Connections = Annotated[int, typer.Option(min=1, max=10_000, help="Requests worked on at once.")]
ApiKey = Annotated[
    str, typer.Option(envvar="SALON_SERVE_KEY", help="What clients must send as a bearer token.")
]
KeyVariable = Annotated[str, typer.Option("--api-key-env", help="The environment variable that has it.")]
KeyFile = Annotated[str, typer.Option("--api-key-file", help="The file that has it.")]
Names = Annotated[
    list[str] | None,
    typer.Option("--name", help="A host name it is reached by, beside its own; its pages may ask it."),
]
Raw = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_HINTS = {
    "judge_unreachable": " Start the server, or correct its address.",
    "no_picture_before": " Name the picture that was edited with --before.",
}
_KEPT = {True: " (kept from before: nobody was asked)", False: "", None: " (in part kept from before)"}


@judge.command()
@allowing
def compare(
    pictures: Annotated[list[str], typer.Argument(help="Picture files: two, or more for a tournament.")],
    prompt: Asked = "",
    before: Before = "",
    name: Name = "",
    model: Model = "",
    base_url: Url = "",
    settings: Set = None,
    recipe: Recipe = "",
    budget: Annotated[
        int | None, typer.Option(min=1, help="Of more than two: so many comparisons at most, by lot.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Draws the comparisons of a budget.")] = 0,
    out: Annotated[
        str | None, typer.Option("-o", "--out", help="Also write the board of a tournament, .csv or .json.")
    ] = None,
    as_json: Raw = False,
) -> None:
    """Which picture is better? Asked in both orders; a winner must win both. More than two: a board."""
    from salon.errors import RecipeError

    from . import asking

    if len(pictures) < 2:
        raise RecipeError("name two pictures at least")
    check_outputs({"--out": out}, [*pictures, recipe, before])
    shown = asking.existing(pictures)
    who = asking.open_for_shell(name, model, base_url, settings or [], recipe)
    made_for = asking.prompt_of(prompt, before, who)
    if len(shown) > 2:
        return _tournament(
            who, name or model or "taste", made_for, shown, pictures, budget, seed, out, as_json
        )
    if budget is not None or out is not None:
        raise RecipeError("--budget and --out: are of a tournament. Name more than two pictures.")
    a, b = pictures
    found, kept = asking.noting_kept(lambda: asking.compare(who, made_for, *shown))
    asked = asking.asked_of(who, kept or "failure" in found)
    _tell_unread(asked.unread(made_for, name or model or "taste"))
    if as_json:
        _show_json({**asked.row(), "cached": kept, **found})
    elif "failure" not in found:
        better = {"a": a, "b": b, "tie": "neither: a tie"}[found["winner"]]
        orders = f"{found['p_a_shown_first']:.3f} shown first, {found['p_a_shown_second']:.3f} shown second"
        print(
            visible(f"{better}\nP({a} wins) = {found['p_a']:.3f} ({orders}){', flipped' * found['flipped']}")
        )
        print(visible(f"{found['reason']}\n{asked.named}{_KEPT[kept]}"))
    return _end(found)


def _tournament(
    who: Any,
    called: str,
    prompt: Any,
    shown: Any,
    names: list[str],
    budget: int | None,
    seed: int,
    out: str | None,
    as_json: bool,
) -> None:
    import json
    from pathlib import Path

    from salon.errors import RecipeError
    from salon.store.runs import write_atomic

    from . import asking
    from .tournament import tournament

    if out is not None and Path(out).suffix not in (".csv", ".json"):
        raise RecipeError(f"--out {out}: a board is written as .csv or .json.")
    found, kept = asking.noting_kept(lambda: tournament(who, prompt, shown, names, budget, seed))
    if out is not None:
        text = found.table() if out.endswith(".csv") else json.dumps(found.row(), indent=2) + "\n"
        write_atomic(Path(out), text.encode("utf-8", "replace"))
    asked = asking.asked_of(who, kept or not found.compared)
    _tell_unread(asked.unread(prompt, called))
    if as_json:
        _show_json({**asked.row(), "cached": kept, **found.row()})
    else:
        print(visible("\n".join(found.lines())))
        print(visible(f"{asked.named}{_KEPT[kept]}"))
    if not found.compared:
        raise typer.Exit(1)


@judge.command()
@allowing
def answer(
    picture: Annotated[str, typer.Argument(help="A picture file.")],
    ask: Annotated[list[str], typer.Option("--ask", "-q", help="A yes/no question; any number of them.")],
    prompt: Asked = "",
    before: Before = "",
    name: Name = "",
    model: Model = "",
    base_url: Url = "",
    settings: Set = None,
    recipe: Recipe = "",
    as_json: Raw = False,
) -> None:
    """Yes, no or n/a to questions about a picture."""
    from . import asking

    shown = asking.read_picture(picture)
    who = asking.open_for_shell(name, model, base_url, settings or [], recipe)
    made_for, asks = asking.prompt_of(prompt, before, who), asking.questions_of(ask)
    rows, kept = asking.noting_kept(lambda: asking.answer(who, made_for, shown, asks))
    asked = asking.asked_of(who, kept or any("failure" in row for row in rows))
    _tell_unread(asked.unread(made_for, name or model or "taste"))
    if as_json:
        _show_json([{**row, "cached": kept} for row in rows])
    else:
        for row in rows:
            failed = row.get("failure")
            said = failed["code"] if failed else {True: "yes", False: "no", None: "n/a"}[row["yes"]]
            print(visible(f"{said:4} {row['question']}{'' if failed else '  ' + row['reason']}"))
        print(visible(f"{asked.named}{_KEPT[kept]}"))
    _end(next((row for row in rows if "failure" in row), {}))


@judge.command()
@allowing
def critique(
    picture: Annotated[str, typer.Argument(help="A picture file.")],
    prompt: Asked = "",
    before: Before = "",
    name: Name = "",
    model: Model = "",
    base_url: Url = "",
    settings: Set = None,
    recipe: Recipe = "",
    as_json: Raw = False,
) -> None:
    """A written critique, and a score per aspect."""
    from . import asking

    shown = asking.read_picture(picture)
    who = asking.open_for_shell(name, model, base_url, settings or [], recipe)
    made_for = asking.prompt_of(prompt, before, who)
    found, kept = asking.noting_kept(lambda: asking.critique(who, made_for, shown))
    asked = asking.asked_of(who, kept or "failure" in found)
    _tell_unread(asked.unread(made_for, name or model or "taste"))
    if as_json:
        _show_json({**asked.row(), "cached": kept, **found})
    elif "failure" not in found:
        print(visible(found["text"]))
        for aspect, score in found["scores"].items():
            print(visible(f"{aspect}: {'n/a' if score is None else f'{score:g}'} of {found['high']:g}"))
        better = f"better asked: {found['request']}" if found["request"] else ""
        print(visible(f"{better}\n{asked.named}{_KEPT[kept]}"))
    _end(found)


@judge.command()
@allowing
def probe(
    name: Name = "",
    model: Model = "",
    base_url: Url = "",
    settings: Set = None,
    recipe: Recipe = "",
    pool: Pool = "flowers",
    pairs: Annotated[int, typer.Option(min=1, help="Good against bad; the first is blank paper.")] = 3,
    asks: Annotated[
        list[str] | None,
        typer.Option("--for", help="compare, criteria, answer or critique: all it can by default."),
    ] = None,
) -> None:
    """Does it look and read, know the order, prefer good to bad? Nothing from memory; exit code 1 if not."""
    from . import asking

    who = asking.open_for_shell(name, model, base_url, settings or [], recipe)
    found, spent = asking.probe(who, pool, pairs, asks or ())
    for line in [*found.lines, *(f"wrong: {problem}" for problem in found.problems)]:
        print(visible(line))
    print(visible(f"{who.identity}: {found.summary}"))
    tokens = spent.tokens_in + spent.tokens_out
    print(
        f"{spent.calls:.0f} calls, {tokens:.0f} tokens"
        if spent.questions
        else "asked in this process, no calls"
    )
    if found.problems:
        raise typer.Exit(1)


@judge.command()
@allowing
def weigh(
    name: Name = "",
    model: Model = "",
    base_url: Url = "",
    settings: Set = None,
    recipe: Recipe = "",
    pool: Pool = "flowers",
    pairs: Annotated[int, typer.Option(min=2, help="Loved against rejected pictures.")] = 40,
) -> None:
    """How far each member of a council agrees with the ratings, and the `weights` to write into a recipe."""
    from . import asking

    who = asking.open_judge(name, model, base_url, settings or [], recipe)
    rows = asking.weigh(who, pool, pairs)
    for row in rows:
        said = f"{row['agreement']:.3f} agrees with the ratings, weight {row['weight']:.3f}: {row['member']}"
        print(visible(said))
    print(f"weights: {[row['weight'] for row in rows]}")


def serve_judge(
    context: typer.Context,
    given: Annotated[
        str, typer.Argument(metavar="[JUDGE]", help="The same as --judge; taste by default.")
    ] = "",
    name: Name = "",
    model: Model = "",
    base_url: Url = "",
    recipe: Recipe = "",
    host: Annotated[str, typer.Option(help="0.0.0.0 lets other machines ask; then set a key.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any that is free.")] = 8008,
    api_key: ApiKey = "",
    api_key_env: KeyVariable = "",
    api_key_file: KeyFile = "",
    connections: Connections = 256,
    names: Names = None,
    settings: Set = None,
) -> None:
    """Put a judge behind OpenAI's chat completions, for any client that speaks them. Ctrl-C ends it."""
    from salon.errors import RecipeError
    from salon.serving.json_server import must_be_free
    from salon.serving.judge_server import JudgeServer

    from . import asking

    if given and name and given != name:
        raise RecipeError(f"{given!r} and --judge {name!r}: name one judge.")
    must_be_free(host, port)
    served = asking.open_judge(given or name, model, base_url, settings or [], recipe)
    # Whoever sets another learned judge by --set has named that one.
    learned = [line.partition("=")[2] for line in settings or [] if line.startswith("name_or_path=")]
    called = [(learned or [given or name or model or "taste"])[-1], served.identity.partition("@")[0]]
    key = _key(context, api_key, api_key_env, api_key_file)
    server = JudgeServer(served, host, port, key, connections, names or [], called)
    print(visible(f"{server.judge.identity} at {server.url}"), flush=True)
    print(f"answers to --model {', '.join(server.models)}", flush=True)
    with server:
        server.serve_forever()


def serve_scorer(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(help="Which model: clip, pickscore, hpsv3 …, taste, or module:attribute.")
    ],
    reward: Annotated[str, typer.Option("--reward", help="The reward's name; the model's by default.")] = "",
    host: Annotated[str, typer.Option(help="0.0.0.0 lets other machines ask; then set a key.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any that is free.")] = 8009,
    api_key: ApiKey = "",
    api_key_env: KeyVariable = "",
    api_key_file: KeyFile = "",
    connections: Connections = 256,
    names: Names = None,
    batch: Annotated[int, typer.Option(min=1, help="Pictures through the model at once.")] = 8,
    golden: Annotated[str, typer.Option(help="JSON lines of prompt, picture and score to check first.")] = "",
    write_golden: Annotated[
        str, typer.Option("--write-golden", help="Write that file from what the model says now, and stop.")
    ] = "",
    tolerance: Annotated[float, typer.Option(min=0, help="By how much a golden score may differ.")] = 1e-3,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="An argument of the model: --set device=cuda.")
    ] = None,
) -> None:
    """Put a preference model behind HTTP, for the scorer `served` of a run elsewhere. Ctrl-C ends it."""
    from salon.serving.json_server import must_be_free
    from salon.serving.score_server import ScoreServer

    from . import asking

    check_outputs({"--write-golden": write_golden}, [golden])
    if write_golden:
        asking.write_golden(name, settings or [], write_golden)
        print(f"{write_golden}: written; check it with --golden {write_golden}")
        return
    must_be_free(host, port)
    model = asking.open_model(name, settings or [], golden, tolerance)
    called = reward or name.rpartition(":")[2]
    key = _key(context, api_key, api_key_env, api_key_file)
    server = ScoreServer(model, called, host, port, key, batch, connections=connections, names=names or [])
    print(f"{called}: {model.identity} at {server.address}", flush=True)
    with server:
        server.serve_forever()


def _key(context: typer.Context, literal: str, variable: str, file: str) -> str:
    """The key for clients. One on the command line is warned of; it goes over what SALON_SERVE_KEY says."""
    from .serving_key import SHOWN, serving_key

    source = context.get_parameter_source("api_key")
    is_typed = source is not None and source.name == "COMMANDLINE"
    if is_typed and literal:
        typer.echo(f"salon: {SHOWN}", err=True)
    return serving_key(literal if is_typed or not (variable or file) else "", variable, file)


def _tell_unread(told: str) -> None:
    if told:
        typer.echo(visible(told), err=True)


def _show_json(value: Any) -> None:
    import json

    from salon.secrets.known import redacted

    print(encodable(json.dumps(redacted(value), ensure_ascii=False, indent=2)))


def _end(found: dict[str, Any]) -> None:
    if "failure" not in found:
        return
    code, message = found["failure"]["code"], found["failure"]["message"]
    # Of two questions at once, the second one hears that the server is given up, and why.
    _, given_up, message = message.rpartition("since judge_unreachable: ")
    code = "judge_unreachable" if given_up else code
    told = f"salon: no answer ({code}): {message.rstrip('.')}.{_HINTS.get(code, '')}"
    typer.echo(visible(told), err=True)
    raise typer.Exit(1)

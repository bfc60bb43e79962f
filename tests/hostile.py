"""Short pieces repeated until a scanner that goes back over its text would never end; odd values of JSON."""

import copy
import random
from collections.abc import Iterator, Sequence
from typing import Any

SCRIPT = (
    *(
        "!",
        "a?b:",
        "a=",
        "a+",
        "rotate(1)&&",
        "1?rotate(1):",
        "p=>1?2:",
        "l:",
        "?.b",
        ".b",
        "()",
        "(a",
        "[",
        "[a,",
        "{",
        "{a:",
        "({",
        "`${",
        "}",
        ")",
        "]",
        "a=>",
        "a=",
    ),
    *("()=>(", "-", "- -1,", "**1", "new ", "typeof ", "await ", "async ", "yield ", "if(a)", "if(a);else "),
    *(
        "for(;;)",
        "do ",
        "while(a)",
        "case 1:",
        "class a{",
        "function a(){",
        "a,",
        "a;",
        "a\n",
        "1,",
        "'a'+",
        "'",
        '"',
    ),
    *(
        "`",
        "/",
        "/[",
        "a=/[",
        "/*",
        "*/",
        "/**/",
        "//\n",
        "<!--",
        "-->",
        "<a>",
        "</a>",
        "a<b>(c)",
        "\\u0061",
        "@",
    ),
    *(
        "#",
        "...",
        "import ",
        "brush.",
        "brush[",
        "window.",
        "function setup(",
        "setup =",
        "é",
        "\ud800",
        "\0",
    ),
)
MARKUP = (
    *(
        "<svg ",
        "<svg>",
        "</svg",
        "</svg ",
        "<g>",
        "<g ",
        "<path d='",
        "a='1' ",
        "&amp;",
        "&",
        "<!--",
        "<![CDATA[",
        "<?a",
    ),
    *(
        "<!DOCTYPE ",
        "url(",
        "url( ",
        "rgb(",
        "rgb(/",
        "rgb(////",
        "translate(",
        "translate(1",
        "scale(1,",
        "matrix(",
    ),
    *(
        "font:",
        "font-family:",
        ";",
        ":",
        "@import ",
        "@media ",
        ":not(",
        "var(",
        "calc(",
        "A0 0 0 ",
        "M0 0",
        "1",
        "1.",
        "1e",
    ),
    *(
        "1e9,",
        "-",
        ".",
        "+1",
        "0 ",
        "#a",
        "{",
        "}",
        "*{fill:red}",
        "/*",
        "\\",
        "data:",
        "http://",
        "xmlns:a='b' ",
    ),
)
REPLIES = (
    *(
        "```",
        "```js\n",
        "~~~",
        "~~~\n",
        "`",
        "<think>",
        "</think>",
        "<thinking",
        "<script>",
        "<script ",
        "</script",
    ),
    *(
        "</script ",
        "<",
        ">",
        "function ",
        "function\n",
        "function setup",
        "setup ",
        "setup(",
        "setup()",
        "draw\n=",
        "draw (",
    ),
    *(
        "a(",
        "a (",
        "a()\n",
        "let ",
        "let\n",
        "async ",
        "async\n",
        "new ",
        "new p5 ",
        "'use strict",
        "// ",
        "/*",
    ),
)
ANSWERS = (
    *(
        "{",
        "[",
        "[[",
        '{"a":',
        '{"a":[',
        '"',
        '\\"',
        '"winner":',
        '"winner": "',
        '{"winner"',
        "}",
        "]",
        ",",
        "1,",
        "[],",
    ),
    *(
        "{}",
        "{}{}",
        "```json",
        "**",
        "#",
        "# ",
        "##\n",
        "1. ",
        "1.\n",
        "10/10",
        "8/",
        "n/a (",
        "n/a",
        "(",
        ")",
        "★",
        "-",
    ),
    *(
        "<think>",
        "</think>",
        "<think",
        "◁think▷",
        "[THINK]",
        "Summary",
        "**Summary",
        "Question: ",
        "1) ",
        "yes ",
        "no, ",
    ),
    *(
        "A",
        "Picture A",
        "the winner ",
        "score: ",
        "\t",
        "\n",
        " ",
        "\n\n",
        "\u3000",
        "\x1b[2J",
        "\u202e",
        "e1",
        "1e9",
        "NaN",
    ),
)
PAIRS = (
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("`${", "}`"),
    ("<g>", "</g>"),
    ('{"a":', "}"),
    ("<think>", "</think>"),
)
ENDS = ("", "x", "1", ")", "'", '"', ">", "\n", "/*", "{")


def repeated(fragments: tuple[str, ...], size: int) -> Iterator[str]:
    """Texts of about `size` characters: each piece over and over, with spaces or ends of line after one or
    between all, and with something else behind; and brackets as deep as they are long.
    """
    for fragment in fragments:
        count = max(1, size // len(fragment))
        for index, text in enumerate((fragment * count, (fragment + " ") * (size // (len(fragment) + 1)))):
            yield text
            yield text + ENDS[(len(fragment) + count + index) % len(ENDS)]
        yield fragment + " " * size + "x"
        yield fragment + "\n" * size + "x"
        yield fragment + "1" * size + "x"
    for opening, closing in PAIRS:
        count = size // (len(opening) + len(closing))
        yield opening * count
        yield opening * count + closing * count
        yield (opening + closing) * count


VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, 1e308, 10**30, 10**290, "x", "", "\ud800", "a" * 9000, "\x1b[31m<b>", "a\0b"),
    *([], {}, [[]], [None], [1], ["a"], {"a": 1}, {"a": {"b": [None]}}),
)


def with_value(found: Any, rng: random.Random, values: Sequence[Any] = VALUES) -> Any:
    """What JSON holds, with another value somewhere in it, one more, one less, or one under another name."""
    if not isinstance(found, dict | list) or not found or rng.random() < 0.1:
        if isinstance(found, str) and found and rng.random() < 0.5:
            at = rng.randrange(len(found))
            return found[:at] + rng.choice(("", "\ud800", "A", "=", "\n1. a")) + found[at + 1 :]
        return copy.deepcopy(rng.choice(values))
    key = rng.choice(list(found) if isinstance(found, dict) else range(len(found)))
    if rng.random() < 0.1:
        found.pop(key)
    else:
        found[key] = with_value(found[key], rng, values)
        if isinstance(found, list) and rng.random() < 0.1:
            found *= rng.choice((2, 50))
        if isinstance(found, dict) and rng.random() < 0.1:
            found[rng.choice(("", "\ud800", "x/y", "seed", "id"))] = found.pop(key)
    return found

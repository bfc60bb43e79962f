"""The key that a server asks its clients for: from a variable or a file, since whatever stands on a command
line is seen by everybody who lists the machine's processes.
"""

import os

from salon.errors import RecipeError
from salon.secrets.known import remember
from salon.validation import read_bytes

SHOWN = (
    "--api-key: the key is seen by everybody who lists this machine's processes, and kept by the shell."
    " Set SALON_SERVE_KEY, or name a variable by --api-key-env or a file by --api-key-file."
)


def serving_key(key: str, variable: str, file: str) -> str:
    """The key, from the one of the three that is given; empty where none is.

    Args:
        key: the key itself.
        variable: the environment variable that has it.
        file: the file that has it, and white space around it.

    Raises:
        RecipeError: two are given, or the variable or the file has no key in it.
    """
    if sum(map(bool, (key, variable, file))) > 1:
        raise RecipeError("the server's key is given twice: name a variable by --api-key-env, or a file.")
    where, found = "", key
    if variable:
        where, found = f"--api-key-env {variable}", os.environ.get(variable, "")
    elif file:
        where = f"--api-key-file {file}"
        found = read_bytes(file, "It is named by --api-key-file.").decode("latin-1")
    found = found.strip()
    if where and (not found or not found.isascii() or not found.isprintable()):
        raise RecipeError(
            f"{where}: there is no key in it. Put one there: a line of letters, digits and signs."
        )
    remember(found)
    return found

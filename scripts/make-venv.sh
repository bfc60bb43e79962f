#!/bin/sh
# Make a virtual environment at $1 with the newest Python there is (3.11 or later), or say what is missing and how to get it.
set -eu
venv=$1

[ -x "$venv/bin/python" ] && "$venv/bin/python" -c 'import pip' 2>/dev/null && exit 0

suits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

python=
for candidate in "${PYTHON:-python3}" python3 python3.14 python3.13 python3.12 python3.11; do
    if suits "$candidate"; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
    echo "salon needs Python 3.11 or later, and found none on the PATH. Install one, or name it: make setup PYTHON=/path/to/python3" >&2
    exit 1
fi

# Debian and Ubuntu keep ensurepip in a package of its own.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    as_root=
    [ "$(id -u)" = 0 ] || as_root="sudo -n"
    if command -v apt-get >/dev/null && { [ -z "$as_root" ] || $as_root true 2>/dev/null; }; then
        echo "installing python$version-venv with apt-get"
        $as_root apt-get update -qq
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "python$version-venv" >/dev/null
    else
        echo "$python cannot make virtual environments. On Debian or Ubuntu: sudo apt-get install python$version-venv; then run make again." >&2
        exit 1
    fi
fi

echo "making $venv with $("$python" --version)"
"$python" -m venv --clear "$venv"

#!/bin/sh
# Make an empty virtual environment, or say in a line what is missing for it.
#
# Usage: tools/make_venv.sh FOLDER [PYTHON]
#
# PYTHON defaults to the first interpreter on the path that is new enough.  An older
# environment in FOLDER, whole or half made, is replaced.
set -eu

folder=$1
wanted=${2:-}

fail() {
    echo "$*" >&2
    exit 1
}

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

can_make_environments() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null
}

if [ -n "$wanted" ]; then
    set -- "$wanted"
else
    set -- python3 python3.13 python3.12 python3.11 python
fi
python=
for candidate in "$@"; do
    if new_enough "$candidate"; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    found=$("$1" --version 2>&1) || found="no working $1"
    fail "Powerduels needs Python 3.11 or newer; here is $found. Install one, or name it: make PYTHON=python3.12 ..."
fi

if ! can_make_environments "$python"; then
    # Debian and its kin ship this part of Python as a package of its own.
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        fail "This Python cannot make virtual environments; install the package $package (sudo apt-get install $package)."
    fi
    echo "Installing the system package $package, which Python needs to make virtual environments"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package"
    can_make_environments "$python" || fail "$python still cannot make virtual environments, even with $package."
fi

rm -rf "$folder"
"$python" -m venv "$folder"

#!/usr/bin/env bash
# releases.sh FOLDER: the releases that release.sh tries, of the commit that is checked out, for this machine. PYTHON_OF
# is the guest's Python (3.13). Their wheels are downloaded once, to FOLDER/wheels.
set -euo pipefail
FOLDER=$(realpath -m "${1:?a folder}") HERE=$(cd "$(dirname "$0")/../.." && pwd) PYTHON=${PYTHON:-python3}
rm -rf "$FOLDER/source"
mkdir -p "$FOLDER/source" "$FOLDER/wheels"
git -C "$HERE" archive HEAD | tar -x -C "$FOLDER/source"
cd "$FOLDER"
[[ -f ours.pem ]] || openssl genpkey -algorithm ed25519 -out ours.pem
[[ -f theirs.pem ]] || openssl genpkey -algorithm ed25519 -out theirs.pem
# release NAME VERSION KEY
release() {
    sed -i "s/^version = .*/version = \"$2\"/" source/pyproject.toml
    "$PYTHON" source/systemd/make_release.py --key "$3" --machine "$(uname -m)" --python "${PYTHON_OF:-3.13}" \
        --wheels wheels
    mv "hush-$2-$(uname -m).run" "$1.run"
}
release one 0.1.0 ours.pem
release two 0.1.1 ours.pem
release strange 0.1.3 theirs.pem
sed -i 's/^    logs.set_up()$/    raise SystemExit("broken on purpose")/' source/companion/commands/serving.py
release three 0.1.2 ours.pem
rm -r source

#!/usr/bin/env bash
# share.sh FOLDER: everything the rig's guest needs. RIG is the rig's folder, RIG_DIR its scratch folder (built before),
# RIG_ARCH its machine, WHEELS may hold wheels that the rig itself doesn't need.
set -euo pipefail
SHARE=${1:?a folder} RIG=${RIG:?the folder with pi_rig.py} RIG_DIR=${RIG_DIR:?the scratch folder of the rig}
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
case ${RIG_ARCH:-amd64} in
    arm64) MACHINE=aarch64 BUILT=$RIG_DIR/wheelroot/wheels ;;
    *) MACHINE=x86_64 BUILT=$RIG_DIR/builder/wheels ;;
esac
pip() { python3 -m pip "$@" --quiet --no-index --find-links "$SHARE/wheels" --root-user-action ignore; }

mkdir -p "$SHARE/hush" "$SHARE/wheels"
git -C "$ROOT" archive HEAD | tar -x -C "$SHARE/hush"
cp "$BUILT"/*.whl "$SHARE/wheels"
[[ ! -d ${WHEELS:-} ]] || cp "$WHEELS"/*.whl "$SHARE/wheels"
# The rig keeps its Python packages in an environment of its own; on a Pi apt brings these to the system.
pip install --target "$SHARE/system" --python-version 3.13 --ignore-requires-python --only-binary=:all: \
    --platform "linux_$MACHINE" --platform "manylinux2014_$MACHINE" --platform "manylinux_2_28_$MACHINE" \
    --platform "manylinux_2_27_$MACHINE" picamera2 lgpio numpy==2.2.4
cp "$RIG"/overlay/opt/rig/{pykms.py,rig_udmabuf.py,rig_udmabuf.pth} "$SHARE/system"
tar -C "$SHARE/system" -cf "$SHARE/system.tar" . && rm -r "$SHARE/system"
# A version that comes up and one that doesn't, for the updates.
for version in 0.1.1 0.1.2; do
    cp -r "$SHARE/hush" "$SHARE/$version"
    sed -i "s/^version = .*/version = \"$version\"/" "$SHARE/$version/pyproject.toml"
    [[ $version == 0.1.1 ]] || sed -i 's/^    logs.set_up()$/    raise SystemExit("broken on purpose")/' \
        "$SHARE/$version/companion/commands/serving.py"
    python3 -m pip wheel --quiet --no-deps --no-index --find-links "$SHARE/wheels" -w "$SHARE/updates" "$SHARE/$version"
    rm -r "${SHARE:?}/$version"
done
cp "$ROOT"/tests/rig/{test.sh,*.py} "$SHARE"

#!/usr/bin/env bash
# Plays the whole life of a box in the rig: RIG is the rig's folder, RIG_DIR its scratch folder (built before).
set -euo pipefail
RIG=${RIG:?the folder with pi_rig.py} RIG_DIR=${RIG_DIR:?the scratch folder of the rig}
export RIG_DIR
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
SHARE=$(mktemp -d "$RIG_DIR/shareXXXXXX")
trap 'rm -rf "$SHARE"' EXIT
mkdir "$SHARE/hush" "$SHARE/wheels"
git -C "$ROOT" archive HEAD | tar -x -C "$SHARE/hush"
cp "$RIG_DIR"/builder/wheels/*.whl "$SHARE/wheels"
# Wheels the rig itself doesn't need.
[[ -d ${WHEELS:-} ]] && cp "$WHEELS"/*.whl "$SHARE/wheels"
cp "$RIG/overlay/opt/rig/pykms.py" "$SHARE"
cp "$ROOT"/tests/rig/{test.sh,guest.py,machine.py,player.py} "$SHARE"
status=0
nice -n 10 python3 "$RIG/pi_rig.py" run "$SHARE" --timeout "${PATIENCE:-3000}" || status=$?
mkdir -p "$RIG_DIR/report"
cp "$SHARE"/*.txt "$SHARE"/*.zip "$RIG_DIR/report" 2>/dev/null || true
exit "$status"

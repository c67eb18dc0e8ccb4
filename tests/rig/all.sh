#!/usr/bin/env bash
# all.sh DIR: the whole list of docs/dev/rig.md on the commit that is checked out, in DIR; what was seen is in DIR/*/report.
# RIG, RIG_DIR (built before) and WHEELS as for image.sh. Two machines run side by side, for about an hour.
set -euo pipefail
DIR=$(realpath -m "${1:?a folder}") HERE=$(cd "$(dirname "$0")" && pwd)
RIG=${RIG:?the folder with pi_rig.py} BUILT=${RIG_DIR:?the scratch folder of the rig}
export RIG

prepare() {
    for kind in full bare; do
        RIG_DIR=$BUILT "$HERE/image.sh" "$DIR/$kind" "$kind"
        RIG_DIR=$DIR/$kind "$RIG/pi_rig.py" snapshot
    done
    (cd "$HERE/../.." && .venv/bin/python -m tests.rig.story "$DIR/full/share/stories")
    cp -r "$DIR/full/share/stories" "$DIR/bare/share"
    # A machine of its own for the second lane, on the same disk.
    mkdir -p "$DIR/second"
    cp -r --reflink=auto "$DIR"/full/{share,vmlinuz,initrd.gz,snap.qcow2} "$DIR/second"
    cp --reflink=auto "$DIR/full/disk.raw" "$DIR/second"
}

under_the_camera() { RIG_DIR=$DIR/full "$HERE/run.sh" similo-camera silencio-camera; }

by_buttons() {
    local failed=0
    mkdir -p "$DIR/second/report"
    RIG_DIR=$BUILT "$HERE/container.sh" 2>&1 | tee "$DIR/second/report/container.txt" || failed=1
    RIG_DIR=$DIR/bare "$HERE/run.sh" install || failed=1
    RIG_DIR=$DIR/second "$HERE/run.sh" cisza silencio similo silentes cruel updates || failed=1
    return "$failed"
}

git -C "$HERE" log -1 --oneline
prepare
failed=0
under_the_camera >"$DIR/camera.log" 2>&1 &
camera=$!
by_buttons 2>&1 | tee "$DIR/buttons.log" || failed=1
wait "$camera" || failed=1
cat "$DIR/camera.log"
exit "$failed"

#!/usr/bin/env bash
# image.sh DIR: a rig in DIR on whose disk Hush is installed already, so that a stage needn't wait for the emulated
# machine to do it. image.sh DIR bare: one with what apt would have brought and a checkout, and no Hush, for `install`.
# image.sh DIR layer RELEASE.run: one made by the recipe of the SD image, its packages and its hooks, for `first_boot`.
# Needs root; RIG, RIG_DIR, RIG_ARCH and WHEELS as for share.sh. Then: RIG_DIR=DIR pi_rig.py snapshot (but for `layer`).
set -euo pipefail
DIR=${1:?a folder} KIND=${2:-full} HERE=$(cd "$(dirname "$0")" && pwd)
RIG=${RIG:?the folder with pi_rig.py} RIG_DIR=${RIG_DIR:?the scratch folder of the rig}
export RIG RIG_DIR
ROOT=$DIR/root
rm -rf "$ROOT" "$DIR/share" "$DIR/snap.qcow2"
mkdir -p "$DIR"
"$HERE/share.sh" "$DIR/share"
cp -a "$RIG_DIR/root" "$ROOT"
tar -C "$ROOT/usr/lib/python3/dist-packages" -xf "$DIR/share/system.tar"
cp -r "$DIR/share/hush" "$ROOT/root/hush"
cp -r "$DIR/share/wheels" "$ROOT/root/wheels"
# The rig's pins and its Pi revision are made by a unit, a Pi's are there from the start; and its kernel for arm64 has
# no /dev/dma_heap, in whose place the rig lends picamera2 another device.
mkdir -p "$ROOT/etc/systemd/system/hush.service.d"
printf '[Unit]\nAfter=rig-gpio.service\n[Service]\nDeviceAllow=/dev/udmabuf rw\n' \
    >"$ROOT/etc/systemd/system/hush.service.d/rig.conf"
# inside WORDS...: a shell's words, run as root in that system.
# shellcheck disable=SC2016 # expanded by the shells inside
inside() {
    unshare -m sh -ec 'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; exec chroot "$0" sh -ec "$@"' "$ROOT" \
        "export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root QEMU_CPU=cortex-a72 DEBIAN_FRONTEND=noninteractive; $1" "${@:2}"
}
# As apt would have done.
inside 'python3 -m compileall -q /usr/lib/python3/dist-packages >/dev/null || true'
# shellcheck disable=SC2016
if [[ $KIND == layer ]]; then
    IGconf_hush_release=$(realpath "${3:?a release file}")
    export IGconf_hush_release
    # shellcheck source=tests/rig/recipe.sh
    . "$HERE/recipe.sh"
    cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
    inside 'apt-get update -qq; apt-get install -qq -y --no-install-recommends "$@" >/dev/null' layer "${PACKAGES[@]}"
    for hook in "${HOOKS[@]}"; do
        # As mmdebstrap runs them: a shell's words, with the system's folder.
        unshare -m sh -ec 'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; eval "$0"' "$hook" "$ROOT"
    done
    no_secrets "$ROOT"
    rm -rf "$ROOT/root/hush"
elif [[ $KIND == full ]]; then
    inside '
    cd /root/hush
    systemd/install.sh --no-apt --no-start --wheels /root/wheels
    # What a game of a deck would learn when it first begins.
    export HOME=/var/lib/hush XDG_CACHE_HOME=/var/cache
    install -d -o hush -g hush -m 750 /var/cache/hush
    cd / && runuser -u hush -- /opt/hush/current/bin/python -c "
from companion.table.eye import Eye
from companion.table.hosts import HOSTS
for name in (\"silencio\", \"similo\"):
    Eye(name, HOSTS[name].game.options(players=2))
"
'
fi
rm -r "$ROOT/root/wheels"
cp "$RIG_DIR"/vmlinuz "$RIG_DIR"/initrd.gz "$DIR"
[[ ${RIG_ARCH:-amd64} != arm64 ]] || cp "$RIG_DIR/pi.dtb" "$DIR"
rm -f "$DIR/disk.raw"
mkfs.ext4 -q -F -O ^has_journal -d "$ROOT" -L root "$DIR/disk.raw" 4G >/dev/null
rm -rf "$ROOT"

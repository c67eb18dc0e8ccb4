#!/usr/bin/env bash
# wifi.sh RELEASE.run [PICTURES]: a stranger's way in the rig. The image's layer on plain Debian with NetworkManager and four simulated
# radios, booted in QEMU: first boot, the box's own Wi-Fi, its page, a wrong password, the right one, pairing by a code, the menu.
# Needs root, mmdebstrap, qemu-system-x86, python3-yaml, Chromium, and this project's environment in PYTHON (.venv/bin/python).
set -euo pipefail
IGconf_hush_release=$(realpath "${1:?a release file}") HERE=$(cd "$(dirname "$0")" && pwd)
PICTURES=$(realpath -m "${2:-/tmp/arriving}") PYTHON=${PYTHON:-$HERE/../../.venv/bin/python} PORT=${PORT:-18080}
export IGconf_hush_release
WORK=$(mktemp -d "${SCRATCH:-/var/tmp}/wifiXXXXXX")
trap 'rm -rf "$WORK"' EXIT
# shellcheck source=tests/rig/recipe.sh
. "$HERE/recipe.sh"
build_layer "$WORK/root" systemd-sysv,dbus,procps,curl,iproute2,udev,kmod,linux-image-amd64,network-manager,wpasupplicant,hostapd,udhcpc,wireless-regdb
install -m 755 "$HERE/wifi_radios.sh" "$WORK/root/usr/local/sbin/radios.sh"
cat >"$WORK/root/etc/systemd/system/radios.service" <<'TEXT'
[Unit]
After=systemd-udevd.service local-fs.target
Before=NetworkManager.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/bash /usr/local/sbin/radios.sh
TEXT
cat >"$WORK/root/etc/systemd/system/probe.service" <<'TEXT'
[Service]
ExecStart=/bin/sh -c 'modprobe 9pnet_virtio; mkdir -p /rig; mount -t 9p -o trans=virtio,version=9p2000.L share /rig; bash /rig/guest.sh >/rig/out 2>&1; sync; poweroff -f'
TEXT
for unit in radios probe; do ln -s "../$unit.service" "$WORK/root/etc/systemd/system/multi-user.target.wants/"; done
mkdir -p "$WORK/share" "$PICTURES"
cp "$HERE/wifi_guest.sh" "$WORK/share/guest.sh"
cp "$HERE/wifi_record.py" "$WORK/share"
cp "$WORK"/root/boot/vmlinuz-* "$WORK/vmlinuz"
cp "$WORK"/root/boot/initrd.img-* "$WORK/initrd"
truncate -s 4G "$WORK/disk.img"
mke2fs -q -t ext4 -d "$WORK/root" "$WORK/disk.img"
rm -rf "$WORK/root"
qemu-system-x86_64 -accel tcg,thread=multi -cpu Nehalem -smp 2 -m 1500 -display none -serial "file:$WORK/console" \
    -kernel "$WORK/vmlinuz" -initrd "$WORK/initrd" -append 'root=/dev/vda rw console=ttyS0 quiet' \
    -drive "file=$WORK/disk.img,if=virtio,format=raw" -virtfs "local,path=$WORK/share,mount_tag=share,security_model=none" \
    -nic "user,model=virtio-net-pci,hostfwd=tcp:127.0.0.1:$PORT-:8080,hostfwd=tcp:127.0.0.1:$((PORT + 1))-:80" &
MACHINE=$!
(cd "$HERE/../.." && "$PYTHON" -m tests.rig.wifi_phone "$WORK/share" "$PORT" "$PICTURES") | tee "$WORK/phone" ||
    { cat "$WORK/share/out"; kill "$MACHINE"; exit 1; }
wait "$MACHINE"
cat "$WORK/share/out"
cp "$WORK/share/nmcli.json" "$PICTURES"
grep -q '^the end' "$WORK/share/out" && ! grep -q '^FAIL' "$WORK/phone" "$WORK/share/out"

# shellcheck shell=sh
# Runs in the guest as root, in the shared folder, once after each start of the machine.
mkdir -p /var/lib/rig
STAGE=$(cat /var/lib/rig/stage 2>/dev/null || cat stage)
if [ "$STAGE" = install ]; then
    SYSTEM=$(python3 -c 'import sysconfig; print(sysconfig.get_path("purelib", "deb_system"))')
    tar -C "$SYSTEM" -xf system.tar || exit 1
    # As apt would have done.
    python3 -m compileall -q "$SYSTEM" >/dev/null
    echo "the system has its packages, uptime $(cut -d' ' -f1 /proc/uptime)"
    mkdir -p /etc/systemd/system/hush.service.d
    printf '[Unit]\nAfter=rig-gpio.service\n[Service]\nDeviceAllow=/dev/udmabuf rw\n' \
        >/etc/systemd/system/hush.service.d/rig.conf
    cp -r hush /root/hush
    (cd /root/hush && systemd/install.sh --no-apt --wheels /rig-share/wheels) || exit 1
    echo "installed, uptime $(cut -d' ' -f1 /proc/uptime)"
fi
PYTHON=/opt/hush/current/bin/python
[ -x $PYTHON ] || PYTHON=/usr/bin/python3
$PYTHON guest.py "$STAGE"
status=$?
journalctl -u hush -u hush-shutdown -o short-monotonic --no-pager >"journal-$STAGE.txt" 2>/dev/null
exit $status

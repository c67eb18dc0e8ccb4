# Runs in the guest as root, in the shared folder, once after each start of the machine.
mkdir -p /var/lib/rig
STAGE=$(cat /var/lib/rig/stage 2>/dev/null || echo prepare)
if [ "$STAGE" = prepare ]; then
    # The rig keeps its Python packages in an environment of its own; on a Pi apt brings these to the system.
    SYSTEM=$(python3 -c 'import sysconfig; print(sysconfig.get_path("purelib", "deb_system"))')
    /opt/app/bin/pip install -q --no-index --find-links wheels --target "$SYSTEM" picamera2 lgpio numpy==2.2.4 || exit 1
    cp pykms.py "$SYSTEM"
    echo "the system has its packages, uptime $(cut -d' ' -f1 /proc/uptime)"
    cp -r hush /root/hush
    (cd /root/hush && systemd/install.sh --no-apt --wheels /rig-share/wheels) || exit 1
    echo "installed, uptime $(cut -d' ' -f1 /proc/uptime)"
    echo first >/var/lib/rig/stage
    STAGE=first
fi
PYTHON=/opt/hush/current/bin/python
[ -x $PYTHON ] || PYTHON=/usr/bin/python3
$PYTHON guest.py "$STAGE"
status=$?
journalctl -u hush -u hush-shutdown -o short-monotonic --no-pager >"journal-$STAGE.txt" 2>/dev/null
exit $status

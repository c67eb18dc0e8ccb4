#!/usr/bin/env bash
# Runs in the guest as root, beside a box at its first boot: a phone that finds the box's own Wi-Fi, and later moves home. The
# host's browser speaks through that phone; files in /rig say how far each has come.
mode() { python3 -c 'import json; print(json.load(open("/run/hush-network/status.json"))["mode"])' 2>/dev/null; }
until_mode() { until [[ $(mode) == "$1" ]]; do sleep 1; done; }
in_phone() { ip netns exec phone "$@"; }
# phone_joins: by what is in /run/phone.conf; it gets its address from the network.
phone_joins() {
    # By its number: NetworkManager has one of the same name.
    [[ ! -e /run/phone.pid ]] || kill "$(cat /run/phone.pid)"
    in_phone ip addr flush dev wlan2
    in_phone wpa_supplicant -B -i wlan2 -c /run/phone.conf -D nl80211 -P /run/phone.pid >/dev/null
    until in_phone iw dev wlan2 link | grep -q Connected; do sleep 1; done
    until in_phone udhcpc -n -q -t 20 -i wlan2 -s /usr/local/sbin/udhcpc.sh; do sleep 1; done
    echo "the phone has $(in_phone ip -4 -br addr show wlan2)"
}
# Not in /run, where nothing may be run.
cat >/usr/local/sbin/udhcpc.sh <<'TEXT'
#!/bin/sh
[ "$1" != bound ] || ip addr replace "$ip/24" dev "$interface"
TEXT
chmod +x /usr/local/sbin/udhcpc.sh
cat >/run/proxy.py <<'TEXT'
import asyncio, pathlib
async def pass_on(reader, writer):
    try:
        while part := await reader.read(65536):
            writer.write(part)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()
async def serve(reader, writer):
    try:
        there, back = await asyncio.wait_for(asyncio.open_connection(pathlib.Path("/run/target").read_text().strip(), 8080), 10)
    except (OSError, asyncio.TimeoutError):
        writer.close()
        return
    await asyncio.gather(pass_on(reader, back), pass_on(there, writer))
async def main():
    async with await asyncio.start_server(serve, "10.0.2.15", 8080) as server:
        await server.serve_forever()
asyncio.run(main())
TEXT
until_mode hotspot
echo "the box's own Wi-Fi is open, $(cut -d. -f1 /proc/uptime) s after the start"
until curl -fsS -m 20 -o /dev/null http://127.0.0.1:8080/; do sleep 2; done
echo "the page answers, $(cut -d. -f1 /proc/uptime) s after the start; $(systemctl show -P StatusText hush.service)"
companion address >/run/card
name=$(sed -n 's/.*Wi-Fi of the box: \(.*\), password: .*/\1/p' /run/card) password=$(sed -n 's/.*password: //p' /run/card)
[[ $name && $password ]] && echo 'ok   companion address tells the Wi-Fi and its password'
grep -q 'http://10.42.0.1:8080/' /run/card && echo 'ok   and where the page is on it'
printf 'network={\n ssid="%s"\n psk="%s"\n}\n' "$name" "$password" >/run/phone.conf
phone_joins
cable=$(in_phone sh -c 'cd /sys/class/net && echo e*')
in_phone ip addr add 10.0.2.15/24 dev "$cable"
in_phone ip link set "$cable" up
in_phone ip route add default via 10.0.2.2
echo 10.42.0.1 >/run/target
in_phone python3 /run/proxy.py &
until in_phone curl -fsS -m 20 -o /dev/null http://10.0.2.15:8080/; do sleep 1; done
touch /rig/on-the-own-wifi
until_mode wifi
echo "the box has joined: $(ip -4 -br addr show wlan0)"
printf 'network={\n ssid=436166e93a205c20223122\n psk=" cor\\rect "horse" ;#="\n}\n' >/run/phone.conf
phone_joins
ip -4 -o addr show wlan0 | grep -o '192\.168\.77\.[0-9]*' | head -n 1 >/run/target
companion pair | grep -o '[0-9]\{4\} [0-9]\{4\}' >/rig/code.new
mv /rig/code.new /rig/code
until [[ -e /rig/done ]]; do sleep 1; done
found=$(journalctl -b --no-pager | grep -c -F -e "$password" -e horse)
[[ $found == 0 ]] && echo 'ok   no password is in the journal'
[[ $(cat /var/lib/hush/hush.db* | grep -a -c -F -e "$password" -e horse) == 0 ]] && echo 'ok   nor in the record'
[[ $(stat -c '%a %U %G' /run/hush-network/status.json) == '640 root hush' ]] && echo 'ok   the password is for root and the service alone'
journalctl -b -u hush-network --no-pager -o cat | grep -v '^Start\|^Finish\|Deactivated'
systemctl --failed --no-legend

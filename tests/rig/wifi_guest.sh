#!/usr/bin/env bash
# Runs in the guest as root, beside a box at its first boot: a phone that finds the box's own Wi-Fi, and later moves home. The
# host's browser speaks through that phone; files in /rig say how far each has come.
# ok NAME COMMAND...: the command must succeed.
ok() {
    local name=$1
    shift
    if "$@" >/run/said 2>&1; then echo "ok   $name ($(uptime_of) s)"; else echo "FAIL $name: $(tail -n 5 /run/said)"; fi
}
not() { ! "$@"; }
uptime_of() { cut -d. -f1 /proc/uptime; }
mode() { python3 -c 'import json; print(json.load(open("/run/hush-network/status.json"))["mode"])' 2>/dev/null; }
until_mode() { until [[ $(mode) == "$1" ]]; do sleep 1; done; }
in_phone() { ip netns exec phone "$@"; }
# phone_joins: by what is in /run/phone.conf; it gets its address from the network, and asks that network for names.
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
[ "$1" = bound ] || exit 0
ip addr replace "$ip/24" dev "$interface"
mkdir -p /etc/netns/phone
echo "nameserver ${dns%% *}" >/etc/netns/phone/resolv.conf
TEXT
chmod +x /usr/local/sbin/udhcpc.sh
cat >/run/proxy.py <<'TEXT'
import asyncio, functools, pathlib
async def pass_on(reader, writer):
    try:
        while part := await reader.read(65536):
            writer.write(part)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()
async def serve(port, reader, writer):
    try:
        there, back = await asyncio.wait_for(asyncio.open_connection(pathlib.Path("/run/target").read_text().strip(), port), 10)
    except (OSError, asyncio.TimeoutError):
        writer.close()
        return
    await asyncio.gather(pass_on(reader, back), pass_on(there, writer))
async def main():
    servers = [await asyncio.start_server(functools.partial(serve, port), "10.0.2.15", port) for port in (80, 8080)]
    await asyncio.gather(*(server.serve_forever() for server in servers))
asyncio.run(main())
TEXT
# checks URL: what a phone's own check of the Wi-Fi hears, as a status and where it's sent.
checks() { in_phone curl -sS -m 60 -A 'CaptiveNetworkSupport-1 wispr' -o /run/heard -w '%{http_code} %{redirect_url}\n' "$1"; }
hears() { checks "$1" | tee /dev/stderr | grep -qx -e "$2"; }

until_mode hotspot
echo "the box's own Wi-Fi is open, $(uptime_of) s after the start"
until curl -fsS -m 20 -o /dev/null http://127.0.0.1:8080/; do sleep 2; done
echo "the page answers, $(uptime_of) s after the start; $(systemctl show -P StatusText hush.service)"
companion address >/run/card
name=$(sed -n 's/.*Wi-Fi of the box: \(.*\), password: .*/\1/p' /run/card) password=$(sed -n 's/.*password: //p' /run/card)
ok 'companion address tells the Wi-Fi and its password' test "$name" -a "$password"
ok 'and where the page is on it' grep -q 'http://10.42.0.1:8080/' /run/card
printf 'network={\n ssid="%s"\n psk="%s"\n}\n' "$name" "$password" >/run/phone.conf
phone_joins
# The way of phones' own checks, before anybody has seen the page.
apple=http://captive.apple.com/hotspot-detect.html google=http://connectivitycheck.gstatic.com/generate_204
ok 'a phone that asks whether the Wi-Fi leads anywhere is led to the box' hears "$apple" '302 http://10.42.0.1/'
ok 'one of another maker, too' hears "$google" '302 http://10.42.0.1/'
ok 'and from there to the page' hears http://10.42.0.1/ '302 http://10.42.0.1:8080/'
ok 'a check alone is no visit: it is led there again' hears "$apple" '302 http://10.42.0.1/'
ok 'no other name leads to the box' not in_phone getent ahostsv4 example.org
ok "the page answers to its own names alone" sh -c "ip netns exec phone curl -sS -m 60 http://captive.apple.com:8080/ | grep -q wrong_host"
ok "port 80 is open on the box's own network alone" test "$(ss -Hltn sport = :80 | tr -s ' ' | cut -d' ' -f4)" = 10.42.0.1:80
cable=$(in_phone sh -c 'cd /sys/class/net && echo e*')
in_phone ip addr add 10.0.2.15/24 dev "$cable"
in_phone ip link set "$cable" up
in_phone ip route add default via 10.0.2.2
echo 10.42.0.1 >/run/target
in_phone python3 /run/proxy.py &
until in_phone curl -fsS -m 20 -o /dev/null http://10.0.2.15:8080/; do sleep 1; done
touch /rig/on-the-own-wifi
until [[ -e /rig/led ]]; do sleep 1; done
ok 'once its browser was there, the phone hears what it hopes for' hears "$apple" '200 '
ok 'in its own words' grep -q Success /run/heard
ok 'one of another maker, too' hears "$google" '204 '
until_mode wifi
echo "the box has joined: $(ip -4 -br addr show wlan0)"
ok 'nothing of the way to the page is left' test ! -e /etc/NetworkManager/dnsmasq-shared.d/hush.conf -a -z "$(ss -Hltn sport = :80)"
printf 'network={\n ssid=436166e93a205c20223122\n psk=" cor\\rect "horse" ;#="\n}\n' >/run/phone.conf
phone_joins
ip -4 -o addr show wlan0 | grep -o '192\.168\.77\.[0-9]*' | head -n 1 >/run/target
companion pair | grep -o '[0-9]\{4\} [0-9]\{4\}' >/rig/code.new
mv /rig/code.new /rig/code
until [[ -e /rig/done ]]; do sleep 1; done
ok 'no password is in the journal' not sh -c "journalctl -b --no-pager | grep -q -F -e '$password' -e horse"
ok 'nor in the record' not sh -c "cat /var/lib/hush/hush.db* | grep -a -q -F -e '$password' -e horse"
ok 'the password is for root and the service alone' test "$(stat -c '%a %U %G' /run/hush-network/status.json)" = '640 root hush'
journalctl -b -u hush-network -u hush-portal --no-pager -o cat | grep -v '^Start\|^Finish\|Deactivated'
systemctl --failed --no-legend
python3 /rig/wifi_record.py
echo 'the end'

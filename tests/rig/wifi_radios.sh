#!/usr/bin/env bash
# Runs in the guest before NetworkManager: four simulated radios. The first is the box's; two routers at home have the second and the
# last and a phone the third, each in a network namespace of its own, so that what they say goes through the air.
modprobe mac80211_hwsim radios=4
for place in home phone; do
    ip netns add "$place"
    ip -n "$place" link set lo up
done
udevadm settle
mapfile -t radios < <(find /sys/class/ieee80211 -name 'phy*' -printf '%f\n' | sort -V)
iw phy "${radios[1]}" set netns name home
iw phy "${radios[2]}" set netns name phone
iw phy "${radios[3]}" set netns name home
# The cable to the host is the phone's: the browser that drives the phone is there.
for cable in /sys/class/net/e*; do ip link set "$(basename "$cable")" netns phone; done
# A name with a byte that is no letter, quotes, a backslash, a colon and a line break; a password of the same kind.
cat >/run/home.conf <<'TEXT'
interface=wlan1
driver=nl80211
ssid2=P"Caf\xe9: \\ \"1\""
hw_mode=g
channel=1
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase= cor\rect "horse" ;#=
TEXT
ip netns exec home hostapd -B -P /run/home.hostapd.pid /run/home.conf
# And a plain one beside it, for the manual's pictures.
printf '%s\n' interface=wlan3 driver=nl80211 ssid=Home hw_mode=g channel=11 wpa=2 wpa_key_mgmt=WPA-PSK rsn_pairwise=CCMP \
    wpa_passphrase=never-asked-for >/run/plain.conf
ip netns exec home hostapd -B /run/plain.conf
ip -n home addr add 192.168.77.1/24 dev wlan1
ip netns exec home dnsmasq --conf-file=/dev/null --port=0 --interface=wlan1 --dhcp-range=192.168.77.10,192.168.77.50 \
    --dhcp-leasefile=/run/home.leases --pid-file=/run/home.pid

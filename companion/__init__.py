"""The companion: the rules, the record and the running table of four silent games."""

#!/usr/bin/env bash
# Open Policy Agent 1.22.4
# Behavior: net.cidr_merge takes addresses without a prefix, and gives each the mask of its class
# from before 1993: 10.0.0.1 counts as 10.0.0.0/8, 192.168.1.5 as 192.168.1.5/24. Two hosts of an
# access list become a network of 16 million addresses, so a rule that merges before it judges
# sees an open network. With /32 the two hosts stay apart. net.cidr_contains takes a bare address as
# one host.
# Output seen:
#   [["10.0.0.0/8"],["192.168.1.5/24"],["10.0.0.1/32","10.200.0.1/32"],true]
. "$(dirname "$0")/lib.sh"

go_install github.com/open-policy-agent/opa@v1.22.4
seen=$(bin/opa eval --format raw '[
  net.cidr_merge(["10.0.0.1", "10.200.0.1"]),
  net.cidr_merge(["192.168.1.5"]),
  net.cidr_merge(["10.0.0.1/32", "10.200.0.1/32"]),
  net.cidr_contains("10.0.0.1/32", "10.0.0.1"),
]')
equals "$seen" '[["10.0.0.0/8"],["192.168.1.5/24"],["10.0.0.1/32","10.200.0.1/32"],true]'

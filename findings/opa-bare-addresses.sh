#!/usr/bin/env bash
# Open Policy Agent 1.22.4
# Behavior: net.cidr_merge takes addresses without a prefix, and gives each the mask of its class
# from before 1993: 10.0.0.1 counts as 10.0.0.0/8, 192.168.1.5 as 192.168.1.5/24. Two hosts of an
# access list come out as a network of 16 million addresses, so that a rule which merges first and
# judges then sees open networks where there are two hosts. With /32 the same hosts stay apart.
# net.cidr_contains takes the same bare address as one host.
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

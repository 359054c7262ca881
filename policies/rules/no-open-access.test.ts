import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { noOpenAccess } from "./no-open-access";

const access = (...sources: unknown[]) => ({
  ipAccessList: sources.map((source) => (source === UNKNOWN ? UNKNOWN : { source })),
});

describePolicy(noOpenAccess, [
  [
    "sees the whole internet behind an unknown entry",
    service(access(UNKNOWN, "0.0.0.0/0")),
    ["lets in everybody, by 0.0.0.0/0"],
    ["an entry of ipAccessList is not known yet"],
  ],
  [
    "sees it behind an unknown source",
    service({ ipAccessList: [{ source: UNKNOWN, description: "x" }, { source: "::/0" }] }),
    ["everybody, by ::/0"],
    ["an entry of ipAccessList is not known yet"],
  ],
  ["sees it in another spelling", service(access("203.0.113.7/0")), ["lets in everybody"]],
  [
    "has a widest network",
    service(access("10.0.0.0/7", "10.0.0.0/8", "2001:db8::/31", "2001:db8::/32")),
    [
      "wider than /8, the setting widestPrefix, by 10.0.0.0/7",
      "wider than /32, the setting widestPrefixIpv6, by 2001:db8::/31",
    ],
  ],
  [
    "has another one by stack",
    service(access("203.0.113.0/24"), { settings: { byStack: { dev: { widestPrefix: 28 } } } }),
    ["wider than /28, the setting widestPrefix for stacks dev"],
  ],
  [
    "allows what the settings name, in any spelling",
    service(access("0.0.0.0/0", "10.1.2.3/4"), { settings: { allow: ["0.0.0.0/0", "0.0.0.0/4"] } }),
    [],
  ],
  [
    "does not take a length of 0 for a setting",
    service(access("0.0.0.0/0"), { settings: { widestPrefix: 0 } }),
    ["everybody"],
  ],
  [
    "says what is malformed",
    service(access("office", "203.0.113.0/33")),
    ['"office", which is no address', '"203.0.113.0/33", which is no address'],
  ],
  ["takes single addresses", service(access("203.0.113.7", "2001:db8::1")), []],
  [
    "sees IPv4 inside of IPv6",
    service(access("::ffff:0:0/96", "::/96", "64:ff9b::/96", "::ffff:8.0.0.0/103")),
    [
      "everybody, by ::ffff:0:0/96",
      "everybody, by ::/96",
      "everybody, by 64:ff9b::/96",
      "wider than /8, the setting widestPrefix, by ::ffff:8.0.0.0/103",
    ],
  ],
  ["takes one mapped address", service(access("::ffff:203.0.113.7")), []],
  ["needs no description", service({ ipAccessList: [{ source: "203.0.113.7", description: UNKNOWN }] }), []],
  [
    "keeps what is set for all stacks",
    service(access("2001:db8::/32", "10.1.2.3/4"), {
      settings: { widestPrefixIpv6: 48, allow: ["0.0.0.0/4"], byStack: { dev: { widestPrefix: 28 } } },
    }),
    ["wider than /48"],
  ],
]);

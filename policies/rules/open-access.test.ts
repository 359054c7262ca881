import {
  type Args,
  adopted,
  type Case,
  describePolicy,
  type Program,
  resources,
  secret,
  service,
  UNKNOWN,
} from "../../tests/support/policy";
import { noOpenAccess, noOpenAccessByOthers } from "./open-access";

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const list = (...sources: unknown[]) => ({
  ipAccessList: sources.map((source) => (source === UNKNOWN ? UNKNOWN : { source })),
});
const listing = (...sources: unknown[]): Program => service(list(...sources));
const withSettings = (settings: Args, ...sources: string[]): Program => ({
  ...listing(...sources),
  settings,
});
const allowing = (allow: string[], ...sources: string[]) => withSettings({ allow }, ...sources);
/** All networks of a prefix length of 8, in order. */
const eights = Array.from({ length: 256 }, (_, index) => `${index}.0.0.0/8`);
const everyone = { outputs: list("0.0.0.0/0") };

const open = (source: string) =>
  `${source} in ipAccessList allows the whole internet; list only the networks`;
const half = (source: string) =>
  `${source} in ipAccessList allows at least half of the internet; list only the`;
const wide = (source: string, prefix: number, setting: string) =>
  `${source} in ipAccessList allows a network wider than /${prefix}, the setting ${setting}`;
const inSum = (count: number, reason: string) =>
  `the ${count} entries of ipAccessList together allow ${reason}`;
const UNKNOWN_ENTRY = "an entry of ipAccessList is not known yet";

describePolicy(noOpenAccess, [
  [
    "reports an open network next to an unknown entry",
    listing(UNKNOWN, "::/0"),
    [open("::/0")],
    [UNKNOWN_ENTRY],
  ],
  [
    "reports an unknown source",
    service({ ipAccessList: [{ source: UNKNOWN }] }),
    [],
    [UNKNOWN_ENTRY],
  ],
  [
    "has a maximum width of networks",
    listing("10.0.0.0/7", "10.0.0.0/8", "2001:db8::/31", "2001:db8::/32"),
    [wide("10.0.0.0/7", 8, "widestPrefix;"), wide("2001:db8::/31", 32, "widestPrefixIpv6;")],
  ],
  [
    "keeps the settings for all stacks beside those of the stack",
    withSettings(
      { widestPrefixIpv6: 48, byStack: { dev: { widestPrefix: 28 } } },
      "2001:db8::/32",
      "203.0.113.0/24",
    ),
    [
      wide("2001:db8::/32", 48, "widestPrefixIpv6;"),
      wide("203.0.113.0/24", 28, "widestPrefix for stacks dev"),
    ],
  ],
  [
    "allows networks, in any spelling",
    allowing(["0.0.0.0/0", "0.0.0.0/4"], "0.0.0.0/0", "10.1.2.3/4"),
    [],
  ],
  [
    "takes a prefix length of 0 for a setting",
    withSettings({ widestPrefix: 0 }, "0.0.0.0/0"),
    [open("0.0.0.0/0")],
  ],
  [
    "reports invalid sources",
    listing("203.0.113.7", "canary-token", "203.0.113.0/33"),
    [
      'Service "analytics": ipAccessList[1].source is not an IP address or CIDR network; use one such as 203.0.113.0/24.',
      "ipAccessList[2].source is not an IP address or CIDR network",
    ],
  ],
  ["takes single addresses", listing("203.0.113.7", "2001:db8::1", "::ffff:203.0.113.7"), []],
  // facts/networks.test.ts has all spellings of everyone.
  [
    "recognizes IPv4 embedded in IPv6",
    listing("::ffff:0:0/96", "::/80", "::ffff:8.0.0.0/103"),
    [open("::ffff:0:0/96"), open("::/80"), wide("::ffff:8.0.0.0/103", 8, "widestPrefix;")],
  ],
  [
    "takes an unspecified address for everyone",
    listing("0.0.0.0", "::"),
    [open("0.0.0.0"), open("::")],
  ],
  ["allows it by its own name", allowing(["0.0.0.0", "::"], "0.0.0.0/32", "0::0"), []],
  ["allows it with every address", allowing(["0.0.0.0/0", "::/0"], "0.0.0.0", "::"), []],
  [
    "allows nothing else by its name",
    allowing(["0.0.0.0"], "0.0.0.0/0", "1.0.0.0/4", "::ffff:0.0.0.0", "::"),
    [open("0.0.0.0/0"), wide("1.0.0.0/4", 8, "widestPrefix"), open("::ffff:0.0.0.0"), open("::")],
  ],
  ...["0.0.0.0/8", "::/96", "::/3"].map(
    (allowed): Case => [
      `does not allow it by the network ${allowed} that contains it`,
      allowing([allowed], "0.0.0.0", "::"),
      [open("0.0.0.0"), open("::")],
    ],
  ),
  [
    "needs no description",
    service({ ipAccessList: [{ source: "203.0.113.7", description: UNKNOWN }] }),
    [],
  ],
  ["takes 6to4 for the IPv4 addresses that it stands for", listing("2002:cb00:7100::/40"), []],
  ["refuses too many IPv4 addresses in 6to4", listing("2002:c000::/20"), ["wider than /8"]],
  [
    "adds up a list",
    listing(...eights),
    [inSum(256, "the whole internet; list only the networks")],
  ],
  [
    "takes half of the internet for all of it, whatever the width of a network may be",
    withSettings({ widestPrefix: 0, widestPrefixIpv6: 0 }, "128.0.0.0/1", "3000::/4"),
    [half("128.0.0.0/1"), half("3000::/4")],
  ],
  [
    "adds up to half of the internet, whatever the width of a list may be",
    withSettings({ widestPrefix: 0, widestTotal: 0 }, "0.0.0.0/2", "192.0.0.0/2"),
    [inSum(2, "at least half of the internet; list only the networks")],
  ],
  [
    "takes less than half",
    withSettings({ widestPrefix: 0, widestTotal: 0 }, "0.0.0.0/2", "192.0.0.0/3"),
    [],
  ],
  ["allows half of the internet by name", allowing(["128.0.0.0/1"], "128.0.0.0/1"), []],
  [
    "adds up overlapping entries once",
    listing("10.0.0.0/8", "10.1.0.0/16", ...eights.slice(16, 32)),
    [
      inSum(
        18,
        "as many IPv4 addresses as a /3.91 network, wider than /4, the setting widestTotal;",
      ),
    ],
  ],
  ["takes a list that is as wide as the setting", listing(...eights.slice(16, 32)), []],
  [
    "adds up IPv6",
    listing(...Array.from({ length: 17 }, (_, index) => `2a00:${index.toString(16)}::/32`)),
    [
      inSum(
        17,
        "as many IPv6 addresses as a /27.91 network, wider than /28, the setting widestTotalIpv6",
      ),
    ],
  ],
  [
    "adds up both spellings of IPv4",
    listing(
      ...eights.slice(16, 25),
      ...eights.slice(25, 33).map((text) => `::ffff:${text.replace("/8", "/104")}`),
    ),
    [inSum(17, "as many IPv4 addresses")],
  ],
  ["does not add up allowed networks", allowing(["32.0.0.0/8"], ...eights.slice(16, 33)), []],
  [
    "lets one network be as wide as its setting",
    withSettings({ widestPrefix: 2 }, "64.0.0.0/2"),
    [],
  ],
  ...["64:ff9b::/96", "2002::/16", "::/8", "::/0"].map(
    (prefix): Case => [
      `allows translated networks in ${prefix} by name, and no IPv4 network behind them`,
      allowing([prefix], prefix, "0.0.0.0/0", "1.0.0.0/4"),
      [open("0.0.0.0/0"), wide("1.0.0.0/4", 8, "widestPrefix")],
    ],
  ),
  ["allows part of an allowed network", allowing(["0.0.0.0/4"], "10.0.0.0/5"), []],
  [
    "checks the current list of an adopted service",
    adopted({}, everyone.outputs),
    [
      `${open("0.0.0.0/0")} that need access, or add it to the setting allow. The program does not declare it; this is its current value.`,
    ],
  ],
  [
    "checks the current list if it is not declared anymore",
    service({}, everyone),
    [open("0.0.0.0/0")],
  ],
  ["checks a declared list instead", service({ ipAccessList: [] }, everyone), []],
  [
    "reports an undeclared list as unknown",
    adopted({}),
    [],
    ["ipAccessList is not declared and not known yet"],
  ],
  [
    "requires the list of a new service, and of one that may no longer declare it",
    service({}),
    [
      "ipAccessList is not declared and its value is not known; declare it, because the service may allow more than the program shows (an empty list allows no access).",
    ],
  ],
  [
    "requires it too where the preview of a native resource has an unknown output for it",
    service({}, { outputs: { ipAccessList: UNKNOWN } }),
    ["ipAccessList is not declared and its value is not known; declare it"],
  ],
  [
    "judges a ServiceAccess as it judges a Service",
    { resources: [resources.access({ serviceId: ID, ...list("0.0.0.0/0") }, "web")] },
    [`ServiceAccess "web": ${open("0.0.0.0/0")}`],
  ],
  [
    "adds up what a Service and the ServiceAccess resources for it allow",
    {
      resources: [
        resources.service({ existingServiceId: ID }),
        ...[0, 1, 2, 3].map((part) =>
          resources.access(
            { serviceId: ID, ...list(...eights.slice(part * 8, part * 8 + 8)) },
            `part ${part}`,
          ),
        ),
      ],
    },
    [
      'Service "analytics": the access of its service is open: the 32 entries of Service "analytics" and ServiceAccess "part 0"',
    ],
    ["ipAccessList is not declared and not known yet"],
  ],
]);

const OWN = { serviceId: ID, ...list("192.0.2.1") };
const withOutputs = (outputs: object, args: object = OWN) => ({
  resources: [{ ...resources.access({ ...args }), outputs: { ...args, ...outputs } }],
});

describePolicy(noOpenAccessByOthers, [
  [
    "names all open networks of others",
    withOutputs({ openSources: ["0.0.0.0/1", "128.0.0.0/1"] }),
    [
      'ServiceAccess "reporting": entries of others open its service to everyone: 0.0.0.0/1, 128.0.0.0/1; find out who added them, and have them removed.',
    ],
  ],
  [
    "says that a new resource has not looked yet",
    withOutputs({}),
    [],
    ["openSources, the open networks of others"],
  ],
  [
    "says that a preview does not know them",
    withOutputs({ openSources: UNKNOWN }),
    [],
    ["is not known yet"],
  ],
  [
    "shows none of them where the program's own are secret",
    withOutputs({ openSources: ["0.0.0.0/0"] }, { ...OWN, ipAccessList: secret(OWN.ipAccessList) }),
    ["entries of others open its service to everyone: [secret];"],
  ],
]);

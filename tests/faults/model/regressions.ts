import type { Scenario } from "./scenario";

/** Scenarios that once failed, in a release or in a change to one. */
export const regressions: Readonly<Record<string, Scenario>> = {
  "a creation applied behind a proxy error, then a crash before it is adopted": [
    {
      up: { first: {}, second: {} },
      fault: { effect: { kind: "status", status: 504, when: "after" }, skipped: 0, times: 1 },
    },
    { up: { first: { maxReplicaMemoryGb: 64 } }, fault: { networkFault: "crashes before", skipped: 0 } },
    { refresh: true },
  ],
  "a crash after a creation, and another name in the program": [
    { up: { first: {}, second: { privateEndpointIds: [] } }, fault: { networkFault: "crashes after", skipped: 0 } },
    { up: { first: { name: "first" } } },
    { drift: { slot: "first", body: { ipAccessList: { add: [] } } } },
  ],
  "an update that may have been applied, and a program that reverts it": [
    { up: { first: { name: "first", ipAccessList: [{ source: "198.51.100.7", description: "office" }] } } },
    {
      up: { first: { name: "first renamed", ipAccessList: [] } },
      fault: { effect: { kind: "reset", when: "after" }, skipped: 0, times: 1000 },
    },
    { up: { first: { name: "first", ipAccessList: [{ source: "198.51.100.7", description: "office" }] } } },
  ],
  "a crash after an organization was renamed, which cannot be read": [
    { up: { organization: { name: "two" } } },
    { up: { organization: { name: "one" } }, fault: { networkFault: "crashes after", skipped: 0 } },
    { refresh: true },
  ],
  "a crash after an organization was renamed, and a reverting update with nothing to send": [
    { up: { organization: { name: "two", privateEndpoints: [] } } },
    { up: { organization: { name: "one" } }, fault: { networkFault: "crashes after", skipped: 0 } },
    { up: { organization: { name: "two" } } },
    { refresh: true },
  ],
  "a crash after an organization was renamed, and an update whose response shows it": [
    { up: { organization: { name: "two" } } },
    { up: { organization: { name: "one" } }, fault: { networkFault: "crashes after", skipped: 0 } },
    { up: { organization: { name: "two", privateEndpoints: [{ id: "vpce-8", description: "the vpce-8" }] } } },
  ],
  "an update of an adopted service that fails halfway, and leaves its password null": [
    { up: { adopted: {} } },
    {
      up: { adopted: { name: "adopted" } },
      fault: {
        effect: { kind: "status", status: 503, headers: { "retry-after": "30" }, body: { error: "SLOW_DOWN" } },
        skipped: 0,
        times: 1000,
      },
    },
  ],
  "an entry whose change the server reverts, and a response with null for an empty list": [
    { variant: "null for an empty list" },
    {
      up: { adopted: { ipAccessList: [{ source: "198.51.100.7", description: "office" }] } },
      fault: { effect: { kind: "addFirst" }, skipped: 0, times: 1000 },
    },
    { up: {} },
  ],
};

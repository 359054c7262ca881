import type { Story } from "./story";

/** Stories that once came to a bad end, of a provider or of a change that was tried on it. */
export const kept: Readonly<Record<string, Story>> = {
  "a creation that was made and answered by a proxy, then a death before it is taken over": [
    {
      up: { first: {}, second: {} },
      mishap: { effect: { kind: "status", status: 504, when: "after" }, skipped: 0, times: 1 },
    },
    { up: { first: { maxReplicaMemoryGb: 64 } }, mishap: { trouble: "dies before", skipped: 0 } },
    { refresh: true },
  ],
  "a death after a creation, and another name in the program": [
    { up: { first: {}, second: { privateEndpointIds: [] } }, mishap: { trouble: "dies after", skipped: 0 } },
    { up: { first: { name: "first" } } },
    { drift: { slot: "first", body: { ipAccessList: { add: [] } } } },
  ],
  "a change of which nobody knows whether it was made, and a program that goes back": [
    { up: { first: { name: "first", ipAccessList: [{ source: "198.51.100.7", description: "office" }] } } },
    {
      up: { first: { name: "first renamed", ipAccessList: [] } },
      mishap: { effect: { kind: "reset", when: "after" }, skipped: 0, times: 1000 },
    },
    { up: { first: { name: "first", ipAccessList: [{ source: "198.51.100.7", description: "office" }] } } },
  ],
  "a death after an organization was renamed, which nobody can look at": [
    { up: { organization: { name: "two" } } },
    { up: { organization: { name: "one" } }, mishap: { trouble: "dies after", skipped: 0 } },
    { refresh: true },
  ],
  "a death after an organization was renamed, and an update that goes back and has nothing to send": [
    { up: { organization: { name: "two", privateEndpoints: [] } } },
    { up: { organization: { name: "one" } }, mishap: { trouble: "dies after", skipped: 0 } },
    { up: { organization: { name: "two" } } },
    { refresh: true },
  ],
  "a death after an organization was renamed, and an update whose answer shows that": [
    { up: { organization: { name: "two" } } },
    { up: { organization: { name: "one" } }, mishap: { trouble: "dies after", skipped: 0 } },
    { up: { organization: { name: "two", privateEndpoints: [{ id: "vpce-8", description: "the vpce-8" }] } } },
  ],
  "an entry whose change a server undoes, and an answer that shows an empty list as null": [
    { manner: "null for an empty list" },
    {
      up: { adopted: { ipAccessList: [{ source: "198.51.100.7", description: "office" }] } },
      mishap: { effect: { kind: "addFirst" }, skipped: 0, times: 1000 },
    },
    { up: {} },
  ],
};

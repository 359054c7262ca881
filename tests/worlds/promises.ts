import { isDeepStrictEqual } from "node:util";
import { UNCERTAIN } from "../../provider/lifecycle/remote-object";
import type { Properties } from "../contract/support";
import { CANARY, MASK } from "../second-server/manners";
import type { Sent } from "../support/network";
import { placesOf } from "../support/places";
import type { Server } from "./server";
import { ADOPTED, PIPE, SIZED, type Slot } from "./story";
import type { Member, Members } from "./world";

/** What has to hold after every step. */

/** Asked thousands of times a second: `expect` alone would take a tenth of the time. */
export function expectSame(found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted);
}

/** No secret, no trace, and of a failure one that ends in a sentence. */
export function expectClean({ keySecret }: Server, lines: readonly string[]): void {
  for (const line of lines) {
    for (const text of [keySecret, CANARY, MASK]) expect(line).not.toContain(text);
    expect(line).not.toMatch(/<html>|\n {4}at |undefined|\[object/);
    expect(line).toMatch(/\.$/);
  }
}

/** A creation that could have been received is not followed by another. */
export function expectOneCreation(requests: readonly Sent[]): void {
  const posts = requests.filter(({ request }) => request.startsWith("POST"));
  const couldHaveLanded = ({ status = 504 }: Sent) => status !== 0 && (status < 400 || status >= 500 || status === 408);
  expectSame(posts.slice(0, -1).filter(couldHaveLanded), []);
}

/** Services on the server = services in the state and those that the user was told about. */
export function holdsPromises(server: Server, members: Members): void {
  const organizationNow = server.organization();
  const { services } = organizationNow;
  const ids = services.map(({ id }) => String(id));
  const stored = [...members].flatMap(([slot, { stored }]) => (stored && isService(slot) ? [stored.id] : []));
  const lost = stored.filter((id) => !ids.includes(id));
  expectSame(lost, []);
  expectSame(new Set(stored).size, stored.length);
  const unknown = ids.filter((id) => ![...stored, ADOPTED, SIZED].includes(id));
  const told = [...members.values()].filter(({ stored, lostName, found }) => !stored && (lostName ?? found));
  if (unknown.length > told.length) throw new Error(`nobody knows of ${unknown}`);

  for (const [slot, member] of members) {
    if (member.stored === undefined) continue;
    const { id: storedId, inputs, outputs } = member.stored;
    expectSame([slot, placesOf(outputs, [CANARY, MASK])], [slot, []]);
    if (!isKnown(member)) continue;
    const found = {
      size: services.find(({ id }) => id === SIZED),
      pipe: services.flatMap(({ pipes }) => pipes as Properties[]).find(({ id }) => id === PIPE),
      organization: organizationNow as Properties,
    }[slot as string];
    expectDeclared(slot, inputs, found ?? services.find(({ id }) => id === storedId) ?? {});
  }
}

function isService(slot: Slot): boolean {
  return slot === "first" || slot === "second" || slot === "adopted";
}

/** Whether the server has to have what is declared: not after a failure, nor where nobody knows what became of a request. */
function isKnown({ stored, error, isDrifted }: Member): boolean {
  return !stored?.isPartial && error === undefined && !isDrifted && !stored?.outputs[UNCERTAIN];
}

const PLAIN = ["name", "numReplicas", "idleScaling", "maxReplicaMemoryGb"];
/** Lists by the part of an entry that tells it from others. */
const LISTS: Readonly<Record<string, (entry: never) => string>> = {
  ipAccessList: ({ source, description }: { source: string; description?: string }) =>
    `${source.replace(/\/(32|128)$/, "")} ${description ?? ""}`,
  privateEndpointIds: (id: string) => id,
  privateEndpoints: ({ id }: { id: string }) => id,
};

interface PipeParts {
  readonly settings?: Properties;
  readonly source?: { readonly postgres?: { readonly tableMappings?: readonly Properties[] } };
}

/** After a good command, the server has what was declared. An organization keeps what others have added. */
function expectDeclared(slot: Slot, inputs: Properties, found: Properties): void {
  for (const name of PLAIN) {
    if (inputs[name] !== undefined) expectSame([slot, name, found[name]], [slot, name, inputs[name]]);
  }
  for (const [name, keyOf] of Object.entries(LISTS)) {
    if (inputs[name] === undefined) continue;
    const [has = [], wanted = []] = [found[name], inputs[name]].map((list) => (list as never[]).map(keyOf).sort());
    if (slot === "organization") expectSame([slot, name, wanted.filter((key) => !has.includes(key))], [slot, name, []]);
    else expectSame([slot, name, has], [slot, name, wanted]);
  }
  const [declared, has] = [inputs as PipeParts, found as PipeParts];
  if (declared.settings?.streamingMaxInsertWaitMs !== undefined) {
    expectSame(has.settings?.streaming_max_insert_wait_ms, declared.settings.streamingMaxInsertWaitMs);
  }
  const tables = ({ source }: PipeParts) =>
    source?.postgres?.tableMappings?.map(({ sourceTable }) => sourceTable).sort();
  if (tables(declared)) expectSame(tables(has), tables(declared));
}

import { isDeepStrictEqual } from "node:util";
import { UNCERTAIN } from "../../../provider/core/reads";
import type { Properties } from "../../support/adapters/handlers";
import { findObject } from "../../support/example";
import type { SentRequest } from "../../support/network";
import { pathsContaining } from "../../support/paths-containing";
import { CANARY, MASK } from "../../support/variants/variants";
import type { ModelResource, ModelResources } from "./run";
import { ADOPTED, SCALED, type Slot } from "./scenario";
import type { Server } from "./server";

/** Invariants of every step. */

/** A fast comparison for thousands of calls a second: `expect` alone would take a tenth of the time. */
export function expectEqual(current: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(current, wanted)) expect(current).toEqual(wanted);
}

/** The number of times that scenarios have reached each message code, user action and crash. */
export const reached = new Map<string, number>();

export function reach(what: string): void {
  reached.set(what, (reached.get(what) ?? 0) + 1);
}

/** Expects complete sentences, no secret and no stack trace. */
export function expectReadable({ keySecret }: Server, lines: readonly string[]): void {
  for (const line of lines) {
    for (const text of [keySecret, CANARY, MASK]) expect(line).not.toContain(text);
    expect(line).not.toMatch(/<html>|\n {4}at |undefined|\[object/);
    expect(line).toMatch(/\. \[CDB\d{4}\]$/);
    reach(line.slice(-"CDB0000]".length, -1));
  }
}

/** Expects no second creation after one that the server may have received. */
export function expectOneCreation(requests: readonly SentRequest[]): void {
  const posts = requests.filter(({ request }) => request.startsWith("POST"));
  const mayHaveSucceeded = ({ status = 504 }: SentRequest) =>
    status !== 0 && (status < 400 || status >= 500 || status === 408);
  expectEqual(posts.slice(0, -1).filter(mayHaveSucceeded), []);
}

/** The services on the server are those in the state and those that an error has named. */
export function expectInvariants(server: Server, resources: ModelResources): void {
  const organization = server.organization();
  const { services } = organization;
  const ids = services.map(({ id }) => String(id));
  const stored = [...resources].flatMap(([slot, { stored }]) => (stored && isService(slot) ? [stored.id] : []));
  const lost = stored.filter((id) => !ids.includes(id));
  expectEqual(lost, []);
  expectEqual(new Set(stored).size, stored.length);
  const unknown = ids.filter((id) => ![...stored, ADOPTED, SCALED].includes(id));
  const known = [...resources.values()].filter(
    ({ stored, lostName, found: current }) => !stored && (lostName ?? current),
  );
  if (unknown.length > known.length) throw new Error(`neither state nor user knows ${unknown}`);

  const scaled = services.find(({ id }) => id === SCALED) as { ipAccessList?: unknown[] } | undefined;
  expectEqual(scaled?.ipAccessList?.[0], { source: "203.0.113.0/24", description: "office" });
  for (const [slot, resource] of resources) {
    if (resource.stored === undefined) continue;
    const { id: storedId, inputs, outputs } = resource.stored;
    expectEqual([slot, pathsContaining(outputs, [CANARY, MASK])], [slot, []]);
    if (!isSettled(resource)) continue;
    expectDeclaredValues(slot, inputs, findObject(organization, storedId) ?? {});
  }
}

function isService(slot: Slot): boolean {
  return slot === "first" || slot === "second" || slot === "adopted";
}

/** True if the server must have the declared values: not after a failure or an uncertain request. */
function isSettled({ stored, error, isDrifted }: ModelResource): boolean {
  return !stored?.isPartial && error === undefined && !isDrifted && !stored?.outputs[UNCERTAIN];
}

const SCALARS = ["name", "numReplicas", "idleScaling", "maxReplicaMemoryGb"];
/** The lists of a service, each with the key of an entry. */
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

/**
 * After a successful command, the server has the declared values. An organization and a shared access list keep the
 * entries of others.
 */
function expectDeclaredValues(slot: Slot, inputs: Properties, current: Properties): void {
  for (const name of SCALARS) {
    if (inputs[name] !== undefined) expectEqual([slot, name, current[name]], [slot, name, inputs[name]]);
  }
  for (const [name, keyOf] of Object.entries(LISTS)) {
    if (inputs[name] === undefined) continue;
    // Of an entry that others own, only the key is compared: its description is the owner's.
    const entryKey = slot === "access" ? (entry: never) => keyOf(entry).split(" ")[0] ?? "" : keyOf;
    const [has = [], wanted = []] = [current[name], inputs[name]].map((list) => (list as never[]).map(entryKey).sort());
    if (slot === "organization" || slot === "access")
      expectEqual([slot, name, wanted.filter((key) => !has.includes(key))], [slot, name, []]);
    else expectEqual([slot, name, has], [slot, name, wanted]);
  }
  const [declared, has] = [inputs as PipeParts, current as PipeParts];
  if (declared.settings?.streamingMaxInsertWaitMs !== undefined) {
    expectEqual(has.settings?.streaming_max_insert_wait_ms, declared.settings.streamingMaxInsertWaitMs);
  }
  const tables = ({ source }: PipeParts) =>
    source?.postgres?.tableMappings?.map(({ sourceTable }) => sourceTable).sort();
  if (tables(declared)) expectEqual(tables(has), tables(declared));
}

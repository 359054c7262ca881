import { isDeepStrictEqual } from "node:util";
import { UNCERTAIN } from "../../../provider/names";
import type { Properties } from "../../support/adapters/handlers";
import { isAccess, nameIn, type StateResource, typeIn } from "../../support/engine/state";
import { findObject, pathsContaining } from "../../support/example";
import { CANARY, MASK } from "../../support/variants/variants";
import type { Api, Sent } from "./api";
import { SCALED } from "./scenario";
import type { Side } from "./world";

/** The invariants of messages, requests and values. */

/**
 * A fast comparison for thousands of calls a second: `expect` alone would take a tenth of the time.
 */
export function expectEqual(current: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(current, wanted)) expect(current).toEqual(wanted);
}

/** The number of times that histories have reached each message code and situation. */
export const reached = new Map<string, number>();

export function reach(what: string): void {
  reached.set(what, (reached.get(what) ?? 0) + 1);
}

/** Expects complete sentences, no secret and no stack trace. */
export function expectReadable(lines: readonly string[], secrets: readonly string[]): void {
  for (const line of lines) {
    const hasSecret = secrets.some((text) => line.includes(text));
    const hasRest = /<html>|\n {4}at |undefined|\[object/.test(line);
    if (hasSecret || hasRest || !/\. \[CDB\d{4}\]$/.test(line))
      throw new Error(`a message is not readable: ${line}`);
    reach(line.slice(-"CDB0000]".length, -1));
  }
}

/** Expects no second creation of a service after one that the server may have received. */
export function expectOneCreation(requests: readonly Sent[]): void {
  const posts = requests.filter(({ method }) => method === "POST");
  for (const [index, { status = 504, body }] of posts.entries()) {
    const mayHaveSucceeded = status !== 0 && (status < 400 || status >= 500 || status === 408);
    const isRepeated = posts.slice(index + 1).some((post) => post.body.name === body.name);
    if (mayHaveSucceeded && isRepeated)
      throw new Error(`${body.name} is created again after ${status}`);
  }
}

/**
 * Expects the server to have the declared values of a stack that nobody else changes, and outputs
 * to have no others.
 */
export function expectValues({ stack, spec, drifted, failed, withPassword }: Side, api: Api): void {
  if (spec === undefined || !("resources" in spec)) return;
  const organization = api.server.organization();
  const scaled = organization.services.find(({ id }) => id === SCALED) as
    | { ipAccessList?: unknown[] }
    | undefined;
  expectEqual(scaled?.ipAccessList?.[0], { source: "203.0.113.0/24", description: "office" });
  for (const resource of stack.resources) {
    const { urn, id, outputs, isPartial } = resource;
    expectEqual([urn, pathsContaining(outputs, [CANARY, MASK])], [urn, []]);
    if (typeIn(urn) === "Service") expectPassword(withPassword, resource, api);
    const mayDiffer = drifted.has(nameIn(urn)) || failed.has(nameIn(urn));
    if (isPartial || outputs[UNCERTAIN] || mayDiffer) continue;
    expectDeclaredValues(resource, findObject(organization, id) ?? {});
  }
}

/**
 * A created service has the password of its creation; an adopted one, if the journal knows it. None
 * loses it again.
 */
function expectPassword(
  withPassword: Set<string>,
  { urn, id, inputs, outputs }: StateResource,
  { server }: Api,
): void {
  const { password = null } = outputs;
  const mayLack = inputs.existingServiceId !== undefined && !withPassword.has(urn);
  if (password !== null || !mayLack) expectEqual([urn, password], [urn, server.passwords.get(id)]);
  if (password !== null) withPassword.add(urn);
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

/** An organization and a shared access list keep the entries of others. */
function expectDeclaredValues(resource: StateResource, current: Properties): void {
  const { urn, inputs } = resource;
  for (const name of SCALARS) {
    if (inputs[name] !== undefined)
      expectEqual([urn, name, current[name]], [urn, name, inputs[name]]);
  }
  const isShared = isAccess(resource) || typeIn(urn) === "Organization";
  for (const [name, keyOf] of Object.entries(LISTS)) {
    if (inputs[name] === undefined) continue;
    // Of an entry that others own, only the key is compared: its description is the owner's.
    const entryKey = isAccess(resource)
      ? (entry: never) => keyOf(entry).split(" ")[0] ?? ""
      : keyOf;
    const [has = [], wanted = []] = [current[name], inputs[name]].map((list) =>
      (list as never[]).map(entryKey).sort(),
    );
    expectEqual(
      [urn, name, isShared ? has.filter((key) => wanted.includes(key)) : has],
      [urn, name, wanted],
    );
  }
  const [declared, has] = [inputs as PipeParts, current as PipeParts];
  if (declared.settings?.streamingMaxInsertWaitMs !== undefined) {
    expectEqual(
      has.settings?.streaming_max_insert_wait_ms,
      declared.settings.streamingMaxInsertWaitMs,
    );
  }
  const tables = ({ source }: PipeParts) =>
    source?.postgres?.tableMappings?.map(({ sourceTable }) => sourceTable).sort();
  if (tables(declared)) expectEqual(tables(has), tables(declared));
}

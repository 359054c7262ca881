import { createHash, scryptSync } from "node:crypto";
import {
  buildUpdateBody,
  isRecord,
  isSent,
  leavesOf,
  type Properties,
  recordDeclared,
  referencesIn,
  replaceReferences,
  UNKNOWN,
  VERSION,
  valueAt,
} from "../../fields";
import { FINGERPRINTS, parseUrn } from "../../names";
import type { Context, Resource } from "../object/resource";
import { userError } from "../object/user-error";

/* Resolves secrets by reference, for fingerprints and request bodies. */

/** 16 MiB of memory and about 35 ms. A stored fingerprint has its own cost. */
const COST = 14;
const FORM = /^\$scrypt\$ln=(1\d|20),r=8,p=1\$([\w+/]+)\$/;
const computed = new Map<string, string>();

/**
 * A slow hash in the form of password files, with the salt and cost of an earlier fingerprint if
 * given.
 */
export function fingerprintOf(value: string, ownSalt: string, earlier: unknown): string {
  const [, ln = COST, salt = ownSalt] = FORM.exec(String(earlier)) ?? [];
  const cost = Number(ln);
  const key = JSON.stringify([cost, salt, value]);
  const known = computed.get(key);
  if (known !== undefined) return known;
  const options = { N: 2 ** cost, r: 8, p: 1, maxmem: 2 ** (cost + 11) };
  const hash = scryptSync(value, Buffer.from(salt, "base64"), 32, options);
  const fingerprint = `$scrypt$ln=${cost},r=8,p=1$${salt}$${unpadded(hash)}`;
  computed.set(key, fingerprint);
  return fingerprint;
}

const unpadded = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

/**
 * The salt of a stack, the same in every command: an approved plan must contain the fingerprints of
 * its update, and equal values share one computation.
 */
function saltOf(urn: string): string {
  const { stack } = parseUrn(urn);
  const hash = createHash("sha256").update(JSON.stringify(["pulumi-clouddb secrets", stack]));
  return unpadded(hash.digest().subarray(0, 16));
}

/**
 * Fingerprints of secrets that an update can send. A secret without a value keeps its stored
 * fingerprint.
 */
export function fingerprintsOf(
  { resource, context, inputs }: { resource: Resource; context: Context; inputs: Properties },
  oldInputs: Properties | undefined,
  /** Stored fingerprints that stay for any value. */
  kept: unknown,
): Record<string, string> {
  const fingerprints: Record<string, string> = {};
  const { identity, secretValues } = context;
  const before = oldInputs?.[FINGERPRINTS];
  const version = inputs[VERSION];
  const isCreation = oldInputs === undefined && inputs[resource.id] === undefined;
  for (const { name, twinPath, field } of leavesOf(resource)) {
    const variable = valueAt(inputs, twinPath);
    if (typeof variable !== "string" || variable === UNKNOWN) continue;
    if (isSent(field) ? version !== undefined && version === oldInputs?.[VERSION] : !isCreation)
      continue;
    const value = secretValues.readOrWarn(variable);
    if (!isSent(field) || version !== undefined) continue;
    const earlier = isRecord(before) ? before[name] : undefined;
    const isKept = isRecord(kept) && kept[name] !== undefined;
    const current =
      value === undefined || isKept ? earlier : fingerprintOf(value, saltOf(identity.urn), earlier);
    if (typeof current === "string") fingerprints[name] = current;
  }
  return fingerprints;
}

/** The request bodies of an update from this state. */
export function updateBodies(resource: Resource, state: Properties, inputs: Properties): unknown[] {
  const next = recordDeclared(resource, state, inputs);
  return resource.updates.map((operation) => buildUpdateBody(resource, operation, next, inputs));
}

/** Throws before the first request if a body refers to a secret without a value. */
export function assertSecrets(
  { secretValues }: Context,
  operation: string,
  bodies: readonly unknown[],
): void {
  const problems = referencesIn(bodies).flatMap(({ variable }) => {
    const found = secretValues.read(variable);
    return "problem" in found ? [found.problem] : [];
  });
  if (problems.length === 0) return;
  throw userError(
    "CDB2011",
    `${operation}: a secret has to be sent, but ${[...new Set(problems)].join("; ")}.`,
    "Nothing was sent.",
    "Set the variable, then run `pulumi up` again.",
  );
}

/** The body with the secrets in place of references. */
export function reveal<Body>({ secretValues }: Context, body: Body): Body {
  if (referencesIn(body).length === 0) return body;
  return replaceReferences(body, (reference) => {
    const found = secretValues.read(reference.variable);
    return "value" in found ? found.value : reference;
  });
}

import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { wellFormed } from "../api/text";
import { isRecord, type Properties, UNKNOWN, valueAt, withValue } from "../fields";
import { UserError } from "../lifecycle/user-error";

/*
 * Values between the engine and a plugin: JSON, with signatures for types that JSON lacks.
 */

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT_VALUE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const ASSETS: readonly unknown[] = ["c44067f5952c0a294b673a41bacd8c17", "0def7320c3a5731c473e5ecbe6d01bc7"];

/** The engine has an unknown value for each type; our tables know one. */
const UNKNOWNS: readonly unknown[] = [
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];

/** Properties as the tables know them: secrets as plain values, and one unknown value for all types. */
export function decode(struct: Struct | undefined): Properties {
  return decodeMembers(struct?.toJavaScript() ?? {}, "");
}

function decodeMembers(members: Properties, path: string): Properties {
  const join = (name: string) => (path === "" ? name : `${path}.${name}`);
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, decodeValue(value, join(name))]));
}

function decodeValue(value: unknown, path: string): unknown {
  if (UNKNOWNS.includes(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map((entry, index) => decodeValue(entry, `${path}[${index}]`));
  if (!isRecord(value)) return value;
  const signature = value[SIGNATURE];
  if (signature === SECRET) return decodeValue(value.value, path);
  // Without a value, an output is unknown.
  if (signature === OUTPUT_VALUE) return "value" in value ? decodeValue(value.value, path) : UNKNOWN;
  if (ASSETS.includes(signature)) {
    throw new UserError(`${path} must not be an asset or an archive: pass the value itself.`);
  }
  return decodeMembers(value, path);
}

/** The properties as the engine reads them, with the values at these paths as secrets. */
export function encode(properties: Properties, secretPaths: readonly (readonly string[])[] = []): Struct {
  let marked = properties;
  for (const path of secretPaths) {
    const value = valueAt(properties, path);
    // Of what is unknown as a whole, so is the part: it becomes a secret with its own value.
    const isReached = value !== undefined && valueAt(properties, path.slice(0, -1)) !== UNKNOWN;
    if (isReached) marked = withValue(marked, path, asSecret(value));
  }
  return Struct.fromJavaScript(wellFormed(marked) as Parameters<typeof Struct.fromJavaScript>[0]);
}

export function asSecret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, value };
}

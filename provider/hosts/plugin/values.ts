import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isUnknown, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";
import { wellFormed } from "../../api/text";
import { UserError } from "../../core/user-error";
import { coded } from "../../errors";
import {
  type Definition,
  isRecord,
  markedArguments,
  markSecrets,
  type Properties,
  UNKNOWN,
  withValue,
} from "../../fields";
import { SECRETS } from "../../names";

/*
 * Values between the engine and a plugin: JSON, with signatures for types that JSON lacks.
 */

const OUTPUT_VALUE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const ASSETS: readonly unknown[] = ["c44067f5952c0a294b673a41bacd8c17", "0def7320c3a5731c473e5ecbe6d01bc7"];

/** No value of an argument or a state is as deep. */
export const MAX_DEPTH = 100;

/** Called with the place of each secret. */
type OnSecret = (path: string) => void;

/** Properties as the tables know them: secrets as plain values, and one unknown value for all types. */
export function decode(struct: Struct | undefined, onSecret: OnSecret = () => {}): Properties {
  return decodeMembers(struct?.toJavaScript() ?? {}, "", onSecret);
}

/** Arguments, with the names of those that are marked as secret. */
export function decodeArguments(definition: Definition, struct: Struct | undefined): Properties {
  const places: string[] = [];
  const properties = decode(struct, (path) => places.push(path));
  return withValue(properties, [SECRETS], markedArguments(definition, properties, places));
}

function decodeMembers(members: Properties, path: string, onSecret: OnSecret, depth = 0): Properties {
  const join = (name: string) => (path === "" ? name : `${path}.${name}`);
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, decodeValue(value, join(name), onSecret, depth + 1)]),
  );
}

function decodeValue(value: unknown, path: string, onSecret: OnSecret, depth: number): unknown {
  if (isUnknown(value)) return UNKNOWN;
  if (depth > MAX_DEPTH) {
    const [argument = ""] = path.split(/[.[]/, 1);
    throw new UserError(
      coded(
        "CDB1012",
        `${argument} must not be nested more than ${MAX_DEPTH} levels deep: pass the value that the reference documents.`,
      ),
    );
  }
  if (Array.isArray(value)) {
    return value.map((entry, index) => decodeValue(entry, `${path}[${index}]`, onSecret, depth + 1));
  }
  if (!isRecord(value)) return value;
  const signature = value[SIGNATURE];
  const isOutput = signature === OUTPUT_VALUE;
  if (signature === SECRET_MARK || (isOutput && value.secret === true)) onSecret(path);
  if (signature === SECRET_MARK) return decodeValue(value.value ?? null, path, onSecret, depth + 1);
  // Without a value, an output is unknown.
  if (isOutput) return "value" in value ? decodeValue(value.value, path, onSecret, depth + 1) : UNKNOWN;
  if (ASSETS.includes(signature)) {
    throw new UserError(coded("CDB1012", `${path} must not be an asset or an archive: pass the value itself.`));
  }
  return decodeMembers(value, path, onSecret, depth);
}

/** The properties as the engine reads them, with the values at these paths as secrets. */
export function encode(properties: Properties, secretPlaces: readonly (readonly string[])[] = []): Struct {
  return Struct.fromJavaScript(
    wellFormed(markSecrets(properties, secretPlaces)) as Parameters<typeof Struct.fromJavaScript>[0],
  );
}

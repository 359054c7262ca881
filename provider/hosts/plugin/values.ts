import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckFailure,
  CheckResponse,
  ErrorResourceInitFailed,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isUnknown, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";
import { wellFormed } from "../../api/response";
import { PartialFailure, type UserError, userError } from "../../core/object/user-error";
import { type Message, render } from "../../errors";
import { isRecord, mapMembers, type Place, type Properties, UNKNOWN } from "../../fields";
import { markSecrets } from "../../fields/conversions";
import { nativeType } from "../../names";
import type { Received } from "../codec";

/*
 * Converts types, values and errors between engine and plugin. Values are JSON, with signatures for
 * other types.
 */

/** The resource or function name in a token; empty for another package. */
export function nameIn(token: string): string {
  const start = nativeType("");
  return token.startsWith(start) ? token.slice(start.length) : "";
}

const ASSETS: readonly unknown[] = [
  "c44067f5952c0a294b673a41bacd8c17",
  "0def7320c3a5731c473e5ecbe6d01bc7",
];

/** Deeper than any value of an argument or a state. */
const MAX_DEPTH = 100;

function tooDeep(argument: string): UserError {
  const rule = `must not be nested more than ${MAX_DEPTH} levels deep`;
  return userError("CDB1012", `${argument} ${rule}: pass the value that the reference documents.`);
}

/**
 * The engine's service definition. Reports a request that is nested too deeply, since gRPC's own
 * error names no cause.
 */
export function readableService(): typeof ResourceProviderService {
  const methods = Object.entries(ResourceProviderService).map(([name, method]) => {
    const requestDeserialize = (bytes: Buffer) => {
      try {
        return method.requestDeserialize(bytes);
      } catch (error) {
        if (error instanceof RangeError) return tooDeep("An argument");
        throw error;
      }
    };
    return [name, { ...method, requestDeserialize }];
  });
  return Object.fromEntries(methods);
}

/** Decodes properties: secrets become plain values, and all unknown values become one value. */
export function decode(struct: Struct | undefined): Properties {
  return decodeMarked(struct).properties;
}

/** Decodes properties and lists the places marked as secret. */
export function decodeMarked(struct: Struct | undefined): Received & { readonly marked: string[] } {
  const marked: string[] = [];
  const properties: Properties = mapMembers(struct?.toJavaScript() ?? {}, (value, name) =>
    decodeValue(value, String(name), marked, 1),
  );
  return { properties, marked };
}

function decodeValue(value: unknown, path: string, marked: string[], depth: number): unknown {
  if (isUnknown(value)) return UNKNOWN;
  if (depth > MAX_DEPTH) {
    const [argument = ""] = path.split(/[.[]/, 1);
    throw tooDeep(argument);
  }
  const signature = isRecord(value) ? value[SIGNATURE] : undefined;
  if (isRecord(value) && signature === SECRET_MARK) {
    marked.push(path);
    return decodeValue(value.value ?? null, path, marked, depth + 1);
  }
  if (ASSETS.includes(signature)) {
    throw userError(
      "CDB1012",
      `${path} must not be an asset or an archive: pass the value itself.`,
    );
  }
  const place = (name: string | number) =>
    typeof name === "number" ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
  return mapMembers(value, (inner, name) => decodeValue(inner, place(name), marked, depth + 1));
}

/** Encodes properties for the engine, with secrets at the given paths. */
export function encode(properties: Properties, secretPlaces: readonly Place[] = []): Struct {
  const marked = wellFormed(markSecrets(properties, secretPlaces));
  return Struct.fromJavaScript(marked as Parameters<typeof Struct.fromJavaScript>[0]);
}

export function checkResponse(inputs: Struct, reasons: readonly Message[]): CheckResponse {
  // The engine would print the whole value of a named property, including secrets beside the
  // invalid part.
  const failures = reasons.map((reason) =>
    new CheckFailure().setReason(wellFormed(render(reason))),
  );
  return new CheckResponse().setInputs(inputs).setFailuresList(failures);
}

/** The error for the engine. After a partial failure, it has the state to store. */
export function toServiceError(error: Error): Partial<grpc.ServiceError> {
  const message = wellFormed(error.message);
  const failure = { code: grpc.status.UNKNOWN, details: message };
  if (!(error instanceof PartialFailure)) return failure;
  const partial = new ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(encode(error.state))
    .setReasonsList([message]);
  const detail = new Any();
  detail.pack(partial.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status().setCode(failure.code).setMessage(message).setDetailsList([detail]);
  const metadata = new grpc.Metadata();
  // gRPC's key for error details.
  metadata.set("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { ...failure, metadata };
}

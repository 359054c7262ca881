import type * as grpc from "@grpc/grpc-js";
import { Value } from "google-protobuf/google/protobuf/struct_pb";
import { UserError } from "../../core/user-error";
import { coded } from "../../errors";
import { MAX_DEPTH } from "./values";

const { deserializeBinaryFromReader: readValue } = Value;
let depth = 0;

/**
 * The parser walks over all that it has read at every level, and overflows the stack: levels that no argument may have
 * are skipped. Their parents are still too deep for `decode`, which names the argument.
 */
Value.deserializeBinaryFromReader = (value, reader) => {
  if (depth > MAX_DEPTH) {
    while (reader.nextField()) reader.skipField();
    value.setNullValue(0);
    return value;
  }
  depth += 1;
  try {
    return readValue(value, reader);
  } finally {
    depth -= 1;
  }
};

/** The service whose handlers get an error instead of a request that cannot be read: gRPC would refuse it without a reason. */
export function withUnreadableRequests<Service extends grpc.ServiceDefinition>(service: Service): Service {
  const methods = Object.entries<grpc.MethodDefinition<unknown, unknown>>(service).map(([name, method]) => [
    name,
    { ...method, requestDeserialize: orError(method.requestDeserialize) },
  ]);
  return Object.fromEntries(methods) as Service;
}

function orError<Request>(deserialize: (bytes: Buffer) => Request): (bytes: Buffer) => Request | UserError {
  return (bytes) => {
    try {
      return deserialize(bytes);
    } catch (error) {
      return new UserError(
        coded(
          "CDB9005",
          `Cannot read a request of Pulumi's engine: ${(error as Error).message}. Nothing was sent to the API. Use the plugin with a Pulumi CLI that it supports.`,
        ),
      );
    }
  };
}

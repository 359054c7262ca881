import type * as grpc from "@grpc/grpc-js";
import { UserError } from "../../core/user-error";
import { message } from "../../errors";

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
      // The parser is recursive.
      const isDeep = error instanceof RangeError;
      return new UserError(
        isDeep ? message("CDB9005.deep") : message("CDB9005.unreadable", { error: (error as Error).message }),
      );
    }
  };
}

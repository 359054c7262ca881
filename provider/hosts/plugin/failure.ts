import * as grpc from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { wellFormed } from "../../api/text";
import { PartialFailure } from "../../core/user-error";
import type { Properties } from "../../fields";

/** The error as the engine shows it, and, after a partial failure, what it stores. */
export function toServiceError(error: Error, encodeState: (state: Properties) => Struct): Partial<grpc.ServiceError> {
  const message = wellFormed(error.message);
  const failure = { code: grpc.status.UNKNOWN, details: message };
  if (!(error instanceof PartialFailure)) return failure;
  const partial = new ErrorResourceInitFailed();
  partial.setId(error.id);
  partial.setProperties(encodeState(error.state));
  partial.setReasonsList([message]);
  const detail = new Any();
  detail.pack(partial.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status();
  status.setCode(failure.code);
  status.setMessage(message);
  status.addDetails(detail);
  const metadata = new grpc.Metadata();
  // Where gRPC looks for what an error carries beside its text.
  metadata.set("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { ...failure, metadata };
}

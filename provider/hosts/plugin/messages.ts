import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { wellFormed } from "../../api/response";
import type { Difference } from "../../core/object/diff";
import { type Message, render } from "../../errors";

export function checkResponse(inputs: Struct, reasons: readonly Message[]): proto.CheckResponse {
  // The engine would print the whole value of a named property, including secrets beside the
  // invalid part.
  const failures = reasons.map((reason) =>
    new proto.CheckFailure().setReason(wellFormed(render(reason))),
  );
  return new proto.CheckResponse().setInputs(inputs).setFailuresList(failures);
}

const { DIFF_NONE, DIFF_SOME, DIFF_UNKNOWN } = proto.DiffResponse.DiffChanges;
const CHANGES = { none: DIFF_NONE, state: DIFF_SOME, arguments: DIFF_UNKNOWN };

/** `isUnchanged` is true if the engine already has the same arguments. */
export function diffResponse(difference: Difference, isUnchanged: boolean): proto.DiffResponse {
  const { kind, replaces, changed, isHidden } = difference;
  // Without details, the engine compares arguments itself. It would miss an outdated state and
  // removed list entries, and show undeclared arguments as removed.
  const isDetailed = kind === "arguments" && (isHidden || isUnchanged);
  const response = new proto.DiffResponse()
    .setChanges(isDetailed ? DIFF_SOME : CHANGES[kind])
    .setReplacesList([...replaces])
    .setHasdetaileddiff(isDetailed)
    // A service that cannot be deleted then fails before its replacement is created.
    .setDeletebeforereplace(true);
  for (const [place, change] of isDetailed ? changed : []) {
    response
      .getDetaileddiffMap()
      .set(place, new proto.PropertyDiff().setKind(proto.PropertyDiff.Kind[change]));
  }
  return response;
}

/** A new address or key requires no replacement. */
export function diffConfigResponse(changed: readonly string[]): proto.DiffResponse {
  return new proto.DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList([...changed]);
}

import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { wellFormed } from "../../api/text";
import type { Difference } from "../../core/object/diff";
import { type Message, render } from "../../errors";

/*
 * Responses in the engine's protocol.
 */

export function checkResponse(inputs: Struct, reasons: readonly Message[]): proto.CheckResponse {
  // The engine prints the whole value of a property that a failure names, including secrets beside
  // the fault.
  const failures = reasons.map((reason) =>
    new proto.CheckFailure().setReason(wellFormed(render(reason))),
  );
  return new proto.CheckResponse().setInputs(inputs).setFailuresList(failures);
}

const { DIFF_NONE, DIFF_SOME, DIFF_UNKNOWN } = proto.DiffResponse.DiffChanges;
const CHANGES = { none: DIFF_NONE, state: DIFF_SOME, arguments: DIFF_UNKNOWN };

/** `isUnchanged` says that the engine has the same arguments as before. */
export function diffResponse(difference: Difference, isUnchanged: boolean): proto.DiffResponse {
  const { kind, replaces, changed, isHidden } = difference;
  // Without details, the engine compares the arguments itself: it misses an outdated state and
  // removed list entries, and shows undeclared arguments as removed.
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

/** A new address or key does not replace resources. */
export function diffConfigResponse(changed: readonly string[]): proto.DiffResponse {
  return new proto.DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList([...changed]);
}

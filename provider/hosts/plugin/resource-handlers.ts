import { isDeepStrictEqual } from "node:util";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { check, userArguments } from "../../core/check";
import { diff } from "../../core/diff";
import * as lifecycle from "../../core/lifecycle";
import { planCreation, planUpdate } from "../../core/preview";
import { isNamedIn } from "../../core/reads";
import type { Autonaming, Context, Resource } from "../../core/resource";
import { warnOfEarlier } from "../../core/unresolved-creations";
import { UserError } from "../../core/user-error";
import type { Message } from "../../errors";
import { describeDeprecation, fieldPathsOf, type Properties, valueAt } from "../../fields";
import { parseUrn, SECRETS } from "../../names";
import { readResource } from "./import";
import { checkResponse, diffResponse } from "./messages";
import { decode, decodeArguments, encodeInputs, encodeState } from "./values";

/*
 * The engine's requests about one resource.
 */

export async function checkResource(
  request: proto.CheckRequest,
  resource: Resource,
  context: Context,
  configurationProblems: readonly Message[],
): Promise<proto.CheckResponse> {
  const news = decodeArguments(resource, request.getNews());
  const { name } = parseUrn(request.getUrn());
  const autonaming = await autonamingOf(request, resource, context);
  const { inputs, reasons } = check(
    resource,
    context,
    name,
    decode(request.getOlds()),
    news,
    autonaming,
  );
  for (const fieldPath of fieldPathsOf(resource.fields)) {
    const deprecation =
      valueAt(news, fieldPath.path) === undefined ? undefined : describeDeprecation(fieldPath);
    if (deprecation !== undefined) context.warn(deprecation);
  }
  return checkResponse(encodeInputs(resource, inputs), [...configurationProblems, ...reasons]);
}

const MODES = ["propose", "enforce", "disable"] as const;

/** The stack's setting `pulumi:autonaming`. An object that an earlier command created keeps its name, unless secret. */
async function autonamingOf(
  request: proto.CheckRequest,
  { create }: Resource,
  { journal, identity }: Context,
): Promise<Autonaming | undefined> {
  const options = request.getAutonaming();
  if (options === undefined) return undefined;
  const isNew = create !== undefined && !request.getOlds()?.getFieldsMap().getLength();
  // A journal that cannot be read stops the creation, not the check.
  const earlier = isNew
    ? await journal()
        .find(identity)
        .catch(() => undefined)
    : undefined;
  const { name, [SECRETS]: secrets } = earlier?.inputs ?? {};
  if (typeof name === "string" && !isNamedIn(secrets)("name")) return { mode: "enforce", name };
  return { mode: MODES[options.getMode()] ?? "propose", name: options.getProposedName() };
}

export async function diffResource(
  request: proto.DiffRequest,
  resource: Resource,
  context: Context,
) {
  const [state, news] = [decode(request.getOlds()), decodeArguments(resource, request.getNews())];
  const argumentsIn = (struct: Struct | undefined) => userArguments(decode(struct));
  const [before, after] = [argumentsIn(request.getOldInputs()), argumentsIn(request.getNews())];
  const isUnchanged = isDeepStrictEqual(before, after);
  const difference = await diff(resource, context, request.getId(), state, news, isUnchanged);
  return diffResponse(difference, isUnchanged);
}

export async function createResource(
  request: proto.CreateRequest,
  resource: Resource,
  context: Context,
) {
  const inputs = userArguments(decodeArguments(resource, request.getProperties()));
  const refusal = await warnOfEarlier(resource, context, inputs);
  if (refusal !== undefined) throw new UserError(refusal);
  const { id, state } = request.getPreview()
    ? { id: "", state: planCreation(resource, inputs) }
    : await lifecycle.create(resource, context, inputs);
  return new proto.CreateResponse().setId(id).setProperties(encodeState(request.getUrn(), state));
}

export async function updateResource(
  request: proto.UpdateRequest,
  resource: Resource,
  context: Context,
) {
  const [id, state] = [request.getId(), decode(request.getOlds())];
  const inputs = userArguments(decodeArguments(resource, request.getNews()));
  const updated: Properties = request.getPreview()
    ? planUpdate(resource, id, state, inputs)
    : await lifecycle.update(resource, context, id, state, inputs);
  return new proto.UpdateResponse().setProperties(encodeState(request.getUrn(), updated));
}

/** An empty response says that the object does not exist. */
export async function readState(request: proto.ReadRequest, resource: Resource, context: Context) {
  const [stored, inputs] = [decode(request.getProperties()), request.getInputs()];
  const args = inputs && decodeArguments(resource, inputs);
  const current = await readResource(resource, context, request.getId(), stored, args);
  const response = new proto.ReadResponse();
  if (current === undefined) return response;
  return response
    .setId(current.id)
    .setProperties(encodeState(request.getUrn(), current.state))
    .setInputs(encodeInputs(resource, current.inputs));
}

export async function deleteResource(
  request: proto.DeleteRequest,
  resource: Resource,
  context: Context,
) {
  await lifecycle.release(resource, context, request.getId(), decode(request.getProperties()));
  return new Empty();
}

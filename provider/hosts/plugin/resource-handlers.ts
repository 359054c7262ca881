import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { warnOfEarlier } from "../../core/object/adopt";
import { check } from "../../core/object/check";
import { create } from "../../core/object/create";
import { diff } from "../../core/object/diff";
import { planCreation, planUpdate } from "../../core/object/preview";
import { release } from "../../core/object/release";
import type { Autonaming, CheckRequest, Context, Resource } from "../../core/object/resource";
import { update } from "../../core/object/updates";
import { UserError } from "../../core/object/user-error";
import type { Message } from "../../errors";
import { describeDeprecation, fieldPathsOf, namesIn, valueAt } from "../../fields";
import { parseUrn, SECRETS } from "../../names";
import { areSameArguments, type Codec } from "../codec";
import { readResource } from "./import";
import { checkResponse, decode, decodeMarked, encode } from "./values";

/** The resource of a request. */
export interface Scope {
  readonly resource: Resource;
  readonly context: Context;
  readonly codec: Codec;
  /** Problems in the configuration that fail all resources. */
  readonly problems: readonly Message[];
}

const { DIFF_NONE, DIFF_SOME, DIFF_UNKNOWN } = proto.DiffResponse.DiffChanges;
const CHANGES = { none: DIFF_NONE, state: DIFF_SOME, arguments: DIFF_UNKNOWN };

/** Handles the engine's requests about a resource, by method. */
export const resourceHandlers = {
  async check(request: proto.CheckRequest, { resource, context, codec, problems }: Scope) {
    const received = decodeMarked(request.getNews());
    const { name } = parseUrn(request.getUrn());
    const decoded = codec.decodeCheck(name, received, decode(request.getOlds()));
    const autonaming = await autonamingOf(request, decoded, resource, context);
    const checked = check(resource, context, { ...decoded, autonaming });
    for (const fieldPath of fieldPathsOf(resource.fields)) {
      const isDeclared = valueAt(received.properties, fieldPath.path) !== undefined;
      const deprecation = isDeclared ? describeDeprecation(fieldPath) : undefined;
      if (deprecation !== undefined) context.warn(deprecation);
    }
    const inputs = encode(codec.encodeChecked(checked, decoded));
    return checkResponse(inputs, [...problems, ...checked.reasons]);
  },

  async diff(request: proto.DiffRequest, { resource, context, codec }: Scope) {
    const received = decodeMarked(request.getNews());
    const oldInputs = decode(request.getOldInputs());
    const isUnchanged = areSameArguments(oldInputs, received.properties);
    const { kind, replaces, changed, isHidden } = await diff(resource, context, {
      ...codec.decodeObject(request.getId(), decode(request.getOlds())),
      inputs: codec.decodeInputs(received),
      isUnchanged,
    });
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
  },

  async create(request: proto.CreateRequest, { resource, context, codec }: Scope) {
    const inputs = codec.decodeInputs(decodeMarked(request.getProperties()));
    const refusal = await warnOfEarlier(resource, context, inputs);
    if (refusal !== undefined) throw new UserError(refusal);
    const operation = async () =>
      request.getPreview()
        ? { id: "", state: planCreation(resource, inputs) }
        : create(resource, context, inputs);
    const { id, state } = await codec.encodeResult(operation(), inputs);
    return new proto.CreateResponse().setId(id).setProperties(encode(state));
  },

  async update(request: proto.UpdateRequest, { resource, context, codec }: Scope) {
    const object = codec.decodeObject(request.getId(), decode(request.getOlds()));
    const inputs = codec.decodeInputs(decodeMarked(request.getNews()));
    const operation = async () =>
      request.getPreview()
        ? { ...object, state: planUpdate(resource, object, inputs) }
        : update(resource, context, object, inputs);
    const { state } = await codec.encodeResult(operation(), inputs, object.state);
    return new proto.UpdateResponse().setProperties(encode(state));
  },

  /** An empty response means that the object does not exist. */
  async read(request: proto.ReadRequest, { resource, context, codec }: Scope) {
    const object = codec.decodeObject(request.getId(), decode(request.getProperties()));
    const inputs = request.getInputs() && codec.decodeInputs(decodeMarked(request.getInputs()));
    const found = await readResource(resource, context, object, inputs);
    const response = new proto.ReadResponse();
    if (found === undefined) return response;
    const current = codec.encodeFound(found, object.state);
    return response
      .setId(found.id)
      .setProperties(encode(current.state))
      .setInputs(encode(current.inputs));
  },

  async delete(request: proto.DeleteRequest, { resource, context, codec }: Scope) {
    const state = decode(request.getProperties());
    await release(resource, context, codec.decodeObject(request.getId(), state));
    return new Empty();
  },
};

const MODES = ["propose", "enforce", "disable"] as const;

/**
 * The setting `pulumi:autonaming`. An object from an earlier creation keeps its name, unless the
 * name is secret.
 */
async function autonamingOf(
  request: proto.CheckRequest,
  { oldInputs }: CheckRequest,
  { create }: Resource,
  { journal, identity }: Context,
): Promise<Autonaming | undefined> {
  const options = request.getAutonaming();
  if (options === undefined) return undefined;
  const isCreation = create !== undefined && oldInputs === undefined;
  // An unreadable journal fails the creation, not the check.
  const earlier = isCreation
    ? await journal()
        .find(identity)
        .catch(() => undefined)
    : undefined;
  // Another API key reads only the record's name, in which a secret is redacted.
  const inputs = earlier?.inputs ?? {};
  const { name = earlier?.record.name } = inputs;
  const isPlain =
    !namesIn(inputs, SECRETS).includes("name") && /^[\w\s]+$/.test(String(name ?? ""));
  if (isPlain) return { mode: "enforce", name: String(name) };
  return { mode: MODES[options.getMode()] ?? "propose", name: options.getProposedName() };
}

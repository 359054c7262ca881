import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { describeOrganizations } from "../../../simulator/state/state";
import {
  ADAPTER,
  type Handlers,
  type LocalProcess,
  type Properties,
} from "../../support/adapters/handlers";
import { shown } from "../../support/adapters/values";
import { createResult, runImport } from "../../support/engine/command";
import {
  type Declared,
  findByName,
  handlersAt,
  type Stack,
  type StateResource,
  typeIn,
  urnOf,
} from "../../support/engine/state";
import type { Step } from "../../twin/history";
import { createTwin, declare, PLUGIN_DEATH, type TwinRun } from "../../twin/on-twin";
import {
  type Accounts,
  CANARY,
  createAccounts,
  IMPORTED,
  inSecond,
  slotIn,
  VARIABLE,
} from "./accounts";
import type { Api } from "./api";
import {
  type Circumstances,
  EVERYWHERE,
  meetingsIn,
  type PairHistory,
  type Places,
} from "./features";
import { expectEmpty } from "./invariants";
import { expectReported, reviewPreview } from "./review";
import { ADOPTED, PIPE, SCALED, type Slot, slots } from "./scenario";
import { createSchedule } from "./schedule";

/** Runs histories in which features meet, and checks what holds in each of them. */

const PASSWORD_KEY = generateKeyPairSync("rsa", { modulusLength: 2048 });
const passwordPublicKey = PASSWORD_KEY.publicKey.export({ type: "spki", format: "pem" });

/** Runs a history; returns the pairs that have met. */
export async function runPairs(api: Api, history: PairHistory): Promise<ReadonlySet<string>> {
  await api.reset(false);
  const accounts = createAccounts(api.server, history);
  const { met, trace, runStep } = createRun(api, history, accounts);
  try {
    for (const [index, step] of history.twin.steps.entries())
      await runStep(step, history.circumstances[index] as Circumstances);
    return met;
  } catch (error) {
    throw new Error([(error as Error).message, ...trace].join("\n"), { cause: error });
  } finally {
    accounts.close();
  }
}

function createRun(api: Api, history: PairHistory, accounts: Accounts) {
  const { server } = api;
  const { isSecond, records } = accounts;
  const twin = createTwin(api);
  const met = new Set<string>();
  const trace: string[] = [];
  /** The creations of commands, by organization and name. */
  const creations = new Map<string, { readonly urn: string; readonly isSealed: boolean }>();
  /** The created services that have been in a state, or that their user knows. */
  const known = new Set<unknown>();
  /** The services whose password no journal has, or only one of another API key. */
  const withoutPassword = new Set<string>();
  const importedIds = new Set<string>();
  /** The arguments that adopt a lost service. */
  const adoptions = new Map<Slot, Properties>();
  const creationOf = ({ organizationId, name }: Properties) => `${organizationId} ${name}`;

  /** The services that commands have created and no state had. */
  const lostServices = () =>
    describeOrganizations(server.simulation.state)
      .flatMap(({ id: organizationId, services }) =>
        (services as Properties[]).map((service) => ({ ...service, organizationId }) as Properties),
      )
      .filter(({ id }) => server.passwords.has(String(id)) && !known.has(id));

  function handlersIn([first, second]: readonly LocalProcess[], urn: string): Handlers {
    const handlers = handlersAt((isSecond(urn) ? second : first) as LocalProcess, urn);
    return {
      ...handlers,
      create(inputs) {
        creations.set(creationOf(inputs), { urn, isSealed: "passwordPublicKey" in inputs });
        return handlers.create(inputs);
      },
    };
  }

  /** A resource with the features of its slot and of the step. */
  function withFeatures(
    declared: Declared,
    program: readonly Declared[],
    { form, protection }: Circumstances,
  ): Declared {
    const { name, type, after } = declared;
    const slot = slotIn(name);
    const [isOther, { isInComponent = false, hasKey }] = [isSecond(name), history.traits[slot]];
    const secretAt = (argument: string): Properties => {
      if (form === "none") return {};
      if (form === "literal") return { [argument]: `${CANARY}-${isOther ? "b" : "a"}-literal` };
      const variable = isOther && !history.isMapped ? "SECOND_SECRET" : VARIABLE;
      return { [`${argument}FromEnvironment`]: variable };
    };
    const args: Properties = { ...declared.args };
    if (type === "Pipe" && form !== "none") {
      const { postgres } = (args.source ?? {}) as { postgres?: Properties };
      const credentials = { username: "loader", ...secretAt("password") };
      args.source = { postgres: { ...postgres, credentials } };
    }
    if (type === "Service")
      Object.assign(args, secretAt("encryptionKey"), hasKey && { passwordPublicKey });
    Object.assign(args, adoptions.get(slot));
    const owner = program.find((each) => slotIn(each.name) === "first");
    const isOfFirst = history.accessOf === "first" && owner && isSecond(owner.name) === isOther;
    const from = slot === "access" && isOfFirst ? owner.name : undefined;
    if (slot === "access") args.serviceId = history.accessOf === "adopted" ? ADOPTED : SCALED;
    if (from) delete args.serviceId;
    return {
      ...declared,
      ...(type !== "Service" && protection),
      args: isOther ? inSecond(args) : args,
      isInComponent,
      ...(from && { serviceFrom: from, after: [...new Set([...after, from])] }),
    };
  }

  function renameStack(stack: Stack): void {
    const rename = (urn: string) => urn.replace(`:${stack.name}::`, `:${stack.name}x::`);
    const resources = stack.resources.map(({ dependencies = [], serviceFrom, ...resource }) => ({
      ...resource,
      urn: rename(resource.urn),
      dependencies: dependencies.map(rename),
      serviceFrom: serviceFrom && rename(serviceFrom),
    }));
    Object.assign(stack, { name: `${stack.name}x`, resources });
    // No record of the former name belongs to the stack.
    for (const { id } of lostServices()) known.add(id);
  }

  /** `pulumi import` of an object that no stack has; the places of the new resource. */
  async function importObject(stack: Stack, slot: Slot, now: Circumstances): Promise<string[]> {
    const { type } = slots[slot];
    const shared = history.accessOf === "adopted" ? ADOPTED : SCALED;
    const lost = lostServices().find(({ name }) => name === slot);
    const ids: Partial<Record<Slot, string>> = {
      second: String(lost?.id ?? IMPORTED),
      adopted: ADOPTED,
      size: SCALED,
      access: `${shared}/203.0.113.0/24`,
      pipe: `${ADOPTED}/${PIPE}`,
    };
    const { [slot]: id = "" } = ids;
    const urn = urnOf(stack, type, slot, history.traits[slot].isInComponent);
    const isTaken = twin
      .stacks()
      .flatMap(({ resources }) => resources)
      .some((each) => slotIn(each.urn) === slot || [id, inSecond(id)].includes(each.id));
    if (ADAPTER === "dynamic" || isTaken) return [];
    api.begin(stack.name);
    const [processes, result] = [accounts.start(now), createResult()];
    const handlersFor = (urn: string) => handlersIn(processes, urn);
    const command = { stack, handlersFor, schedule: createSchedule(api, {}), parallel: 1, result };
    const imported = await runImport(command, urn, isSecond(urn) ? inSecond(id) : id);
    if (result.errors.length > 0) trace.push(`${urn} is not imported: ${result.errors}`);
    if (imported === undefined) return [];
    importedIds.add(imported.id);
    return [urn, imported.id];
  }

  async function runStep(drawn: Step, now: Circumstances): Promise<void> {
    const stack = twin.stackOf(drawn);
    if (now.isRenamed) renameStack(stack);
    if (now.isNewKey) accounts.changeKeys();
    const imported = now.imported ? await importObject(stack, now.imported, now) : [];
    if (drawn.edit) await server.change(...drawn.edit);
    const { parallel, order: seed } = history.twin;
    const resolved = twin.resolve(drawn, false, parallel);
    const declared = declare(resolved);
    const program = declared.map((each) => withFeatures(each, declared, now));
    const held = records().map(({ urn }) => urn);

    async function run(what: "preview" | "command" | "again") {
      const isPreview = what === "preview";
      const processes = accounts.start(now);
      const handlers = new Map<string, Handlers>();
      const handlersFor = (urn: string) => {
        const kept = handlers.get(urn) ?? handlersIn(processes, urn);
        handlers.set(urn, kept);
        return kept;
      };
      api.begin(stack.name);
      const { fault } = drawn;
      const trouble = what === "command" && { fault, diesAt: fault ? undefined : now.diesAt };
      const command = what === "again" ? "up" : resolved.command;
      const target = isPreview ? { ...stack } : stack;
      const step = { ...resolved, command, isPreview };
      const done = await twin.run(target, step, { seed, ...trouble }, handlersFor, program);
      const messages = [...processes.flatMap((each) => each.messages), ...done.result.errors];
      const outcome = done.schedule.isDead() ? "died" : "ended";
      trace.push(`${stack.name} ${what} (${drawn.command}) ${outcome}: ${messages.join("\n  ")}`);
      if (accounts.leak()) throw new Error(accounts.leak());
      expectNoSecrets([messages, records(), ...target.resources.map(shownState)]);
      return { ...done, messages };
    }

    const isUp = drawn.command !== "refresh";
    const preview = isUp ? await run("preview") : undefined;
    const review =
      preview && now.isReviewed
        ? await reviewPreview(stack, preview.result, preview.messages)
        : undefined;
    expectNoSecrets(review);
    const done = await run("command");
    const isLost = api.requests().some(({ status = 504 }) => status >= 500);
    const everywhere = (isMet: unknown) => (isMet ? EVERYWHERE : []);
    const transformed = Object.values(resolved.program).flatMap((each) =>
      each.transformed ? [each.name] : [],
    );
    const places = {
      ...(isUp && placesOf(stack, program, held, transformed)),
      "another API key": everywhere(now.isNewKey),
      "a renamed stack": everywhere(now.isRenamed),
      "lost answers": everywhere(isLost),
      import: imported,
      [ADAPTER]: EVERYWHERE,
      policies: everywhere(review),
      report: everywhere(review),
    };
    for (const pair of meetingsIn(places)) met.add(pair);
    expectKept(stack, done);
    if (drawn.fault || done.hasFailed) return;
    if (review) expectReported(done.result, review);
    if (isUp && drawn.target === undefined && drawn.replaced === undefined) {
      // An update sees changes by others in the responses to its own.
      if (done.messages.some((line) => line.includes("[CDB5015]"))) await run("again");
      const { result, hasFailed } = await run("again");
      if (hasFailed) throw new Error(`the next up fails: ${result.errors}`);
      expectEmpty(result, api);
    }
  }

  const shownState = ({ inputs, outputs }: StateResource) => [shown(inputs), shown(outputs)];

  function expectNoSecrets(value: unknown): void {
    const text = JSON.stringify(value ?? "");
    for (const secret of [CANARY, ...server.passwords.values()]) {
      const place = text.indexOf(secret);
      if (place >= 0) throw new Error(`a secret is shown: ${text.slice(place - 300, place + 60)}`);
    }
  }

  /** Expects each created service once: in a state, a record or a message, with its password. */
  function expectKept(
    stack: Stack,
    { schedule, result, messages }: TwinRun & { readonly messages: readonly string[] },
  ): void {
    for (const { id } of twin.stacks().flatMap(({ resources }) => resources)) known.add(id);
    const hasJournal = history.place !== "off";
    const hasDied = schedule.isDead() || messages.some((line) => line.includes(PLUGIN_DEATH));
    const lost = new Map<string, unknown>();
    for (const service of lostServices()) {
      const { id, name } = service;
      const record = records().find(
        (each) => each.id === id || (each.id === undefined && each.name === name),
      );
      const { urn = "" } = record ?? creations.get(creationOf(service)) ?? {};
      const isNamed = messages.some(
        (line) => line.includes(String(id)) || (line.includes(`"${name}"`) && /CDB40/.test(line)),
      );
      if (!record && !isNamed && (hasJournal || !hasDied))
        throw new Error(`nothing knows the service ${id} (${name})`);
      if (hasJournal && lost.has(urn)) throw new Error(`${urn} was created twice`);
      lost.set(urn, id);
      if (!hasJournal || !accounts.hasReceived(String(server.passwords.get(String(id)))))
        withoutPassword.add(String(id));
      // What a user has read, or can no longer read, is no concern of later commands.
      if (!record) known.add(id);
    }
    for (const resource of stack.resources) expectPassword(resource, messages);
    // The user looks for the service of a refused creation, as the message says.
    for (const { urn, error } of result.failures) {
      if (!/CDB40(01|12)/.test(error.message)) continue;
      const existingServiceId = lost.get(urn);
      if (existingServiceId) adoptions.set(slotIn(urn), { existingServiceId });
      for (const record of records())
        if (record.urn === urn && !existingServiceId) accounts.discard(record.file);
    }
  }

  /** Expects the password of a created service, unless another API key has sealed it. */
  function expectPassword(
    { urn, id, inputs, outputs }: StateResource,
    messages: readonly string[],
  ): void {
    const wanted = server.passwords.get(id);
    if (typeIn(urn) !== "Service" || wanted === undefined || withoutPassword.has(id)) return;
    const { password, encryptedPassword } = outputs;
    if ((encryptedPassword ? open(String(encryptedPassword)) : password) === wanted) return;
    // The first refresh after an import takes the password from the record.
    if (importedIds.has(id) && records().some((record) => record.id === id)) return;
    const isSealed = [...creations.values()].some((each) => each.urn === urn && each.isSealed);
    const isExcused =
      (inputs.existingServiceId !== undefined && history.place === "off") ||
      messages.some((line) => line.includes("CDB4013"));
    if (isSealed || !isExcused) throw new Error(`the stack has ${urn} without its password`);
    withoutPassword.add(id);
  }

  /** The places of the features of resources. */
  function placesOf(
    stack: Stack,
    program: readonly Declared[],
    held: readonly string[],
    transformed: readonly string[],
  ): Places {
    const urnIn = ({ type, name, isInComponent }: Declared) =>
      urnOf(stack, type, name, isInComponent);
    const where = (isUsed: (declared: Declared) => unknown) =>
      program.filter(isUsed).flatMap((declared) => {
        const { args, name, serviceFrom } = declared;
        const id = args.existingServiceId ?? args.serviceId ?? findByName(stack, name)?.id;
        const owner = program.filter((each) => each.name === serviceFrom).map(urnIn);
        return [urnIn(declared), ...owner, ...(id === undefined ? [] : [String(id)])];
      });
    const posts = api.requests().filter(({ method }) => method === "POST");
    const sent = [...creations].flatMap(([key, { urn }]) =>
      posts.some(({ body }) => key.endsWith(` ${body.name}`)) ? [urn] : [],
    );
    const created = where((each) => [...held, ...sent].includes(urnIn(each)));
    const has = (text: string) => where(({ args }) => JSON.stringify(args).includes(text));
    const second = where(({ name }) => isSecond(name));
    const isAutonamed = ADAPTER === "native" && history.isAutonamed;
    return {
      references: has("FromEnvironment"),
      "public keys": has("passwordPublicKey"),
      mappings: history.isMapped ? second : [],
      ...{
        folder: { "a journal in a folder": created },
        redis: { "a journal in Redis": created },
        off: { "no journal": created },
      }[history.place],
      adoption: has("existingServiceId"),
      autonaming: where(({ type, args }) => isAutonamed && type === "Service" && !args.name),
      ignoreChanges: where(({ ignoreChanges = [] }) => ignoreChanges.length > 0),
      retainOnDelete: where(({ retainOnDelete }) => retainOnDelete),
      protection: where(({ protect }) => protect),
      "shared lists": where(({ type }) => type === "ServiceAccess"),
      "complete lists": [
        ...where(
          ({ type, args }) => type === "Service" && (args.ipAccessList || args.privateEndpointIds),
        ),
        ...has("tableMappings"),
      ],
      components: where(({ isInComponent }) => isInComponent),
      transformations: where(({ name }) => transformed.includes(name)),
      "two accounts": second,
    };
  }

  return { met, trace, runStep };
}

/** The password in the output `encryptedPassword`. */
function open(encryptedPassword: string): string {
  const { privateKey: key } = PASSWORD_KEY;
  const options = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
  return privateDecrypt(options, Buffer.from(encryptedPassword, "base64")).toString();
}

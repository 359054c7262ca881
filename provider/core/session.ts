import { setMaxListeners } from "node:events";
import { createRedactor } from "pulumi-clouddb-facts";
import type { Client, Dependencies } from "../api/client";
import type { Api } from "../api/operations";
import { coded, type Message } from "../errors";
import { fieldPathsOf, secretTexts } from "../fields";
import { settingName } from "../names";
import { createIdentities } from "./backend";
import { connect } from "./connect";
import { type CreationJournal, createJournal } from "./creation-journal";
import { journalPlace, nameOfPlace, openStore, withoutPassword } from "./journal-place";
import { createOwners } from "./owners";
import { isTemporary } from "./pulumi-workspace";
import { credentialSecrets } from "./redactor";
import type { Context } from "./resource";
import { type ReadSettings, readSettings } from "./settings";
import { messageOf, PartialFailure, UserError } from "./user-error";

/** A session's dependencies on its process. */
export interface SessionDependencies extends Omit<Dependencies, "redact"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Shows the user a warning. Default: `log`. */
  readonly warn?: (line: Message) => void;
  /** True if the engine can import objects that the stack may already have. */
  readonly canImport?: boolean;
}

/** The settings, connections, rate limit, owners and known secrets that all resources of a plugin process share. */
export interface Session {
  readonly dependencies: Omit<Context, "identity">;
  /** The context of an operation on the resource with this URN, which may have to end at a deadline. */
  readonly contextFor: (urn: string, deadline?: AbortSignal) => Context;
  /** The client of one API. Connects on the first call; throws a sentence that names missing settings. */
  readonly clientFor: (api: Api) => Client;
  /** Takes the provider's configuration. Without one the environment alone counts. */
  readonly configure: (configured: (key: string) => unknown) => void;
  /** The error of an operation without known secrets and without a stack trace. */
  readonly redacted: (error: unknown) => UserError;
}

/** The part of a context that ends the waits of an operation at a deadline, whose reason is the message about that. */
function limitsOf({ client, cancellation }: Session["dependencies"], deadline: AbortSignal) {
  const limits = { deadline, cancellation: cancellation ? AbortSignal.any([cancellation, deadline]) : deadline };
  // One for each wait of the operation.
  setMaxListeners(0, limits.cancellation);
  const limitedClient = (): Client => {
    const { call, callUnlessDone } = client();
    return {
      call: (operation, parameters, options) => call(operation, parameters, { ...options, ...limits }),
      callUnlessDone: (operation, parameters, options) =>
        callUnlessDone(operation, parameters, { ...options, ...limits }),
    };
  };
  return { ...limits, client: limitedClient };
}

export function createSession(host: SessionDependencies): Session {
  const { environment } = host;
  const redactor = createRedactor();
  let read: ReadSettings | undefined;
  const clients = new Map<Api, Client>();
  let journal: CreationJournal | undefined;
  let journalSettings: string | undefined;
  const settings = () => read ?? configure(() => undefined);

  function configure(configured: (key: string) => unknown): ReadSettings {
    read = readSettings(configured, environment);
    const { journal: place, baseUrl, keySecret } = read.settings;
    const ofJournal = JSON.stringify([place, baseUrl, keySecret]);
    // Pulumi configures a dynamic provider once for each type of resource.
    if (ofJournal !== journalSettings) journal = undefined;
    journalSettings = ofJournal;
    redactor.addSecrets(credentialSecrets(read.settings));
    return read;
  }

  function clientFor(api: Api): Client {
    const known = clients.get(api);
    if (known !== undefined) return known;
    const client = connect(api, settings(), { ...host, redact: redactor.redact });
    clients.set(api, client);
    return client;
  }

  function openJournal(): CreationJournal | undefined {
    const { journal: configured, baseUrl = "", keySecret = "" } = settings().settings;
    const place = journalPlace(configured, environment);
    if (place === undefined) return undefined;
    const warn = (line: Message) => host.log(redactMessage(line));
    journal ??= createJournal({
      store: openStore(place, redactor.redact),
      place: nameOfPlace(place),
      configured: configured === undefined ? undefined : withoutPassword(place),
      baseUrl,
      keySecret,
      warn,
    });
    if (configured !== undefined || !isTemporary(environment)) return journal;
    const { begin, beginAddition } = journal;
    return {
      ...journal,
      begin: warnAfter(begin, place, "a creation that is canceled may then be repeated as a second one"),
      beginAddition: warnAfter(beginAddition, place, "entries whose addition is canceled may then count as shared"),
    };
  }

  let hasWarned = false;
  /** The first record of a machine that may be thrown away warns; a place that cannot be written has warned already. */
  function warnAfter<Args extends readonly unknown[], Recorded>(
    begin: (...args: Args) => Promise<Recorded>,
    place: string,
    loss: string,
  ): typeof begin {
    return async (...args) => {
      const recorded = await begin(...args);
      const text = `The creation journal is in ${place}, which a CI runner or a pod loses with its machine: ${loss}. Set ${settingName("journal")} to a folder that is kept across runs, or to a Redis server.`;
      if (recorded !== undefined && !hasWarned) dependencies.log(coded("CDB4014", text));
      hasWarned = true;
      return recorded;
    };
  }

  const redactMessage = ({ code, text }: Message) => coded(code, redactor.redactOwn(text));

  const dependencies: Session["dependencies"] = {
    clock: host.clock,
    cancellation: host.cancellation,
    isEngineAlive: host.isEngineAlive,
    owners: createOwners(),
    canImport: host.canImport === true,
    client: () => clientFor("management"),
    settings,
    journal: openJournal,
    addSecret: (secret) => redactor.addSecrets([secret]),
    addSecretsOf(definition, ...properties) {
      // The settings hold secrets, too.
      settings();
      redactor.addSecrets(properties.flatMap((values) => secretTexts(definition, values)));
      redactor.addNames(fieldPathsOf(definition.fields).map(({ name }) => name));
    },
    redact: redactor.redactOwn,
    log: (line) => host.log(redactMessage(line)),
    warn: (line) => (host.warn ?? host.log)(redactMessage(line)),
  };
  const identityOf = createIdentities(environment, process.cwd());

  return {
    dependencies,
    contextFor: (urn, deadline) => ({
      ...dependencies,
      identity: identityOf(urn),
      ...(deadline && limitsOf(dependencies, deadline)),
    }),
    clientFor,
    configure,
    redacted(error) {
      const text = redactMessage(messageOf(error));
      return error instanceof PartialFailure ? new PartialFailure(error.id, error.state, text) : new UserError(text);
    },
  };
}

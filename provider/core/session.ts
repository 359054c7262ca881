import { setMaxListeners } from "node:events";
import type { Api, Client, Dependencies } from "../api";
import { coded, type Message } from "../errors";
import { type Definition, fieldPathsOf, type Properties, secretTexts } from "../fields";
import { settingName } from "../names";
import { connect, missingSettings } from "./connect";
import { type CreationJournal, createJournal } from "./creation-journal";
import { journalPlace, nameOfPlace, openStore, withoutPassword } from "./journal-place";
import { isTemporary } from "./pulumi-workspace";
import { createRedactor, credentialSecrets } from "./redactor";
import type { HandlerDependencies } from "./resource-type";
import { type ReadSettings, readSettings } from "./settings";
import { messageOf, PartialFailure, UserError } from "./user-error";

/** A session's dependencies on its process. */
export interface SessionDependencies extends Omit<Dependencies, "redact"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The settings, connections, rate limit and known secrets that all resources of a plugin process share. */
export interface Session {
  readonly dependencies: HandlerDependencies;
  /** The client of one API, made when it is first needed; throws a sentence that names the settings it lacks. */
  readonly clientFor: (api: Api) => Client;
  /** Takes the provider's configuration. Without one the environment alone counts. */
  readonly configure: (configured: (key: string) => unknown) => void;
  /** Run an operation on these properties; its errors show none of their secrets, and no stack trace. */
  readonly run: <Result>(
    definition: Definition,
    properties: readonly Properties[],
    operation: () => Promise<Result>,
  ) => Promise<Result>;
}

/** The session for one operation that has to end at a deadline, whose reason is the message about that. */
export function withDeadline(session: Session, deadline: AbortSignal): Session {
  const { dependencies } = session;
  const { cancellation = deadline } = dependencies;
  const limits = { deadline, cancellation: AbortSignal.any([cancellation, deadline]) };
  // One for each wait of the operation.
  setMaxListeners(0, limits.cancellation);
  const client = (): Client => {
    const { call, callUnlessDone } = dependencies.client();
    return {
      call: (operation, parameters, options) => call(operation, parameters, { ...options, ...limits }),
      callUnlessDone: (operation, parameters, options) =>
        callUnlessDone(operation, parameters, { ...options, ...limits }),
    };
  };
  return { ...session, dependencies: { ...dependencies, ...limits, client } };
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
    return { ...journal, begin: warnAfter(journal.begin, place, warn) };
  }

  let hasWarned = false;
  /** Creations of a machine that may be thrown away warn once; one without a record has warned already. */
  function warnAfter(begin: CreationJournal["begin"], place: string, warn: (line: Message) => void): typeof begin {
    return async (...creation) => {
      const recorded = await begin(...creation);
      if (recorded !== undefined && !hasWarned) {
        warn(
          coded(
            "CDB4014",
            `The creation journal is in ${place}, which a CI runner or a pod loses with its machine: a creation that is canceled may then be repeated as a second one. Set ${settingName("journal")} to a folder that is kept across runs, or to a Redis server.`,
          ),
        );
      }
      hasWarned = true;
      return recorded;
    };
  }

  const redactMessage = ({ code, text }: Message) => coded(code, redactor.redactOwn(text));

  function addSecretsOf(definition: Definition, ...properties: readonly Properties[]): void {
    redactor.addSecrets(properties.flatMap((values) => secretTexts(definition, values)));
    redactor.addNames(fieldPathsOf(definition.fields).map(({ name }) => name));
  }

  return {
    dependencies: {
      clock: host.clock,
      cancellation: host.cancellation,
      isEngineAlive: host.isEngineAlive,
      client: () => clientFor("management"),
      settings,
      journal: openJournal,
      missingSettings: () => missingSettings("management", settings()),
      addSecret: (secret) => redactor.addSecrets([secret]),
      addSecretsOf,
      redact: redactor.redactOwn,
      redactMessage,
      log: (line) => host.log(redactMessage(line)),
    },
    clientFor,
    configure,
    async run(definition, properties, operation) {
      try {
        // Their secrets have to be known before the operation says anything.
        settings();
        addSecretsOf(definition, ...properties);
        return await operation();
      } catch (error) {
        const message = redactMessage(messageOf(error));
        throw error instanceof PartialFailure
          ? new PartialFailure(error.id, error.state, message)
          : new UserError(message);
      }
    },
  };
}

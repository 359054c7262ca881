import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createRedactor } from "pulumi-clouddb-facts";
import type { CallOptions, Client, Dependencies, WaitLimits } from "../../api/client";
import type { Api } from "../../api/endpoints";
import { coded, type Message } from "../../errors";
import {
  type Definition,
  fieldPathsOf,
  type Properties,
  referencesIn,
  secretTexts,
} from "../../fields";
import { userAgent } from "../../names";
import { type CreationJournal, createJournal } from "../journal/creation-journal";
import type { ResourceIdentity } from "../journal/record";
import { openStore } from "../journal/stores";
import { createClaims } from "../lists/claims";
import { createLedger } from "../lists/ledger";
import { createTurns } from "../lists/turns";
import type { Context } from "../object/resource";
import { messageOf, PartialFailure, UserError } from "../object/user-error";
import { findBackend, isTemporary } from "./backend";
import { configureClient } from "./create-client";
import { createSecretReader, type Environment, variablesOf } from "./environment";
import { credentialSecrets, type ReadSettings, readSettings } from "./settings";

export interface SessionDependencies extends Omit<Dependencies, "redact"> {
  readonly environment: Environment;
  /** Shows a warning to the user. Default: `log`. */
  readonly warn?: (line: Message) => void;
  /** True if the engine can import objects that may already be in the stack. */
  readonly canImport?: boolean;
  /** Identifies this command's engine, with the same text in each of its plugin processes. */
  readonly engine?: () => string | undefined;
  /** The provider's command, as users run it. Default: the package's command. */
  readonly command?: string;
}

export type Session = ReturnType<typeof createSession>;

/** The wait limits of an operation. Its deadline has the message as the reason. */
function limitsOf(
  cancellation: AbortSignal | undefined,
  deadline: AbortSignal | undefined,
): WaitLimits {
  if (deadline === undefined) return {};
  const limits = {
    deadline,
    cancellation: cancellation ? AbortSignal.any([cancellation, deadline]) : deadline,
  };
  // Each wait of the operation adds a listener.
  setMaxListeners(0, limits.cancellation);
  return limits;
}

/** A client that adds options to each call of an operation. */
function withOptions({ call, callUnlessDone }: Client, own: CallOptions): Client {
  return {
    call: (operation, parameters, options) => call(operation, parameters, { ...options, ...own }),
    callUnlessDone: (operation, parameters, options) =>
      callUnlessDone(operation, parameters, { ...options, ...own }),
  };
}

/**
 * Makes a value once for each key. Pulumi configures a dynamic provider once for each type of
 * resource: equal settings share a client and a journal.
 */
function createCache<Value>() {
  const values = new Map<string, Value>();
  return (key: readonly unknown[], create: () => Value): Value => {
    const text = JSON.stringify(key);
    const value = values.get(text) ?? create();
    values.set(text, value);
    return value;
  };
}

/** The settings, connections, rate limit, owners and known secrets of a plugin process. */
export function createSession(host: SessionDependencies) {
  const redactor = createRedactor();
  let read: ReadSettings | undefined;
  const clients = createCache<Client>();
  const journals = createCache<CreationJournal>();
  const processId = randomUUID();
  const settings = () => read ?? configure(() => undefined);

  /** Sets the provider's configuration. Without a call, only the environment counts. */
  function configure(configured: (key: string) => unknown): ReadSettings {
    read = readSettings(configured, host.environment);
    redactor.addSecrets(credentialSecrets(read.settings));
    return read;
  }

  /**
   * The client of one interface. Connects on the first call; throws a message with missing
   * settings.
   */
  const clientFor = (api: Api) =>
    clients([api, settings().settings], () =>
      configureClient(api, settings(), { ...host, redact: redactor.redact }),
    );

  const redactMessage = ({ code, text }: Message) => coded(code, redactor.redactOwn(text));
  const warn = (line: Message) => (host.warn ?? host.log)(redactMessage(line));

  /** The creation journal of the current settings. */
  function journal(): CreationJournal {
    const { environment, engine, command = "npx --no-install pulumi-clouddb" } = host;
    const { journal: place, baseUrl = "", keySecret = "" } = settings().settings;
    return journals([place, baseUrl, keySecret], () =>
      createJournal({
        store: openStore(place, environment, redactor.redact),
        command,
        engine: engine?.() ?? processId,
        isConfigured: place !== undefined,
        isAtRisk: place === undefined && isTemporary(environment),
        baseUrl,
        keySecret,
        warn,
      }),
    );
  }

  const secretValues = createSecretReader(
    () => variablesOf(host.environment, settings().mappings),
    (value) => redactor.addSecrets([value]),
    warn,
  );
  const ledger = createLedger();
  const dependencies: Omit<Context, "identity"> = {
    clock: host.clock,
    cancellation: host.cancellation,
    isEngineAlive: host.isEngineAlive,
    owners: createClaims(ledger),
    ledger,
    turns: createTurns(),
    canImport: host.canImport === true,
    client: () => clientFor("management"),
    settings,
    journal,
    addSecret: (secret) => redactor.addSecrets([secret]),
    secretValues,
    redact: redactor.redactOwn,
    log: (line) => host.log(redactMessage(line)),
    warn,
  };
  const folder = process.cwd();
  let foundBackend: ReturnType<typeof findBackend> | undefined;

  /** The identity of a resource. The backend is only determined if the journal needs it. */
  function identityOf(urn: string): ResourceIdentity {
    const backend = () => {
      foundBackend ??= findBackend(host.environment, folder);
      return foundBackend;
    };
    return {
      urn,
      get backend() {
        return backend().place;
      },
      get backendAddress() {
        return backend().address;
      },
    };
  }

  return {
    dependencies,
    clientFor,
    configure,
    /** Redacts known secrets in foreign text. */
    redact: redactor.redact,
    /** The context of an operation on the resource with this URN. A deadline ends its waits. */
    contextFor(urn: string, deadline?: AbortSignal): Context {
      // Reading the settings registers their secrets.
      settings();
      const limits = limitsOf(host.cancellation, deadline);
      const options = { ...limits, userAgent: userAgent(urn) };
      const client = () => withOptions(dependencies.client(), options);
      return { ...dependencies, identity: identityOf(urn), ...limits, client };
    },
    /** Registers secrets in properties, including secrets by reference. */
    addSecretsOf(definition: Definition, properties: Properties, resolved: Properties): void {
      redactor.addSecrets(secretTexts(definition, properties));
      // A refresh sends no secrets, but a server may echo them in an error.
      for (const { variable } of referencesIn(resolved)) secretValues.read(variable);
      redactor.addNames(fieldPathsOf(definition.fields).map(({ name }) => name));
    },
    /** The error without known secrets and stack trace. */
    redacted(error: unknown): UserError {
      const text = redactMessage(messageOf(error));
      return error instanceof PartialFailure
        ? new PartialFailure(error.id, error.state, text)
        : new UserError(text);
    },
  };
}

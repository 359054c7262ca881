import type { Clock } from "../../provider/api/rate-limiter";
import type { FaultRule, ReadyLine } from "../../simulator/index";
import { startDynamic } from "../support/adapters/dynamic";
import {
  ADAPTER,
  type Failure,
  type Handlers,
  type Host,
  type LocalProcess,
  type Properties,
  type ResourceType,
} from "../support/adapters/handlers";
import { startNative } from "../support/adapters/native";
import { compare } from "../support/engine/plan";
import { refresh, type StepResult, up } from "../support/engine/resource";
import type { Stored } from "../support/engine/state";

export type { Failure, Handlers, Properties, ResourceType };

/** A server's address and credentials for the handlers. */
export type ServerConnection = Pick<
  ReadyLine,
  "baseUrl" | "keyId" | "keySecret" | "organizationId"
>;

/**
 * The real handlers of one resource type for a server in this process. Waits take no time unless a
 * clock is given.
 */
export function createHandlers(
  type: ResourceType,
  server: ServerConnection,
  environment?: Record<string, string>,
  host?: Partial<Host>,
): Handlers & { messages: string[] } {
  const { handlersFor, messages } = startProcess(server, environment, host);
  return { ...handlersFor(type), messages };
}

const startAdapter = { dynamic: startDynamic, native: startNative }[ADAPTER];

/** A plugin process of the adapter under test. */
export function startProcess(
  server: ServerConnection,
  environment: Record<string, string> = {},
  host: Partial<Host> = {},
): LocalProcess {
  return startAdapter({
    environment: { ...environmentFor(server), ...environment },
    clock: fakeClock(),
    random: () => 1,
    ...host,
  });
}

/** The provider's settings for a server. */
export function environmentFor(server: ServerConnection) {
  return {
    CLOUDDB_BASE_URL: server.baseUrl,
    CLOUDDB_KEY_ID: server.keyId,
    CLOUDDB_KEY_SECRET: server.keySecret,
    CLOUDDB_ORGANIZATION_ID: server.organizationId,
    CLOUDDB_REQUEST_TIMEOUT_SECONDS: "5",
    CLOUDDB_MAX_RETRIES: "3",
    CLOUDDB_JOURNAL: "off",
    PULUMI_BACKEND_URL: "file:///states",
  };
}

export const STARTED_AT = Date.parse("2026-11-21T10:00:00Z");

/** A clock that only sleeping moves forward. */
export function fakeClock(): Clock {
  let now = STARTED_AT;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}

/** The inputs as the engine passes them on after a successful check. */
export async function checkInputs(
  handlers: Handlers,
  args: Properties,
  oldInputs: Properties = {},
): Promise<Properties> {
  const { inputs, failures } = await handlers.check(oldInputs, args);
  expect(failures).toEqual([]);
  return inputs;
}

export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  return work.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: Failure) => error,
  );
}

/**
 * A resource of a stack after a command. Each command returns the next state and leaves this one
 * unchanged, so that a test can repeat a command from a state that a crash has left behind.
 */
export class StackResource {
  constructor(
    readonly handlers: Handlers,
    readonly id: string,
    readonly inputs: Properties,
    readonly outs: Properties,
    readonly isPartial = false,
  ) {}

  /** The resource in another process of the plugin. */
  in(handlers: Handlers): StackResource {
    return stackResource(handlers, this.stored);
  }

  /** The resource as a state with other values has it. */
  withOuts(outs: Properties): StackResource {
    return stackResource(this.handlers, { ...this.stored, outputs: { ...this.outs, ...outs } });
  }

  check(args: Properties): Promise<Properties> {
    return checkInputs(this.handlers, args, this.inputs);
  }

  /** The preview's difference. Without arguments, the program is unchanged. */
  async diff(args: Properties = this.inputs) {
    return compare(this.handlers, this.stored, await this.check(args));
  }

  /** `pulumi up`, which has to be an update. */
  async update(args: Properties): Promise<StackResource> {
    const result = await up(this.handlers, this.stored, args);
    const next = succeeded(this.handlers, result);
    if (result.action !== "update") throw new Error(`the engine's step is: ${result.action}`);
    return next;
  }

  async up(args: Properties): Promise<StackResource> {
    return succeeded(this.handlers, await up(this.handlers, this.stored, args));
  }

  async failedUpdate(args: Properties) {
    return failed(this.handlers, await up(this.handlers, this.stored, args));
  }

  async refresh(): Promise<StackResource> {
    return succeeded(this.handlers, await refresh(this.handlers, this.stored));
  }

  delete(): Promise<void> {
    return this.handlers.delete(this.id, this.outs);
  }

  private get stored(): Stored {
    const { id, inputs, outs, isPartial } = this;
    return { id, inputs, outputs: outs, isPartial };
  }
}

const NONE: Stored = { id: "", inputs: {}, outputs: {}, isPartial: false };

function stackResource(handlers: Handlers, { id, inputs, outputs, isPartial }: Stored) {
  return new StackResource(handlers, id, inputs, outputs, isPartial);
}

function succeeded(handlers: Handlers, { stored = NONE, error }: StepResult): StackResource {
  if (error) throw error;
  return stackResource(handlers, stored);
}

/** The failure, with the resource as the engine stores it then. */
function failed(handlers: Handlers, { stored = NONE, error }: StepResult) {
  if (error === undefined) throw new Error("it did not fail");
  return Object.assign(error as Failure, { stored: stackResource(handlers, stored) });
}

export async function create(handlers: Handlers, args: Properties): Promise<StackResource> {
  return succeeded(handlers, await up(handlers, undefined, args));
}

/** The failure, with the inputs of the creation. */
export async function failedCreation(handlers: Handlers, args: Properties) {
  let inputs: Properties = {};
  const creating: Handlers = {
    ...handlers,
    create(checked) {
      inputs = checked;
      return handlers.create(checked);
    },
  };
  return Object.assign(failed(handlers, await up(creating, undefined, args)), { inputs });
}

type Method = "GET" | "POST" | "PATCH";

/** Applies the request, and shows these properties in the response. */
export const answer = (method: Method, result: Properties): FaultRule => ({
  method,
  effect: { kind: "answer", result },
});
export const refuse = (method: Method, status: number): FaultRule => ({
  method,
  effect: { kind: "status", status },
});
/** Applies the request, and loses the response. */
export const loseResponse = (method: Method): FaultRule => ({
  method,
  effect: { kind: "reset", when: "after" },
});
export const loseRequest = (method: Method): FaultRule => ({
  method,
  effect: { kind: "reset", when: "before" },
});
export const once = (rule: FaultRule): FaultRule => ({ ...rule, times: 1 });

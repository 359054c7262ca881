import type { FaultRule } from "../../simulator/index";
import { checkInputs, failureOf, type Handlers, type Properties } from "./support";

/**
 * A resource of a stack after a command. Each command returns the next state and leaves this one unchanged, so that a
 * test can repeat a command from a state that a crash has left behind.
 */
export class StackResource {
  constructor(
    readonly handlers: Handlers,
    readonly id: string,
    readonly inputs: Properties,
    readonly outs: Properties,
  ) {}

  /** The resource in another process of the plugin. */
  in(handlers: Handlers): StackResource {
    return new StackResource(handlers, this.id, this.inputs, this.outs);
  }

  /** The resource as a state with other values has it. */
  withOuts(outs: Properties): StackResource {
    return new StackResource(this.handlers, this.id, this.inputs, { ...this.outs, ...outs });
  }

  check(args: Properties): Promise<Properties> {
    return checkInputs(this.handlers, args, this.inputs);
  }

  /** Without arguments, the program is unchanged. */
  async diff(args: Properties = this.inputs) {
    return this.handlers.diff(this.id, this.outs, await this.check(args), this.inputs);
  }

  /** An update, whatever diff returns. */
  async update(args: Properties): Promise<StackResource> {
    const inputs = await this.check(args);
    const { outs } = await this.handlers.update(this.id, this.outs, inputs);
    return new StackResource(this.handlers, this.id, inputs, outs);
  }

  /** `pulumi up`: an update only if diff finds changes. */
  async up(args: Properties): Promise<StackResource> {
    const { changes } = await this.diff(args);
    if (changes !== false) return this.update(args);
    return new StackResource(this.handlers, this.id, await this.check(args), this.outs);
  }

  async failedUpdate(args: Properties) {
    const inputs = await this.check(args);
    const failure = await failureOf(this.handlers.update(this.id, this.outs, inputs));
    const stored = new StackResource(
      this.handlers,
      this.id,
      inputs,
      failure.properties ?? this.outs,
    );
    return Object.assign(failure, { stored });
  }

  async refresh(): Promise<StackResource> {
    const {
      id = "",
      inputs = this.inputs,
      props = {},
    } = await this.handlers.read(this.id, this.outs);
    return new StackResource(this.handlers, id, inputs, props);
  }

  delete(): Promise<void> {
    return this.handlers.delete(this.id, this.outs);
  }
}

export async function create(handlers: Handlers, args: Properties): Promise<StackResource> {
  const inputs = await checkInputs(handlers, args);
  const { id, outs } = await handlers.create(inputs);
  return new StackResource(handlers, id, inputs, outs);
}

/** A failure, with the resource as the engine stores it then. */
export async function failedCreation(handlers: Handlers, args: Properties) {
  const inputs = await checkInputs(handlers, args);
  const failure = await failureOf(handlers.create(inputs));
  const stored = new StackResource(handlers, failure.id ?? "", inputs, failure.properties ?? {});
  return Object.assign(failure, { stored });
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

import type { Failure, Handlers, Properties } from "../adapters/handlers";
import {
  type Command,
  createResult,
  type Result,
  runProgram,
  runRefresh,
  type Schedule,
} from "./command";
import { type Stack, type Stored, urnOf } from "./state";

/** Commands without disturbances, on a stack or on one resource. */

/** The result of a command for the resource. */
export interface StepResult {
  readonly stored: Stored | undefined;
  readonly error?: Failure;
  /** The planned step; `same` if none was planned. */
  readonly action: string;
}

/** Each event after the end of the one before; nothing dies. */
const IN_ORDER: Schedule = {
  isDead: () => false,
  turn: async () => {},
  async run(isOver, events) {
    while (!isOver()) {
      const [next] = events();
      if (next === undefined) throw new Error("the command hangs");
      await next();
    }
  },
};

/** Runs a command with --continue-on-error. A failed check still ends the program. */
export async function runInOrder(
  stack: Stack,
  handlersFor: Command["handlersFor"],
  work: (command: Command) => Promise<void>,
): Promise<Result> {
  const result = createResult();
  const order = { schedule: IN_ORDER, parallel: 1, continuesOnError: true };
  await work({ stack, handlersFor, result, ...order });
  return result;
}

/** Handlers of one resource do not depend on its URN. */
const RESOURCE = { name: "db", type: "Service", after: [] } as const;

/** `pulumi up` of a program with these arguments. */
export function up(
  handlers: Handlers,
  stored: Stored | undefined,
  args: Properties,
): Promise<StepResult> {
  return run(handlers, stored, (command) => runProgram(command, [{ ...RESOURCE, args }]));
}

/** `pulumi refresh`. */
export async function refresh(handlers: Handlers, stored: Stored): Promise<StepResult> {
  return { ...(await run(handlers, stored, runRefresh)), action: "refresh" };
}

async function run(
  handlers: Handlers,
  stored: Stored | undefined,
  work: (command: Command) => Promise<void>,
): Promise<StepResult> {
  const stack: Stack = { name: "dev", resources: [] };
  const urn = urnOf(stack, RESOURCE.type, RESOURCE.name);
  if (stored) stack.resources = [{ ...stored, urn }];
  const result = await runInOrder(stack, () => handlers, work);
  const [failure] = result.failures;
  return {
    stored: stack.resources.find(({ isToDelete }) => !isToDelete),
    ...(failure && { error: failure.error }),
    action: result.actions.get(RESOURCE.name) ?? "same",
  };
}

import { environmentFor, fakeClock } from "../contract/support";
import type { Api } from "../faults/model/api";
import { createSchedule } from "../faults/model/schedule";
import { startAdapter } from "../support/adapters";
import { createResult, runProgram, runRefresh } from "../support/engine/command";
import { type Declared, handlersAt, type Stack } from "../support/engine/state";
import { type History, knownName, nextProgram, type Program, type Step } from "./history";
import { codesIn, type Observation } from "./observation";

/** A step with what its command needs: the program, and the URNs of what it names. */
export interface ResolvedStep extends Step {
  readonly isPreview: boolean;
  readonly program: Program;
  readonly targetUrn?: string | undefined;
  readonly replacedUrn?: string | undefined;
}

/** Runs a history in the twin, and at its end a preview of the first stack. */
export async function runOnTwin(
  api: Api,
  history: History,
  environment: Readonly<Record<string, string>>,
): Promise<{ steps: ResolvedStep[]; observations: Observation[] }> {
  const { server } = api;
  await api.reset(false);
  const stacks = new Map<string, Stack>();
  const programs = new Map<string, Program>();
  const steps: ResolvedStep[] = [];
  const observations: Observation[] = [];

  async function run(step: Step, isPreview: boolean): Promise<void> {
    const stack = stacks.get(step.stack) ?? { name: step.stack, project: "test", resources: [] };
    stacks.set(step.stack, stack);
    const before = programs.get(step.stack) ?? {};
    const program = step.command === "refresh" || isPreview ? before : nextProgram(before, step);
    programs.set(step.stack, program);
    const find = (slot: Step["target"]) => {
      const name = knownName(stack, program, slot);
      return stack.resources.find(({ urn }) => name && urn.endsWith(`::${name}`))?.urn;
    };
    const [targetUrn, replacedUrn] = [find(step.target), find(step.replaced)];
    steps.push({ ...step, isPreview, program, targetUrn, replacedUrn });

    if (step.edit) await server.change(...step.edit);
    server.received();
    api.begin(stack.name);
    const process = startAdapter({
      environment: { ...environmentFor(server), ...environment },
      clock: fakeClock(),
      random: () => 1,
    });
    const command = {
      stack,
      handlersFor: (urn: string) => handlersAt(process, urn),
      schedule: createSchedule(api, { fault: isPreview ? undefined : step.fault }),
      parallel: 1,
      isPreview,
      continuesOnError: step.continuesOnError,
      result: createResult(),
    };
    const { schedule, result } = command;
    const hasFailed = () => result.failures.length > 0 || schedule.isDead();
    const isTarget = (urn: string) =>
      step.command === "refresh" || targetUrn === undefined || urn === targetUrn;
    if (step.command !== "up" && !isPreview) await runRefresh(command, isTarget);
    if (isPreview || (step.command !== "refresh" && !hasFailed()))
      await runProgram(command, declare(program, targetUrn, replacedUrn));
    observations.push({
      hasFailed: hasFailed(),
      operations: result.operations.map((operation) => operation.join(" ")),
      requests: server.received(),
      codes: codesIn([...process.messages, ...result.errors].join("\n")),
      state: stack.resources.map(({ dependencies, serviceFrom, ...resource }) => resource),
    });
  }

  for (const step of history) await run(step, false);
  await run({ ...PREVIEW, resources: {} } as Step, true);
  return { steps, observations };
}

const PREVIEW = { stack: "dev", command: "up", continuesOnError: false };

function declare(program: Program, targetUrn?: string, replacedUrn?: string): Declared[] {
  const all = Object.values(program);
  return all.map(({ args, transformed, ...resource }, index): Declared => {
    const isNamed = (urn: string) => urn.endsWith(`:${resource.type}::${resource.name}`);
    const isRetained = resource.type === "Service" && resource.retainOnDelete === true;
    return {
      ...resource,
      args: { ...args, ...transformed },
      // The order that the classes set.
      ...(!isRetained && { deleteBeforeReplace: true }),
      ...(targetUrn && { isNoTarget: !isNamed(targetUrn) }),
      replace: replacedUrn && isNamed(replacedUrn) ? "delete first" : undefined,
      after: index > 0 ? [all[index - 1]?.name ?? ""] : [],
    };
  });
}

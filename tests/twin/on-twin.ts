import type { Api } from "../faults/model/api";
import { type Slot, slots } from "../faults/model/scenario";
import { createSchedule, type Disturbance } from "../faults/model/schedule";
import type { Handlers } from "../support/adapters/handlers";
import { type Command, createResult, runProgram, runRefresh } from "../support/engine/command";
import { type Declared, findByName, type Stack, urnOf } from "../support/engine/state";
import { names, type Program, type ResolvedStep, type Step } from "./history";

/** Steps of histories in the twin. */

export interface TwinRun extends Command {
  readonly hasFailed: boolean;
}

/** The stacks and programs of one history. */
export function createTwin(api: Api) {
  const stacks = new Map<string, Stack>();
  const programs = new Map<string, Program>();

  return {
    stackOf(step: Pick<Step, "stack">): Stack {
      const stack = stacks.get(step.stack) ?? { name: step.stack, project: "test", resources: [] };
      stacks.set(step.stack, stack);
      return stack;
    },
    stacks: () => [...stacks.values()],
    /** The step with its program, which a preview and a refresh leave as it is. */
    resolve(step: Step, isPreview: boolean, parallel: number): ResolvedStep {
      const stack = this.stackOf(step);
      const before = programs.get(step.stack) ?? {};
      const program = step.command === "refresh" || isPreview ? before : nextProgram(before, step);
      programs.set(step.stack, program);
      // Targets and replacements name resources that the state has.
      const find = (slot: Step["target"]) =>
        slot && findByName(stack, program[slot]?.name ?? "")?.urn;
      const [targetUrn, replacedUrn] = [find(step.target), find(step.replaced)];
      return { ...step, isPreview, parallel, program, targetUrn, replacedUrn };
    },
    /** Runs the command of a step on a stack. */
    async run(
      stack: Stack,
      step: ResolvedStep,
      disturbance: Disturbance,
      handlersFor: Command["handlersFor"],
      declared = declare(step),
    ): Promise<TwinRun> {
      const plugin = createDeath();
      const command: Command = {
        stack,
        handlersFor: (urn) => plugin.mortal(handlersFor(urn)),
        schedule: createSchedule(api, disturbance, plugin.die),
        parallel: step.parallel,
        isPreview: step.isPreview,
        continuesOnError: step.continuesOnError,
        result: createResult(),
      };
      const { schedule, result } = command;
      const isRefused = !isIntact(stack);
      const hasFailed = () => isRefused || result.failures.length > 0 || schedule.isDead();
      const isTarget = (urn: string) =>
        step.command === "refresh" || step.targetUrn === undefined || urn === step.targetUrn;
      if (step.command !== "up" && !isRefused) await runRefresh(command, isTarget);
      if (step.command !== "refresh" && !hasFailed()) await runProgram(command, declared);
      renameDependencies(stack, step.program);
      return { ...command, hasFailed: hasFailed() };
    },
  };
}

/** The engine refuses a state in which a resource depends on one that does not come before it. */
function isIntact({ resources }: Stack): boolean {
  return resources.every(({ dependencies = [] }, index) => {
    const before = resources.slice(0, index).map(({ urn }) => urn);
    return dependencies.every((urn) => before.includes(urn));
  });
}

/**
 * Dependencies on a renamed resource have the name in the state, which targets may have kept from
 * changing.
 */
function renameDependencies(stack: Stack, program: Program): void {
  for (const { type, name, alias } of Object.values(program)) {
    if (alias === undefined) continue;
    const both = [urnOf(stack, type, name), urnOf(stack, type, alias)];
    const current = both.find((urn) => stack.resources.some((each) => each.urn === urn)) ?? "";
    stack.resources = stack.resources.map(({ dependencies = [], ...resource }) => ({
      ...resource,
      dependencies: dependencies.map((each) => (both.includes(each) ? current : each)),
    }));
  }
}

export const PLUGIN_DEATH = "the plugin has died";

/** The death of a plugin: its calls, and all later ones, fail without a result. */
function createDeath() {
  let isDead = false;
  let die = () => {};
  const death = new Promise<never>((_, reject) => {
    die = () => {
      isDead = true;
      reject(new Error(PLUGIN_DEATH));
    };
  });
  death.catch(() => {});
  const mortal = (handlers: Handlers) =>
    new Proxy(handlers, {
      get: (_, name: keyof Handlers) => {
        const handler = handlers[name];
        if (typeof handler !== "function") return handler;
        const call = handler as (...args: unknown[]) => Promise<unknown>;
        return (...args: unknown[]) => (isDead ? death : Promise.race([call(...args), death]));
      },
    });
  return { die, mortal };
}

/** The resources that a step registers. */
export function declare({ program, parallel, targetUrn, replacedUrn }: ResolvedStep): Declared[] {
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
      after: index > 0 && parallel === 1 ? [all[index - 1]?.name ?? ""] : [],
    };
  });
}

/** The stack `us` shares a service and the organization with `dev`. */
const OF_US: readonly Slot[] = ["access", "organization"];

/** The program of the next step. */
function nextProgram(before: Program, step: Step): Program {
  const next: Program = { ...before };
  for (const slot of step.stack === "us" ? OF_US : names) {
    const { type, always } = slots[slot];
    const declared = step.resources[slot];
    const former = before[slot];
    if (step.removed === slot) delete next[slot];
    else if (former || declared) {
      const name = former?.name ?? slot;
      const isRenamed = step.renamed?.slot === slot;
      const args = declared ? { ...declared, ...always } : (former?.args ?? {});
      const [ignoring, place] = step.ignored ?? [];
      const transformed = step.transformed?.[slot];
      next[slot] = {
        name: isRenamed ? `${name}x` : name,
        type,
        args,
        ...(isRenamed && step.renamed?.hasAlias && { alias: name }),
        ...(type === "Service" && (step.protection ?? { protect: true })),
        ...(ignoring === slot && { ignoreChanges: place ? [place] : Object.keys(args) }),
        ...(transformed && { transformed }),
      };
    }
  }
  return next;
}

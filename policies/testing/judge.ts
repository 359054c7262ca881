import {
  type Policies,
  type ResourceValidationPolicy,
  type StackValidationPolicy,
  UnknownValueError,
} from "@pulumi/policy";
import { forgetRun } from "../core/resource";
import { commonArgs, judgedResources, NotApplicable, type Program } from "./program";

export interface Judgement {
  readonly violations: readonly string[];
  /** Checks skipped because of unknown values: the engine shows them as an advisory. */
  readonly unchecked: readonly string[];
}

/** Judges a program by a policy, as the engine does in a preview. */
export function judge(policy: Policies[number], program: Program): Promise<Judgement> {
  return alone(() => judgeAlone(policy, program));
}

async function judgeAlone(policy: Policies[number], program: Program): Promise<Judgement> {
  const violations: string[] = [];
  const unchecked: string[] = [];
  const report = (message: string) => void violations.push(message);
  const { validateResource = [] } = policy as ResourceValidationPolicy;
  const { validateStack } = policy as Partial<StackValidationPolicy>;
  const resources = judgedResources(program);
  for (const { declared } of resources) {
    for (const validate of [validateResource].flat()) {
      await unlessUnknown(() => validate(declared, report), unchecked);
    }
  }
  if (validateStack) {
    const finished = resources.map((resource) => resource.finished);
    await unlessUnknown(() => validateStack({ resources: finished, ...commonArgs(program) }, report), unchecked);
  }
  return { violations, unchecked };
}

let last: Promise<unknown> = Promise.resolve();

/** Runs judgements one after the other: policies share a memory of the program. */
function alone<Result>(run: () => Promise<Result>): Promise<Result> {
  const turn = last.then(() => {
    forgetRun();
    return run();
  });
  last = turn.catch(() => undefined);
  return turn;
}

async function unlessUnknown(run: () => unknown, unchecked: string[]): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof UnknownValueError) unchecked.push((error as Error).message);
    else if (!(error instanceof NotApplicable)) throw error;
  }
}

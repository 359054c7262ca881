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
  /** Checks that unknown values prevent. The engine shows them as an advisory. */
  readonly unchecked: readonly string[];
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Judges a program with a policy, as the engine does in a preview. Programs are judged one after
 * another, since policies share state.
 */
export function judge(policy: Policies[number], program: Program): Promise<Judgement> {
  const judgement = last.then(() => judgeAlone(policy, program));
  last = judgement.catch(() => undefined);
  return judgement;
}

async function judgeAlone(policy: Policies[number], program: Program): Promise<Judgement> {
  forgetRun();
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
    await unlessUnknown(
      () => validateStack({ resources: finished, ...commonArgs(program) }, report),
      unchecked,
    );
  }
  return { violations, unchecked };
}

async function unlessUnknown(run: () => unknown, unchecked: string[]): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof UnknownValueError) unchecked.push((error as Error).message);
    else if (!(error instanceof NotApplicable)) throw error;
  }
}

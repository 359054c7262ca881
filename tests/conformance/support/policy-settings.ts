import { configError } from "../../../policies/pack/config";
import { policies } from "../../../policies/rules";
import { judge } from "../../../policies/testing/judge";
import { CANARY } from "./fuzz";

/** What is wrong with the answer to a settings file, or with a judgement by these settings. */
export async function settingsProblem(text: string): Promise<string | undefined> {
  let config: Record<string, unknown>;
  try {
    config = JSON.parse(text);
  } catch {
    // The engine reads the file.
    return undefined;
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) return undefined;
  try {
    const error = configError(config as never);
    if (error !== undefined) return sentenceProblem(error);
    for (const policy of policies) {
      const own = config[policy.name];
      // A level alone leaves the settings of the policy, which may lack what it needs.
      if (typeof own !== "object" || own === null) continue;
      const { enforcementLevel = policy.enforcementLevel, ...settings } = own as Record<string, unknown>;
      if (enforcementLevel === "disabled") continue;
      const { good, bad } = policy.definition;
      for (const program of [good, bad]) {
        const { violations } = await judge(policy as never, { ...program, settings } as never);
        const problem = violations.map(sentenceProblem).find((found) => found !== undefined);
        if (problem !== undefined) return `${policy.name}: ${problem}`;
      }
    }
    return undefined;
  } catch (error) {
    const { message, stack } = error as Error;
    // Two patterns may contradict each other only in a stack that both match.
    return /^Invalid policy settings for the stack /.test(message) ? sentenceProblem(message) : `${stack}`;
  }
}

function sentenceProblem(text: string): string | undefined {
  const isBad = /undefined|\[object |NaN|\n\s+at |Cannot read propert|is not a function|Expected |Invalid input/.test(
    text,
  );
  return isBad || text.includes(CANARY) ? `this is no sentence: ${text.slice(0, 1000)}` : undefined;
}

import { toSingleLine } from "pulumi-clouddb-facts";
import { createSession, type SessionDependencies } from "./core/session/session";
import { render } from "./errors";
import { clock, environmentOfProcess } from "./hosts/process";
import { settingKey } from "./names";
import { parametersOf, runFunction } from "./resources/functions";

const MAX_TEXT_LENGTH = 100;

/** An alert as single-line texts without known secrets. */
export interface AlertReading {
  readonly state: string | undefined;
  readonly interval: string | undefined;
}

/**
 * Opens an alert with settings from the environment only. Each call of the result sends one
 * request, to watch the alert. Throws if a setting is missing or the ID is invalid.
 */
export function openAlert(
  id: string,
  host: Partial<SessionDependencies> = {},
): () => Promise<AlertReading> {
  const session = createSession({
    environment: environmentOfProcess(),
    clock,
    random: Math.random,
    log: (line) => console.error(render(line)),
    ...host,
  });
  session.configure((key) => (key === settingKey("maxRetries") ? "0" : undefined));
  parametersOf("getAlert", { id }, session.dependencies.settings());
  session.clientFor("observability");
  const shown = (text: unknown) =>
    typeof text === "string" ? toSingleLine(session.redact(text), MAX_TEXT_LENGTH) : undefined;
  return async () => {
    try {
      const { state, interval } = await runFunction("getAlert", { id }, session);
      return { state: shown(state), interval: shown(interval) };
    } catch (error) {
      throw session.redacted(error);
    }
  };
}

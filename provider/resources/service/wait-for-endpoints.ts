import { connect, isIP } from "node:net";
import { addAbortSignal } from "node:stream";
import { connect as connectSecurely } from "node:tls";
import { messageOfEnd } from "../../api/errors";
import { describeObject } from "../../core/object/messages";
import type { DeclaredTarget } from "../../core/object/resource";
import { type UserError, userError } from "../../core/object/user-error";
import { coded } from "../../errors";
import { isRecord, type Properties, withValue } from "../../fields";

/** The longest wait without `customTimeouts`. */
const LIMIT_MINUTES = 10;
const PAUSE_MS = 2000;
/** The pause between reads, since a new service may have no endpoints yet. */
const READ_PAUSE_MS = 10_000;
const ATTEMPT_MS = 10_000;
/** A load balancer without a backend accepts a connection but soon closes it. */
const OPEN_MS = 1000;
const SECURE = /https|secure|tls|ssl|:(443|8443|9440)$/i;

interface Endpoint {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
}

/** Waits until all endpoints answer, if declared, and stores the result. */
export async function waitForEndpoints(
  target: DeclaredTarget,
  state: Properties,
  read: (state: Properties) => Promise<Properties>,
): Promise<Properties> {
  const { clock, cancellation, deadline, isEngineAlive = async () => true, log } = target.context;
  const { waitForEndpoint } = target.inputs;
  const reachedIn = (reached: Properties) =>
    withValue(reached, ["waitForEndpoint"], waitForEndpoint);
  if (waitForEndpoint !== true || state.waitForEndpoint === true) return reachedIn(state);
  const until = deadline ? Number.POSITIVE_INFINITY : clock.now() + LIMIT_MINUTES * 60_000;

  /** Waits for the endpoints, a timeout or a cancellation. Returns the reason of a failure. */
  async function findEnd(): Promise<string | undefined> {
    if (cancellation?.aborted) return messageOfEnd(cancellation).text;
    if (clock.now() >= until) return `${LIMIT_MINUTES} minutes ended`;
    return (await isEngineAlive()) ? undefined : "the Pulumi engine exited";
  }

  async function findSilent(endpoint: Endpoint): Promise<{ place: string; end: string }[]> {
    for (let problem = "no answer"; ; await clock.sleep(PAUSE_MS, cancellation)) {
      const failure = await connectTo(endpoint, cancellation);
      if (failure === undefined) return [];
      if (!cancellation?.aborted) problem = failure;
      const end = await findEnd();
      if (end !== undefined) return [{ place: `${describe(endpoint)} (${problem})`, end }];
    }
  }

  let current = state;
  while (endpointsIn(current).length === 0) {
    const end = await findEnd();
    if (end !== undefined)
      throw failure(
        `${end} before the API returned an endpoint to wait for.`,
        "Enable one in endpoints, or remove waitForEndpoint.",
      );
    await clock.sleep(READ_PAUSE_MS, cancellation);
    current = await read(current);
  }
  const endpoints = endpointsIn(current);
  log(
    coded(
      "CDB4015",
      `Waiting until ${describeObject(target)} answers at ${endpoints.map(describe).join(", ")}.`,
    ),
  );
  const silent = (await Promise.all(endpoints.map(findSilent))).flat();
  const [first] = silent;
  if (first === undefined) return reachedIn(current);
  const places = silent.map(({ place }) => place).join(", ");
  throw failure(
    `${first.end} before it answered at ${places}.`,
    "Check that its access list includes this machine,",
    "that no firewall is in between and that this machine trusts its certificate, or remove waitForEndpoint.",
  );
}

function failure(...parts: readonly string[]): UserError {
  return userError("CDB4015", ...parts);
}

/** The enabled endpoints with an address. */
function endpointsIn({ serviceEndpoints }: Properties): Endpoint[] {
  const listed: unknown[] = Array.isArray(serviceEndpoints) ? serviceEndpoints : [];
  return listed.filter(
    (entry): entry is Endpoint => isRecord(entry) && Boolean(entry.host) && isPort(entry.port),
  );
}

function isPort(port: unknown): boolean {
  return Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
}

function describe({ protocol, host, port }: Endpoint): string {
  return `${protocol} ${host}:${port}`;
}

/** Connects once. Returns the reason of a failure. */
async function connectTo(
  { protocol, host, port }: Endpoint,
  cancellation: AbortSignal | undefined,
): Promise<string | undefined> {
  const isSecure = SECURE.test(`${protocol}:${port}`);
  try {
    const socket = isSecure
      ? connectSecurely({ host, port, ...(isIP(host) === 0 && { servername: host }) })
      : connect({ host, port });
    if (cancellation) addAbortSignal(cancellation, socket);
    await new Promise<void>((answered, failed) => {
      socket.setTimeout(ATTEMPT_MS);
      if (!isSecure) socket.once("connect", () => socket.setTimeout(OPEN_MS));
      socket.once(isSecure ? "secureConnect" : "data", () => answered());
      socket.once("timeout", () =>
        isSecure || socket.connecting ? failed({ code: "ETIMEDOUT" }) : answered(),
      );
      socket.once("close", () => failed({ code: "closed" }));
      socket.on("error", failed);
    }).finally(() => socket.destroy());
    return undefined;
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return code ?? name;
  }
}

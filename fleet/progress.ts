/** The part of `process.stdout` that is used here. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

export interface Counts {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly running: readonly string[];
}

const BAR = 20;
const CLEAR_LINE = "\r\u001b[K";

/** One line that fits a terminal: `[#####···············] 5 of 20 done, 1 failed, 2 running: eu-1, eu-2`. */
export function barLine({ total, done, failed, running }: Counts, columns: number): string {
  const filled = total === 0 ? BAR : Math.floor((done / total) * BAR);
  const names = running.length === 0 ? "" : `, ${running.length} running: ${running.join(", ")}`;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const line = `[${"#".repeat(filled)}${"·".repeat(BAR - filled)}] ${done} of ${total} done${failures}${names}`;
  // A line as wide as the terminal would wrap, and a wrapped line cannot be redrawn.
  return line.length < columns ? line : `${line.slice(0, columns - 2)}…`;
}

/** On a terminal a bar that is redrawn; elsewhere, such as in CI, a line for each start and end. */
export function createProgress(output: Output, total: number) {
  const running: string[] = [];
  let done = 0;
  let failed = 0;
  const draw = () => output.write(CLEAR_LINE + barLine({ total, done, failed, running }, output.columns ?? 80));
  const say = (text: string) => output.write(output.isTTY ? `${CLEAR_LINE}${text}\n` : `${text}\n`);

  return {
    say(text: string): void {
      say(text);
      if (output.isTTY) draw();
    },
    started(name: string): void {
      running.push(name);
      if (output.isTTY) draw();
      else say(`${name}: started`);
    },
    ended(name: string, hasFailed: boolean, text: string): void {
      running.splice(running.indexOf(name), 1);
      done += 1;
      if (hasFailed) failed += 1;
      // Failures stay readable above the bar.
      if (hasFailed || !output.isTTY) say(`${name}: ${text}`);
      if (output.isTTY) draw();
    },
    close(): void {
      if (output.isTTY) output.write(CLEAR_LINE);
    },
  };
}

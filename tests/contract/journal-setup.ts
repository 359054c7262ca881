import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Handlers } from "../support/adapters/handlers";
import { up } from "../support/stack-model";
import { temporaryFolder } from "../support/temporary-folder";
import { useServices } from "./service-setup";
import { failureOf, type Properties } from "./support";

/** A file of a creation journal. */
interface RecordFile {
  /** The record's own id, for the command that discards it. */
  readonly id: string;
  readonly path: string;
  readonly text: string;
}

export function recordsIn(folder: string): RecordFile[] {
  // A file that is being written has a name with a leading dot.
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
  const paths = names.map((name) => join(folder, name));
  return paths.map((path) => ({ id: basename(path, ".json"), path, text: readFileSync(path, "utf8") }));
}

/** The real handlers of a Service with a creation journal, which is a new folder in each test. */
export function useJournal() {
  const setup = useServices();

  const journal = Object.assign(setup, {
    folder: "",
    /** Another command with the same journal: a plugin process of an engine. */
    restart(environment: Record<string, string> = {}, engine?: string): void {
      setup.restartWith({ CLOUDDB_JOURNAL: journal.folder, ...environment }, engine);
    },
    /** Another command without the earlier records. */
    restartEmpty(): void {
      journal.folder = join(temporaryFolder("journal"), "records");
      journal.restart();
    },
    records: () => recordsIn(journal.folder),
    /** Creates a service as `pulumi up` does, and returns what the stack stores; throws the error of the creation. */
    async create(args: Properties = {}, handlers: Handlers = setup.handlers) {
      const { stored, error } = await up(handlers, undefined, { name: "orders", ...args });
      if (error !== undefined || stored === undefined) throw error;
      return { id: stored.id, outs: stored.outputs, inputs: stored.inputs, stored };
    },
    /** Creates a service whose response is lost; returns the error. */
    async loseCreation(args: Properties = {}, handlers: Handlers = setup.handlers) {
      await setup.api.faults({ method: "POST", effect: { kind: "reset", when: "after" } });
      const error = await failureOf(journal.create(args, handlers));
      await setup.api.faults();
      return error;
    },
  });
  beforeEach(() => journal.restartEmpty());
  return journal;
}

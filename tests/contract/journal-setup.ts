import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Handlers } from "../support/adapters/handlers";
import { temporaryFolder } from "../support/temporary-folder";
import { useServices } from "./simulators";
import { create, failedCreation, failureOf, loseResponse, type Properties } from "./support";

/** The files of a creation journal. */
export function recordsIn(folder: string) {
  // A file that is being written has a name with a leading dot.
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => !name.startsWith("."))
    : [];
  const paths = names.map((name) => join(folder, name));
  return paths.map((path) => ({
    /** The record's own id, for the command that discards it. */
    id: basename(path, ".json"),
    path,
    text: readFileSync(path, "utf8"),
  }));
}

/** The real handlers of a Service with a creation journal, which is a new folder in each test. */
export function useJournal() {
  const setup = useServices();

  const journal = Object.assign(setup, {
    folder: "",
    /** Another command with the same journal: the handlers of a plugin process of an engine. */
    restart(environment: Record<string, string> = {}, engine?: string): Handlers {
      setup.restartWith({ CLOUDDB_JOURNAL: journal.folder, ...environment }, engine);
      return setup.handlers;
    },
    /** Another command without the earlier records. */
    restartEmpty(): void {
      journal.folder = join(temporaryFolder("journal"), "records");
      journal.restart();
    },
    records: () => recordsIn(journal.folder),
    create: (args: Properties = {}, handlers: Handlers = setup.handlers) =>
      create(handlers, { name: "orders", ...args }),
    adopt: (existingServiceId: unknown) => create(setup.handlers, { existingServiceId }),
    failCreation: (args: Properties = {}, handlers: Handlers = setup.handlers) =>
      failedCreation(handlers, { name: "orders", ...args }),
    /**
     * The message that refuses a creation: one adapter refuses it in the check, the other one after
     * it.
     */
    async refusal(args: Properties = {}, handlers: Handlers = setup.handlers): Promise<string> {
      const { inputs, failures } = await handlers.check({}, { name: "orders", ...args });
      return failures[0]?.reason ?? (await failureOf(handlers.create(inputs))).message;
    },
    async loseCreation(args: Properties = {}, handlers?: Handlers) {
      await setup.api.faults(loseResponse("POST"));
      const failure = await journal.failCreation(args, handlers);
      await setup.api.faults();
      return failure;
    },
  });
  beforeEach(() => journal.restartEmpty());
  return journal;
}

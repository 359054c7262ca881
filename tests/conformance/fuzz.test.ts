import { join } from "node:path";
import { packed } from "../engine/support/simulator-command";
import { temporaryFolder } from "../support/temporary-folder";
import { fuzz } from "./support/fuzz";
import { conversationProblem, conversations } from "./support/http";
import { startInstalledPlugin } from "./support/plugin";
import { pluginRequests } from "./support/plugin-requests";
import { settingsProblem } from "./support/policy-settings";
import { commandProblem, commands, reportProblem, settingsFiles, streams } from "./support/streams";

/*
 * Random input for a time: CLOUDDB_FUZZ_MINUTES, 1 by default. A seed that the table shows repeats its cases, as
 * CLOUDDB_FUZZ_SEED. Each finding becomes a case of the ordinary tests.
 */

test("the plugin answers each request, or refuses it with a sentence", async () => {
  const { problemOf, memoryProblem, close } = await startInstalledPlugin();
  try {
    await fuzz("requests of the plugin's protocol", pluginRequests, problemOf);
    expect(memoryProblem()).toBeUndefined();
  } finally {
    await close();
  }
});

test("each event stream gives a report, or is refused with a sentence", () =>
  fuzz("event streams for the report", streams, reportProblem));

test("the command of the report ends with a sentence, whatever its files are", async () => {
  const folder = temporaryFolder("fuzz");
  await fuzz("files for clouddb-report", commands, (item) => commandProblem(join(folder, "files"), item));
});

test("settings of policies are judged by, or refused with a sentence", () =>
  fuzz("settings files of the policies", settingsFiles, settingsProblem));

test("the simulator answers each request, and survives it", async () => {
  const { ready, end, ended } = packed("--seed", join(__dirname, "../../simulator/seeds/example.json"));
  const known = await ready;
  try {
    await fuzz("requests of the simulator", conversations, (requests) => conversationProblem(known, requests));
  } finally {
    end();
    expect((await ended).stderr).toBe("");
  }
});

import { fuzz } from "./support/fuzz";
import { startInstalledPlugin } from "./support/plugin";
import { pluginRequests } from "./support/plugin-requests";

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

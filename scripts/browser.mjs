// Makes sure of the browser that tests look at pages with.
import { ensureBrowser } from "./setup/browser.mjs";
import { runMain } from "./setup/report.mjs";

await runMain(ensureBrowser);

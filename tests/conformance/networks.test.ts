import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import addresses from "../support/vectors/addresses.json";
import { conclude } from "./support/conclude";
import { casesOf, type Networks, wrongNetworks } from "./support/networks";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

(hasPython ? test : test.skip)("random networks are those of Python (python3), which is the judge", () => {
  const args = [join(__dirname, "support/networks.py"), String(randomInt(2 ** 32)), "50000", "10000"];
  const input = JSON.stringify(Object.keys(addresses.networks));
  const { stdout, stderr } = spawnSync("python3", args, { input, encoding: "utf8", maxBuffer: 2 ** 28 });
  expect(stderr).toBe("");
  // The source says the seed.
  const material: Networks & { source: string; version: string } = JSON.parse(stdout);
  conclude(material, casesOf(material), wrongNetworks(material));
});

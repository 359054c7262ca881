import { randomInt } from "node:crypto";
import addresses from "../support/vectors/addresses.json";
import { conclude, type Material } from "./support/conclude";
import { casesOf, type Networks, wrongNetworks } from "./support/networks";
import { runPython, testWithPython } from "./support/python";

testWithPython("random networks are those of Python, whose seed the table says", () => {
  const sizes = ["50000", "10000"];
  const texts = Object.keys(addresses.networks);
  const material = runPython("networks.py", texts, [String(randomInt(2 ** 32)), ...sizes]) as Networks & Material;
  conclude(material, casesOf(material), wrongNetworks(material));
});

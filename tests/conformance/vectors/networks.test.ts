import addresses from "../../support/vectors/addresses.json";
import sets from "../../support/vectors/network-sets.json";
import { conclude } from "../support/conclude";
import { casesOf, wrongNetworks } from "../support/networks";

test.each([
  ["reads networks as Go and Python do, and refuses what one of them refuses", addresses],
  ["counts the addresses of networks as Python does", sets],
])("%s", (_, material) => {
  conclude(material, casesOf(material), wrongNetworks(material));
});

import { peerDependencies } from "../../provider/package.json";
import versions from "../../versions.json";
import { jest } from "./jest";

const SDK = "@pulumi/pulumi";
/** The life of a service, its protection and the states of all releases, with both adapters; policies and the report. */
const TESTS = [
  "--testPathPatterns",
  "tests/(engine/(hooks|lifecycle|protection|upgrade)|programs/review/(policies|report))",
  "--selectProjects",
  "engine",
  "native",
  "review",
];

/** Runs engine tests with the oldest SDK, and with the newest that this Node allows: npm chooses it. */
export async function testSdkVersions(args: readonly string[]): Promise<number> {
  let code = 0;
  for (const sdk of [versions.pulumi.oldest, peerDependencies[SDK]]) {
    console.log(`\n${SDK} ${sdk}`);
    if ((await jest([...args, ...TESTS], { CLOUDDB_TEST_SDK: sdk })) !== 0) code = 1;
  }
  return code;
}

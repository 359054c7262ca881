import { follow } from "../support/follow";
import { clone, newReader } from "../support/reader";

test("examples/README.md: each example runs and is cleaned up", async () => {
  const output = (await follow("examples/README.md", await newReader(clone()))).join("\n");
  for (const text of ["analytics created", "totalGb", "vpce-0a1b2c3d4e5f60001", "liveReplicas", "alertState"]) {
    expect(output).toContain(text);
  }
  expect(output).toContain("3 stacks: 3 updated.");
  expect(output).toContain("3 stacks: 3 no drift.");
  expect(output.match(/has been removed!/g)).toHaveLength(8);
});

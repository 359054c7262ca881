import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { isEngineAlive } from "./process";

test("the engine counts as alive while its port accepts connections, or if its address is unknown", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await isEngineAlive(address)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await isEngineAlive(address)).toBe(false);
  for (const unclear of [undefined, "", "somewhere", "--flag"]) expect(await isEngineAlive(unclear)).toBe(true);
});

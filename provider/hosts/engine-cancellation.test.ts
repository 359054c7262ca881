import { once } from "node:events";
import { connect, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { engineCancellation } from "./engine-cancellation";

test("the engine's request to cancel is noticed, and no other", async () => {
  const server = createServer((_, response) => response.end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const cancellation = engineCancellation();
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const send = async (path: string) => {
    const stream = session.request({ ":path": path, ":method": "POST" }).end();
    await once(stream.resume(), "close");
  };
  await send("/pulumirpc.ResourceProvider/Create");
  expect(cancellation.aborted).toBe(false);
  await send("/pulumirpc.ResourceProvider/Cancel");
  expect(cancellation.aborted).toBe(true);
  session.close();
  server.close();
});

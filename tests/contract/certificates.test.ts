import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import { basic, createClient, operations } from "../../provider/api";
import { timeless } from "./support";

/** Servers that are not who they should be: nothing is sent to them, not even once, and the message says why. */

const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
const file = (name: string) => readFileSync(join(__dirname, "certificate", name));
const servers: Server[] = [];

afterEach(() => {
  jest.restoreAllMocks();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** This machine, as one that trusts whoever has signed the certificates here. */
function trusting(): void {
  const { createSecureContext } = tls;
  jest
    .spyOn(tls, "createSecureContext")
    .mockImplementation((options) => createSecureContext({ ...options, ca: file("certificate.pem") }));
}

/** A creation at a server with this certificate: how it ended, and how many requests there were. */
async function creationAt(certificate: string) {
  let asked = 0;
  const server = createServer({ key: file("key.pem"), cert: file(certificate) }, (_, response) => {
    asked += 1;
    response.end(JSON.stringify({ status: 200, result: { service: { id: ID }, password: "pw" } }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = createClient(
    {
      baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      authorization: basic("key", "s3cret"),
      requestTimeoutSeconds: 5,
      maxRetries: 3,
      userAgent: "test/1",
    },
    { clock: timeless(), random: () => 1, log: () => {}, redact: (text) => text },
  );
  const parameters = { organizationId: ID };
  const creation = client.call(operations.createService, parameters, { body: {}, idempotency: "create" });
  return { outcome: await creation.catch((error: unknown) => error), asked: () => asked };
}

test("a certificate that is good lets a creation through", async () => {
  trusting();
  const { outcome, asked } = await creationAt("certificate.pem");
  expect(outcome).toMatchObject({ password: "pw" });
  expect(asked()).toBe(1);
});

test.each([
  ["that has expired", "expired.pem", "CERT_HAS_EXPIRED"],
  ["for another host", "other-host.pem", "ERR_TLS_CERT_ALTNAME_INVALID"],
  ["for clients only", "client-only.pem", "INVALID_PURPOSE"],
])("a certificate %s stops a creation before it is sent", async (_, certificate, code) => {
  trusting();
  const { outcome, asked } = await creationAt(certificate);
  expect(outcome).toMatchObject({ name: "UntrustedServerError", mayHaveSucceeded: false, attempts: 1 });
  expect(String(outcome)).toContain(`the server's certificate is not trusted: ${code} (POST `);
  expect(asked()).toBe(0);
});

test.each([
  ["that it signed itself", "certificate.pem", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ["of a signer that nobody knows", "other-host.pem", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
])("a certificate %s stops a creation before it is sent", async (_, certificate, code) => {
  const { outcome, asked } = await creationAt(certificate);
  expect(outcome).toMatchObject({ name: "UntrustedServerError", mayHaveSucceeded: false, attempts: 1 });
  expect(String(outcome)).toContain(code);
  expect(asked()).toBe(0);
});

import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createClient } from "../../provider/api/client";
import { basic } from "../../provider/api/http";
import { operation, SERVICES } from "../../provider/api/operations";
import * as schemas from "../../provider/api/schemas";
import { file, trustTestCertificate } from "./certificate/trust";
import { fakeClock } from "./support";

/** Untrusted servers: no request is ever sent to them, and the message says why. */

const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
const servers: Server[] = [];

afterEach(() => {
  jest.restoreAllMocks();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Creates a service on a server with this certificate; returns the result and the number of requests. */
async function createAt(certificate: string) {
  let requests = 0;
  const server = createServer({ key: file("key.pem"), cert: file(certificate) }, (_, response) => {
    requests += 1;
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
    { clock: fakeClock(), random: () => 1, log: () => {}, redact: (text) => text },
  );
  const parameters = { organizationId: ID };
  const creation = client.call(operation("POST", SERVICES, schemas.created), parameters, {
    body: {},
    idempotency: "create",
  });
  return { outcome: await creation.catch((error: unknown) => error), asked: () => requests };
}

test("a creation succeeds with a valid certificate", async () => {
  trustTestCertificate();
  const { outcome, asked } = await createAt("certificate.pem");
  expect(outcome).toMatchObject({ password: "pw" });
  expect(asked()).toBe(1);
});

test.each([
  ["that has expired", "expired.pem", "CERT_HAS_EXPIRED"],
  ["for another host", "other-host.pem", "ERR_TLS_CERT_ALTNAME_INVALID"],
  ["for clients only", "client-only.pem", "INVALID_PURPOSE"],
])("a certificate %s stops a creation before it is sent", async (_, certificate, code) => {
  trustTestCertificate();
  const { outcome, asked } = await createAt(certificate);
  expect(outcome).toMatchObject({ code: "CDB3002", mayHaveSucceeded: false, request: { attempts: 1 } });
  expect(String(outcome)).toContain(`the server's certificate is not trusted: ${code} (POST `);
  expect(asked()).toBe(0);
});

test.each([
  ["that is self-signed", "certificate.pem", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ["of an unknown issuer", "other-host.pem", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
])("a certificate %s stops a creation before it is sent", async (_, certificate, code) => {
  const { outcome, asked } = await createAt(certificate);
  expect(outcome).toMatchObject({ code: "CDB3002", mayHaveSucceeded: false, request: { attempts: 1 } });
  expect(String(outcome)).toContain(code);
  expect(asked()).toBe(0);
});

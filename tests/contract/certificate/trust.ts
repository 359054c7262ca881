import { readFileSync } from "node:fs";
import { join } from "node:path";
import tls from "node:tls";

export const file = (name: string) => readFileSync(join(__dirname, name));

/** Makes this process trust the certificates of the tests. */
export function trustTestCertificate(): void {
  const { createSecureContext } = tls;
  jest
    .spyOn(tls, "createSecureContext")
    .mockImplementation((options) =>
      createSecureContext({ ...options, ca: file("certificate.pem") }),
    );
}

import { once } from "node:events";
import { get } from "node:http";
import { connect } from "node:net";
import { connect as connectSecurely } from "node:tls";

/** The network that tests have: this machine. */

const failureOf = (socket: ReturnType<typeof connect>) => once(socket, "connect").catch((error: Error) => error);

test("a connection to another machine fails at once", async () => {
  const message = "connect ENETUNREACH 192.0.2.1: tests reach only this machine";
  expect(await failureOf(connect(80, "192.0.2.1"))).toMatchObject({ code: "ENETUNREACH", message });
  expect(await failureOf(connect({ host: "192.0.2.1", port: 80 }))).toMatchObject({ message });
  expect(await failureOf(connectSecurely(443, "192.0.2.1"))).toMatchObject({ message });
  await expect(fetch("http://192.0.2.1")).rejects.toMatchObject({ cause: { message } });
});

test("no name server is asked", async () => {
  const message = "getaddrinfo ENOTFOUND db.example.com: tests reach only this machine";
  expect(await failureOf(connect(80, "db.example.com"))).toMatchObject({ code: "ENOTFOUND", message });
  expect(await once(get("http://db.example.com"), "response").catch((error: Error) => error)).toMatchObject({
    message,
  });
  await expect(fetch("https://db.example.com")).rejects.toMatchObject({ cause: { message } });
});

test("this machine is reached under its names", async () => {
  for (const host of ["localhost", "127.0.0.1"]) {
    expect(await failureOf(connect(1, host))).toMatchObject({ code: "ECONNREFUSED" });
  }
});

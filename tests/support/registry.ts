import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { testHome } from "../engine/support/stack";
import { listen } from "./free-port";

/** A registry that has the packed packages; for all others it redirects to the real one. */
export async function startRegistry() {
  const real = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" })
    .trim()
    .replace(/\/$/, "");
  const tarballs = readdirSync(testHome()).filter((name) => name.endsWith(".tgz"));
  const server = createServer(({ url = "" }, response) => {
    const [, name = ""] = url.split("/");
    if (tarballs.includes(name)) {
      response.end(readFileSync(join(testHome(), name)));
      return;
    }
    const tarball = tarballs.find(
      (tarball) => tarball.replace(/-\d+\.\d+\.\d+\.tgz$/, "") === name,
    );
    if (tarball === undefined) response.writeHead(302, { location: real + url }).end();
    else
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify(released(name, tarball)));
  });
  const address = `http://127.0.0.1:${await listen(server)}`;

  /** A registry's metadata for a package with one version. */
  function released(name: string, tarball: string): object {
    const manifest = JSON.parse(
      readFileSync(join(testHome(), "node_modules", name, "package.json"), "utf8"),
    );
    const version = { ...manifest, dist: { tarball: `${address}/${tarball}` } };
    return {
      name,
      "dist-tags": { latest: manifest.version },
      versions: { [manifest.version]: version },
    };
  }

  return {
    url: address,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

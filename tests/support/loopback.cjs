const dns = require("node:dns");
const { BlockList, isIP, Socket } = require("node:net");

/*
 * Takes the network away from tests, except for this machine: no test asks a name server, or waits
 * for one. Jest runs this before each test file, and the modules of Node.js are the same in all of
 * them.
 */

// Jest's copy of `process` computes them on each access, and axios reads them for every request.
const { allowedNodeEnvironmentFlags } = process;
Object.defineProperty(process, "allowedNodeEnvironmentFlags", {
  value: allowedNodeEnvironmentFlags,
});

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("0.0.0.0", "ipv4");
loopback.addAddress("::1", "ipv6");
loopback.addAddress("::", "ipv6");

const isLoopback = (host) =>
  isIP(host) === 0 ? /^(.+\.)?localhost$/i.test(host) : loopback.check(host, `ipv${isIP(host)}`);
const failure = (code, syscall, host) =>
  Object.assign(new Error(`${syscall} ${code} ${host}: tests reach only this machine`), {
    code,
    syscall,
  });

if (!Socket.prototype.connect.isLimited) {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function limited(...args) {
    const [first, second] = args.flat();
    const { host, lookup } =
      typeof first === "object" ? first : { host: typeof second === "string" ? second : undefined };
    // A socket of the file system has no host, and a test's own lookup asks no name server.
    if (!host || lookup || isIP(host) === 0 || isLoopback(host)) return connect.apply(this, args);
    process.nextTick(() => this.destroy(failure("ENETUNREACH", "connect", host)));
    return this;
  };
  Socket.prototype.connect.isLimited = true;

  const { lookup } = dns;
  dns.lookup = (host, ...rest) => {
    if (!host || isIP(host) !== 0 || isLoopback(host)) return lookup(host, ...rest);
    process.nextTick(rest.at(-1), failure("ENOTFOUND", "getaddrinfo", host));
  };
  const { lookup: lookupAsync } = dns.promises;
  dns.promises.lookup = async (host, ...rest) => {
    if (!host || isIP(host) !== 0 || isLoopback(host)) return lookupAsync(host, ...rest);
    throw failure("ENOTFOUND", "getaddrinfo", host);
  };
}

/** True for an address of this machine alone. URL has normalized other spellings. */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, "");
  return /^(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/.test(host);
}

/** A member of a protobuf message that has a length: its number, and its bytes. */
export function member(number: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = bytes.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
  }
}

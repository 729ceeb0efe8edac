/**
 * Points of small order on the curve, in all their encodings but for the sign: as a public key they would let anybody
 * sign, since such a signature fits any message.
 */
const SMALL_ORDER = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
]);

/** Whether a key (32 bytes, base64url) is one of those that anybody could have made a signature for. */
export function isWeakKey(publicKey: string): boolean {
  const bytes = Buffer.from(publicKey, "base64url");
  const last = bytes.length - 1;
  bytes[last] = (bytes[last] ?? 0) & 0x7f;
  return SMALL_ORDER.has(bytes.toString("hex"));
}

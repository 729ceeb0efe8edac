import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "../say";

// The formats are minisign's, so that `minisign -V` checks a release too: https://jedisct1.github.io/minisign/
const LEGACY = Buffer.from("Ed");
const PREHASHED = Buffer.from("ED");
/** DER of an Ed25519 key up to its 32 bytes (RFC 8410). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export interface SigningKey {
  id: Buffer;
  secret: KeyObject;
}

/** The key at that path; a new one where there is none. Whoever has the file can sign releases for those who trust it. */
export function signingKey(path: string): SigningKey {
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync("ed25519");
    const pem = privateKey.export({ format: "pem", type: "pkcs8" });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `# rigmark release key ${randomBytes(8).toString("hex")}\n${pem}`, { mode: 0o600 });
  }
  const text = readFileSync(path, "utf8");
  const id = /^# rigmark release key ([0-9a-f]{16})$/m.exec(text)?.[1];
  if (!id) throw new CommandError(`${path} is no release key; move it away, and the next release makes one.`);
  return { id: Buffer.from(id, "hex"), secret: createPrivateKey(text.slice(text.indexOf("-----"))) };
}

/** A minisign public key file: a comment and one line. */
export function publicKey({ id, secret }: SigningKey): string {
  const raw = createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(SPKI.length);
  const line = Buffer.concat([LEGACY, id, raw]).toString("base64");
  return `untrusted comment: public key of Rigmark releases ${id.toString("hex").toUpperCase()}\n${line}\n`;
}

/** A minisign signature file. `comment` is one line and is signed too. */
export function signature(data: Buffer, { id, secret }: SigningKey, comment: string): string {
  const of = sign(null, blake2b(data), secret);
  const whole = sign(null, Buffer.concat([of, Buffer.from(comment)]), secret);
  return [
    "untrusted comment: signature of a Rigmark release",
    Buffer.concat([PREHASHED, id, of]).toString("base64"),
    `trusted comment: ${comment}`,
    whole.toString("base64"),
    "",
  ].join("\n");
}

/** Does the signature file belong to the data and the public key file? */
export function isSignedBy(data: Buffer, signatureFile: string, keyFile: string): boolean {
  const key = Buffer.from(keyFile.split("\n")[1] ?? "", "base64");
  const [, first = "", trusted = "", second = ""] = signatureFile.split("\n");
  const signed = Buffer.from(first, "base64");
  if (key.length !== 42 || signed.length !== 74 || !signed.subarray(0, 2).equals(PREHASHED)) return false;
  if (!key.subarray(2, 10).equals(signed.subarray(2, 10))) return false;
  const spki = Buffer.concat([SPKI, key.subarray(10)]);
  const by = createPublicKey({ key: spki, format: "der", type: "spki" });
  const of = signed.subarray(10);
  const comment = Buffer.from(trusted.replace(/^trusted comment: /, ""));
  return (
    verify(null, blake2b(data), by, of) &&
    verify(null, Buffer.concat([of, comment]), by, Buffer.from(second, "base64"))
  );
}

const blake2b = (data: Buffer): Buffer => createHash("blake2b512").update(data).digest();

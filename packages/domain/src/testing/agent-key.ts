import { generateKeyPairSync, sign } from "node:crypto";
import { sessionMessage } from "@rigmark/protocol";

/** An agent's key pair, and its signature of a nonce. */
export function makeAgentKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x } = publicKey.export({ format: "jwk" });
  return {
    publicKey: x ?? "",
    sign: (hostId: string, nonce: string) =>
      sign(null, Buffer.from(sessionMessage(hostId, nonce)), privateKey).toString("base64url"),
  };
}

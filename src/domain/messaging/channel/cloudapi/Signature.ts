/** The Cloud API's signature of webhooks (`X-Hub-Signature-256`), over the bytes as they came, and the proof that goes with a token. */
import { createHmac, timingSafeEqual } from "node:crypto"

/** Constant time for signatures of the right form. */
export const webhookSignatureIsValid = (
  appSecret: string,
  signature: string | undefined,
  body: Uint8Array
): boolean => {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? "")?.[1]
  const expected = createHmac("sha256", appSecret).update(body).digest()
  return given !== undefined && timingSafeEqual(Buffer.from(given, "hex"), expected)
}

/** `appsecret_proof`: shows that whoever has the token has the app's secret too. */
export const appSecretProof = (appSecret: string, accessToken: string): string =>
  createHmac("sha256", appSecret).update(accessToken).digest("hex")

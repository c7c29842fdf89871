/** The Cloud API's signature of webhooks (`X-Hub-Signature-256`), over the received bytes, and the proof that goes with an access token. */
import { createHmac, timingSafeEqual } from "node:crypto"

/** Whether the signature fits the body. Takes constant time for signatures of the right form. */
export const webhookSignatureIsValid = (
  appSecret: string,
  signature: string | undefined,
  body: Uint8Array
): boolean => {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? "")?.[1]
  const expected = createHmac("sha256", appSecret).update(body).digest()
  return given !== undefined && timingSafeEqual(Buffer.from(given, "hex"), expected)
}

/** `appsecret_proof`: proves that the sender of the token also has the app's secret. */
export const appSecretProof = (appSecret: string, accessToken: string): string =>
  createHmac("sha256", appSecret).update(accessToken).digest("hex")

/** Bodies that stores sign: HMAC-SHA256 over the raw bytes, in base64. */
import { createHmac, timingSafeEqual } from "node:crypto"

const signatureOf = (secret: string, body: Uint8Array | string): string =>
  createHmac("sha256", secret).update(body).digest("base64")

/** Whether one of the secrets has signed the body. It takes as long for a wrong signature as for a right one. */
export const isSignedBody = (secrets: ReadonlyArray<string>, body: Uint8Array, signature: string): boolean => {
  const given = Buffer.from(signature, "utf8")
  let right = false
  for (const secret of secrets) {
    const wanted = Buffer.from(signatureOf(secret, body), "utf8")
    if (wanted.length === given.length && timingSafeEqual(wanted, given)) right = true
  }
  return right
}

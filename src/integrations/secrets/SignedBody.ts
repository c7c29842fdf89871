/** Bodies that stores and payment providers sign: HMAC-SHA256 over the raw bytes. */
import { createHmac, timingSafeEqual } from "node:crypto"

/** How a provider writes the signature. */
type SignatureForm = "base64" | "hex"

/** Whether one of the secrets has signed the body. It takes as long for a wrong signature as for a right one. */
export const isSignedBody = (
  secrets: ReadonlyArray<string>,
  body: Uint8Array,
  signature: string,
  form: SignatureForm = "base64"
): boolean => {
  const given = Buffer.from(signature, "utf8")
  let right = false
  for (const secret of secrets) {
    const wanted = Buffer.from(createHmac("sha256", secret).update(body).digest(form), "utf8")
    if (wanted.length === given.length && timingSafeEqual(wanted, given)) right = true
  }
  return right
}

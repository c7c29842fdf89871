/** Bodies that stores and payment providers sign: HMAC-SHA256 over the raw bytes. */

import { createHmac } from "node:crypto"
import { sameSecret } from "../../domain/basics/tokens/SameSecret.ts"

/** How a provider writes the signature. */
type SignatureForm = "base64" | "hex"

/** Whether one of the secrets has signed the body. It takes as long for a wrong signature as for a right one. */
export const isSignedBody = (
  secrets: ReadonlyArray<string>,
  body: Uint8Array,
  signature: string,
  form: SignatureForm = "base64"
): boolean => {
  let right = false
  for (const secret of secrets) {
    if (sameSecret(createHmac("sha256", secret).update(body).digest(form), signature)) right = true
  }
  return right
}

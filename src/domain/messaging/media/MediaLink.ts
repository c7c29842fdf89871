/**
 * Links that open one file without a key, for a while: for programs that can only be told an address. The signature is HMAC-SHA256 over
 * organization, media and expiry, by a key that is derived from a secret of the service and used for nothing else.
 */
import { createHmac, timingSafeEqual } from "node:crypto"

export interface MediaLink {
  readonly organizationId: string
  readonly mediaId: string
  /** Unix seconds; from then on it opens nothing. */
  readonly expires: number
}

const digest = (secret: string, { organizationId, mediaId, expires }: MediaLink): Buffer => {
  const key = createHmac("sha256", secret).update("links to media").digest()
  return createHmac("sha256", key)
    .update(JSON.stringify([organizationId, mediaId, expires]))
    .digest()
}

/** In hexadecimal. */
export const signMediaLink = (secret: string, link: MediaLink): string => digest(secret, link).toString("hex")

/** Whether the link is ours and not over at `nowMs`, Unix milliseconds. Constant time in the signature. */
export const opensMedia = (secret: string, link: MediaLink, signature: string, nowMs: number): boolean =>
  /^[0-9a-f]{64}$/.test(signature) &&
  timingSafeEqual(digest(secret, link), Buffer.from(signature, "hex")) &&
  link.expires * 1_000 > nowMs

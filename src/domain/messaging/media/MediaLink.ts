/**
 * Links that open one file without an API key until they expire, for programs that can only fetch an address. The signature is HMAC-SHA256 over
 * organization, media and expiry. Its key is derived from a secret of the service and used for nothing else.
 */
import { createHmac, timingSafeEqual } from "node:crypto"

export interface MediaLink {
  readonly organizationId: string
  readonly mediaId: string
  /** When the link expires, Unix seconds. */
  readonly expires: number
}

const digest = (secret: string, { organizationId, mediaId, expires }: MediaLink): Buffer => {
  const key = createHmac("sha256", secret).update("links to media").digest()
  return createHmac("sha256", key)
    .update(JSON.stringify([organizationId, mediaId, expires]))
    .digest()
}

/** The signature of a link, in hexadecimal. */
export const signMediaLink = (secret: string, link: MediaLink): string => digest(secret, link).toString("hex")

/** Whether the signature is ours and the link has not expired at `nowMs` (Unix milliseconds). Compares signatures in constant time. */
export const opensMedia = (secret: string, link: MediaLink, signature: string, nowMs: number): boolean =>
  /^[0-9a-f]{64}$/.test(signature) &&
  timingSafeEqual(digest(secret, link), Buffer.from(signature, "hex")) &&
  link.expires * 1_000 > nowMs

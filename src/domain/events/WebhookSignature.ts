/** Signatures of outgoing webhooks, as Standard Webhooks defines them: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, one per secret. */
import { createHmac, randomBytes } from "node:crypto"

const prefix = "whsec_"

/** A new secret: 32 random bytes. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString("base64")

const sign = (secret: string, content: string): string =>
  createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
    .update(content)
    .digest("base64")

/**
 * The three headers of a request. `id` is the event's id, `now` is Unix milliseconds. A receiver accepts the signature of any secret that it knows.
 */
export const signedHeaders = (secrets: ReadonlyArray<string>, id: string, body: string, now: number) => {
  const timestamp = String(Math.floor(now / 1_000))
  const content = `${id}.${timestamp}.${body}`
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${sign(secret, content)}`).join(" ")
  }
}

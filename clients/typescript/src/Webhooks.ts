/** Verifies webhooks: the form of Standard Webhooks, HMAC-SHA256 over id, time and body. */
import { WebhookVerificationError } from "./Errors.ts"
import type { WebhookBody } from "./generated/types.ts"

/** A webhook that was verified. `id` is the event's: the same in every attempt, so drop what you have seen. */
export type Webhook = WebhookBody & { readonly id: string }

/** Headers as a server gives them: of the web platform, or of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export interface VerifyOptions {
  /** How far the time of the signature may be from now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /** The time now, in milliseconds since 1970. Default: that of the clock. */
  readonly nowMs?: number | undefined
}

const header = (headers: WebhookHeaders, name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? ""
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  return typeof found === "string" ? found : (found?.[0] ?? "")
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const keyOf = (secret: string) => {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""))
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError("secret must be that of the endpoint, whsec_… with base64 after it.")
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}

/**
 * Verifies a webhook and gives its content. `body` is what came, byte for byte: parsed and written again it may differ. Several secrets are
 * tried while one is replaced. Signatures are compared by the platform, in constant time. Rejects with WebhookVerificationError when the webhook
 * is not from the service, or not from now.
 */
export const verifyWebhook = async (
  body: string | Uint8Array<ArrayBuffer> | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | ReadonlyArray<string>,
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {}
): Promise<Webhook> => {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    header(headers, name)
  )
  if (id === "" || timestamp === "" || signatures === "")
    throw new WebhookVerificationError("The headers webhook-id, webhook-timestamp and webhook-signature must be there.")
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookVerificationError("The header webhook-timestamp must be a number of seconds.")
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError(
      `The webhook was signed more than ${toleranceSeconds} seconds before or after now.`
    )

  const content = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body)
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + content.length)
  signed.set(head)
  signed.set(content, head.length)

  const given = signatures
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .flatMap((signature) => fromBase64(signature.slice(3)) ?? [])
  const keys = await Promise.all((typeof secret === "string" ? [secret] : secret).map(keyOf))
  for (const key of keys)
    for (const signature of given)
      if (await crypto.subtle.verify("HMAC", key, signature, signed))
        return { ...(JSON.parse(new TextDecoder().decode(content)) as WebhookBody), id }
  throw new WebhookVerificationError("The signature is not that of this body, these headers and this secret.")
}

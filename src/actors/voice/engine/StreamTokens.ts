/** Tokens by which a media stream proves that this service told it to connect. A token is signed, for one call, and valid for a minute. */

import { createHmac } from "node:crypto"
import { sameSecret } from "../../../domain/basics/tokens/SameSecret.ts"

const ttlSeconds = 60

export interface StreamTokens {
  readonly issue: (callId: string) => string
  /** Whether the stream `brought` the token that was `issued`, before it expired. */
  readonly accepts: (issued: string, brought: string) => boolean
  /** Whether `brought` is a token of `subject` that has not expired. Any process knows it: nothing is looked up. */
  readonly proves: (subject: string, brought: string) => boolean
}

/** `nowMs`: Unix milliseconds. All processes that share a port use the same time, because one may check the token of another. */
export const make = (secret: string, nowMs: () => number): StreamTokens => {
  const sign = (callId: string, expires: number) =>
    `${expires}.${createHmac("sha256", secret).update(`stream:${callId}:${expires}`).digest("hex")}`
  return {
    issue: (callId) => sign(callId, Math.floor(nowMs() / 1_000) + ttlSeconds),
    accepts: (issued, brought) => sameSecret(issued, brought) && Number(brought.split(".")[0]) >= nowMs() / 1_000,
    proves: (subject, brought) => {
      const [expires = ""] = brought.split(".")
      if (!/^\d{1,12}$/.test(expires) || Number(expires) < nowMs() / 1_000) return false
      return sameSecret(sign(subject, Number(expires)), brought)
    }
  }
}

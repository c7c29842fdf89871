/** What a media stream proves with that it was told to come: a token for one call, signed, good for a minute. */
import { createHmac, timingSafeEqual } from "node:crypto"

const ttlSeconds = 60

export interface StreamTokens {
  readonly issue: (callId: string) => string
  /** Whether a stream brought the token that was `issued`, in time. */
  readonly accepts: (issued: string, brought: string) => boolean
}

/** Lengths in bytes: `timingSafeEqual` throws on unequal ones, and `b` comes from outside. */
const same = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** `nowMs`: the time of day, the same in all processes that share a port: another one may check what this one issued. */
export const make = (secret: string, nowMs: () => number): StreamTokens => {
  const sign = (callId: string, expires: number) =>
    `${expires}.${createHmac("sha256", secret).update(`stream:${callId}:${expires}`).digest("hex")}`
  return {
    issue: (callId) => sign(callId, Math.floor(nowMs() / 1_000) + ttlSeconds),
    accepts: (issued, brought) => same(issued, brought) && Number(brought.split(".")[0]) >= nowMs() / 1_000
  }
}

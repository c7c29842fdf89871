/**
 * The streams that an engine has told to come, as the process of the sound knows them. It checks each by itself, so a stream waits for nobody. A stream
 * is accepted once.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import { sameSecret } from "../../../../domain/basics/tokens/SameSecret.ts"
import type { Reserve } from "../link/SoundProtocol.ts"
import type { RefusalReason, StreamStart } from "../StreamRefused.ts"

/** With more, those whose time is over are forgotten, and the oldest then. An engine has fewer slots. */
export const mostReservedStreams = 10_000

interface Reserved {
  readonly reserve: Reserve
  readonly untilMs: number
}

export class ReservedStreams {
  private readonly reserved = new Map<string, Reserved>()

  get size(): number {
    return this.reserved.size
  }
  has(callId: string): boolean {
    return this.reserved.has(callId)
  }
  add(reserve: Reserve, nowMs: number): void {
    this.reserved.delete(reserve.callId)
    this.reserved.set(reserve.callId, { reserve, untilMs: nowMs + reserve.goodForMs })
    if (this.reserved.size > mostReservedStreams) this.forgetLate(nowMs)
    const [oldest] = this.reserved.size > mostReservedStreams ? this.reserved.keys() : []
    if (oldest !== undefined) this.reserved.delete(oldest)
  }
  cancel(callId: string): void {
    this.reserved.delete(callId)
  }

  /** The reservation of this stream, which it uses up; or why there is none. */
  claim(start: StreamStart, nowMs: number): Reserve | RefusalReason {
    const found = this.reserved.get(start.callId)
    if (found === undefined || found.untilMs < nowMs) return "unknown_call"
    const { reserve } = found
    const hash = createHash("sha256").update(start.token).digest()
    if (reserve.tokenHash.length !== hash.length || !timingSafeEqual(reserve.tokenHash, hash)) return "bad_token"
    // No telephony provider sends the stream of a test call.
    if (reserve.signatures.length > 0) {
      if (reserve.accountSid !== start.accountSid || reserve.callSid !== start.callSid) return "foreign_call"
      // All are compared, so that a refusal takes the same time for any signature.
      if (!reserve.signatures.map((signature) => sameSecret(signature, start.upgradeSignature)).includes(true))
        return "bad_signature"
    }
    this.reserved.delete(start.callId)
    return reserve
  }

  private forgetLate(nowMs: number): void {
    for (const [callId, { untilMs }] of this.reserved) if (untilMs < nowMs) this.reserved.delete(callId)
  }
}

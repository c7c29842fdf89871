/** A call as it is asked for, what it needs of its network, and what is known of it afterwards. */

import type { EndedBy, LineEvent } from "./CallEvents.ts"
import type { CallerScript } from "./Caller.ts"
import type { EarCounts } from "./Ear.ts"
import type { LineNoise } from "./Mouth.ts"
import type { Ticker } from "./Ticker.ts"

export interface Account {
  readonly accountSid: string
  readonly authToken: string
  /** Voice URL exactly as configured at the provider. */
  readonly webhookUrl: string
}

export interface CallRequest {
  /** E.164 or `sip:` address of the caller. */
  readonly from: string
  /** The called number, E.164 or `sip:`. */
  readonly to: string
  readonly caller: CallerScript
  /** Calls another account than the network's own. */
  readonly account?: Account
  readonly lineNoise?: LineNoise
  /** Payload bytes of inbound media messages; 160 by default. */
  readonly frameBytes?: number
  /** The network ends the call after this long; 120,000 by default. */
  readonly maxMs?: number
  readonly onEvent?: (event: LineEvent) => void
}

export interface CallResult {
  readonly callSid: string
  /** Status of the voice webhook's answer; 0 when nobody answered. */
  readonly webhookStatus: number
  /** The document that the voice webhook gave. */
  readonly twiml: string
  /** All documents obeyed, in order: the webhook's, actions', redirects'. */
  readonly documents: ReadonlyArray<string>
  readonly frames: Readonly<EarCounts>
  /** Mu-law as the caller heard it since the call was answered; silence where the buffer was empty. */
  readonly heard: Uint8Array
  /** Mu-law that the caller's telephone sent, sample for sample beside `heard`. */
  readonly said: Uint8Array
  readonly events: ReadonlyArray<LineEvent>
  /** The longest of `bargeInsMs`; null when the caller never interrupted. */
  readonly bargeInStopMs: number | null
  /** Per interruption: from the caller's first voiced sample until the agent's audio stopped. */
  readonly bargeInsMs: ReadonlyArray<number>
  readonly durationMs: number
  readonly endedBy: EndedBy
  /** Texts of `<Say>` and URLs of `<Play>`. */
  readonly spoken: ReadonlyArray<string>
  /** Why the call was rejected, when it was: `busy` or `rejected`. */
  readonly rejected?: string
  readonly dialed?: { readonly to: string; readonly callerId: string | undefined; readonly status: string }
  readonly enqueued?: { readonly queue: string }
  /** What the provider would show as errors and warnings, by its numbers. */
  readonly warnings: ReadonlyArray<string>
}

/** What a call needs of its network. */
export interface Exchange {
  readonly ticker: Ticker
  readonly dial: (url: string) => string
  readonly faults: {
    readonly loseEvery: number
    readonly swapEvery: number
    readonly badSignature: boolean
    readonly repeatWebhook: boolean
  }
  /** How a dialed human takes the call. */
  readonly humanAnswers: "completed" | "busy" | "no-answer" | "failed"
  readonly humanTalksMs: number
  readonly queueWaitMs: number
  readonly sayMsPerWord: number
}

/** The types of a call: its request, what it needs from the network, and its result. */

import type { DialStatus, EndedBy, LineEvent, QueueResult } from "./CallEvents.ts"
import type { CallerScript } from "./Caller.ts"
import type { MediaTap } from "./MediaStream.ts"
import type { LineNoise } from "./Mouth.ts"
import type { PlayoutCounts } from "./PlayoutBuffer.ts"
import type { Account } from "./provider/Account.ts"
import type { Provider, SipCredentials } from "./provider/Provider.ts"
import type { Ticker } from "./Ticker.ts"
import type { WaitingLines } from "./WaitingLines.ts"

export interface CallRequest {
  /** E.164 or `sip:` address of the caller. */
  readonly from: string
  /** The called number, E.164 or `sip:`. */
  readonly to: string
  readonly caller: CallerScript
  /** Whether the customer placed it over REST: the script is then the callee's. Inbound by default. */
  readonly direction?: "inbound" | "outbound-api"
  /** Calls another account than the network's own. */
  readonly account?: Account
  /** What the carrier of a call to a SIP domain identifies itself with. */
  readonly carrier?: SipCredentials
  readonly lineNoise?: LineNoise
  /** Payload bytes of inbound media messages; 160 by default. */
  readonly frameBytes?: number
  /** The network ends the call after this long; 120,000 by default. */
  readonly maxMs?: number
  /** How the humans dialled from this call answer, in order; the last entry repeats. Default: as the network says. */
  readonly humans?: ReadonlyArray<HumanAnswer>
  readonly onEvent?: (event: LineEvent) => void
  readonly tap?: MediaTap
}

/** What a dialled human does: talks for `ms` and hangs up (`completed`), or does not answer after `ms` of ringing. */
export interface HumanAnswer {
  readonly status: Exclude<DialStatus, "canceled">
  readonly ms: number
}

/** The course of one `<Dial>`. */
export interface Dialed {
  readonly to: string
  readonly callerId: string | undefined
  readonly status: DialStatus
  readonly atMs: number
}

/** One stay in a waiting line: its documents with what was said, and how it ended. */
export interface Enqueued {
  readonly queue: string
  readonly heard: ReadonlyArray<string>
  readonly result: QueueResult
  readonly waitedMs: number
}

export interface CallResult {
  readonly callSid: string
  /** Status of the voice webhook's answer; 0 without an answer. */
  readonly webhookStatus: number
  /** The document of the voice webhook. */
  readonly twiml: string
  /** All documents that ran, in order: those of the webhook, of actions and of redirects. */
  readonly documents: ReadonlyArray<string>
  readonly frames: Readonly<PlayoutCounts>
  /** Mu-law as the caller heard it since the call was answered; silence where the buffer was empty. */
  readonly heard: Uint8Array
  /** Mu-law that the caller's telephone sent, sample for sample beside `heard`. */
  readonly said: Uint8Array
  readonly events: ReadonlyArray<LineEvent>
  /** The longest of `bargeInsMs`; null when the caller never interrupted. */
  readonly bargeInStopMs: number | null
  /** Per interruption: from the caller's first voiced sample until the agent's audio was cleared or ended. */
  readonly bargeInsMs: ReadonlyArray<number>
  readonly durationMs: number
  readonly endedBy: EndedBy
  /** Texts of `<Say>` and URLs of `<Play>`. */
  readonly spoken: ReadonlyArray<string>
  /** Why the call was rejected, when it was: `busy` or `rejected`. */
  readonly rejected?: string
  /** The last `<Dial>`, and all of them. */
  readonly dialed?: Dialed
  readonly dials: ReadonlyArray<Dialed>
  /** The last `<Enqueue>`, and all of them. */
  readonly enqueued?: Enqueued
  readonly queues: ReadonlyArray<Enqueued>
  /** The ids of the `<Record>` recordings in which the caller spoke. */
  readonly recordings: ReadonlyArray<string>
  /** The errors and warnings that the provider would show, with its numbers. */
  readonly warnings: ReadonlyArray<string>
}

/** What a call needs from its network. */
export interface Exchange {
  readonly ticker: Ticker
  readonly dial: (url: string) => string
  readonly faults: {
    readonly loseEvery: number
    readonly swapEvery: number
    readonly badSignature: boolean
    readonly repeatWebhook: boolean
    loseWebhooks: number
    readonly recordingMs: number
    readonly loseRecordingCallback: boolean
  }
  /** Keeps the recordings. */
  readonly provider: Provider
  /** How a dialled human answers a call that does not specify it. It may change at any time. */
  readonly human: HumanAnswer
  /** The waiting lines by account and name; the longest-waiting call comes first. */
  readonly lines: WaitingLines
  /** How long a caller waits in a queue before giving up; for ever when undefined. */
  readonly queueWaitMs: number | undefined
  readonly sayMsPerWord: number
}

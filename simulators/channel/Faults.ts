/** Planned failures of the simulated channel. Change the fields at any time. */
import type { AcceptableMessage } from "./Messages.ts"

/** The failure of one message. `accepted`: whether the channel sends the message although its answer is lost. */
export type SendFault =
  | { readonly kind: "error"; readonly code: number; readonly details?: string; readonly retryAfter?: number }
  /** An answer without the channel's own document, as from a proxy on the way. */
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: "hang"; readonly accepted: boolean }
  | { readonly kind: "cut"; readonly accepted: boolean }
  /** The message is accepted, and the failure is reported later. */
  | { readonly kind: "fails later"; readonly code: number; readonly details?: string }

export interface ChannelFaults {
  /** Added before every answer, in milliseconds. */
  latencyMs: number
  /** The failures of the next messages, one each. */
  nextSends: Array<SendFault>
  /** Decides the failure of each message while `nextSends` is empty. */
  sendFault: ((message: AcceptableMessage) => SendFault | undefined) | null
  /** Messages per second and number; the channel refuses more. 0: no limit. */
  messagesPerSecond: number
  /** How many of the next requests other than messages fail with `otherStatus`. */
  failOthers: number
  otherStatus: number
  /** Fetching files takes this long more, in milliseconds. */
  mediaDelayMs: number
}

export const channelFaults = (): ChannelFaults => ({
  latencyMs: 0,
  nextSends: [],
  sendFault: null,
  messagesPerSecond: 0,
  failOthers: 0,
  otherStatus: 503,
  mediaDelayMs: 0
})

/** What goes wrong with the requests to the channel; change the fields at any time. */
import type { AcceptableMessage } from "./Messages.ts"

/** What becomes of one message that is handed over. `accepted`: whether it is sent on although its answer is lost. */
export type SendFault =
  | { readonly kind: "error"; readonly code: number; readonly details?: string; readonly retryAfter?: number }
  /** An answer without the channel's own document, as from a proxy on the way. */
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: "hang"; readonly accepted: boolean }
  | { readonly kind: "cut"; readonly accepted: boolean }
  /** Taken at first; the failure is told of later. */
  | { readonly kind: "fails later"; readonly code: number; readonly details?: string }

export interface ChannelFaults {
  /** Added before every answer, in milliseconds. */
  latencyMs: number
  /** Of the messages that come next, one each. */
  nextSends: Array<SendFault>
  /** Picks messages; asked when `nextSends` is empty. */
  sendFault: ((message: AcceptableMessage) => SendFault | undefined) | null
  /** Messages a second and number before the channel refuses more; 0: no limit. */
  messagesPerSecond: number
  /** How many of the next requests that are no messages fail with `otherStatus`. */
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

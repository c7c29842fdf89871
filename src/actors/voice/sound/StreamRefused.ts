/** What the provider sends at the start of a media stream, and why a stream is refused. */

export interface StreamStart {
  readonly streamSid: string
  readonly accountSid: string
  readonly callSid: string
  readonly callId: string
  readonly token: string
  /** `X-Twilio-Signature` of the WebSocket upgrade. */
  readonly upgradeSignature: string
}

export type RefusalReason = "unknown_call" | "bad_token" | "foreign_call" | "bad_signature"

/** A stream was refused. The line is closed without telling the other side the reason. */
export class StreamRefused {
  readonly callId: string
  readonly reason: RefusalReason

  constructor({ callId, reason }: { readonly callId: string; readonly reason: RefusalReason }) {
    this.callId = callId
    this.reason = reason
  }
}

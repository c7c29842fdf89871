/** The recordings of `<Record>` in one call. The provider keeps them, processes them after a while, and reports that. */
import { writePcm } from "./AudioFile.ts"
import type { CallHooks, HookedCall } from "./CallHooks.ts"
import type { Exchange } from "./CallResult.ts"
import { newSid, rfc2822, type StoredRecording } from "./provider/Provider.ts"

export class CallRecordings {
  /** Oldest first. */
  readonly sids: Array<string> = []
  readonly #call: HookedCall
  readonly #exchange: Exchange
  readonly #hooks: CallHooks

  constructor(call: HookedCall, exchange: Exchange, hooks: CallHooks) {
    this.#call = call
    this.#exchange = exchange
    this.#hooks = hooks
  }

  keep(mulaw: Uint8Array): StoredRecording {
    const recording: StoredRecording = {
      sid: newSid("RE"),
      accountSid: this.#call.account.accountSid,
      callSid: this.#call.callSid,
      created: rfc2822(),
      seconds: Math.round(mulaw.length / 8_000),
      wav: writePcm(mulaw),
      ready: false
    }
    this.#exchange.provider.recordings.set(recording.sid, recording)
    this.sids.push(recording.sid)
    return recording
  }

  fields({ sid, accountSid, seconds }: StoredRecording): Record<string, string> {
    const url = `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Recordings/${sid}`
    return { RecordingSid: sid, RecordingUrl: url, RecordingDuration: String(seconds) }
  }

  /** Processes the recording and reports it to `callback`. */
  async process(recording: StoredRecording, callback: string | undefined): Promise<void> {
    const { recordingMs, loseRecordingCallback } = this.#exchange.faults
    await new Promise((resolve) => setTimeout(resolve, recordingMs))
    recording.ready = true
    if (callback === undefined || loseRecordingCallback) return
    await this.#hooks.report(callback, {
      AccountSid: recording.accountSid,
      CallSid: recording.callSid,
      ...this.fields(recording),
      RecordingStatus: "completed",
      RecordingChannels: "1",
      RecordingStartTime: recording.created,
      RecordingSource: "RecordVerb",
      ErrorCode: "0"
    })
  }
}

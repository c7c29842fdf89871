/** Recordings kept by Twilio, e.g. of a `<Record>`. Read from the REST interface by their id: an address in a webhook is never followed. */

import { Effect, Layer } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import { ProviderRecordings } from "../../domain/voice/calls/inbound/Voicemail.ts"
import { type TelephonyAccount, TelephonyError } from "../../domain/voice/telephony/Telephony.ts"
import { type Answer, BodyLate } from "../connections/Answer.ts"
import * as Connections from "../connections/Connections.ts"
import { leftUntil } from "../connections/Deadline.ts"
import { endpoint } from "../web/BaseUrl.ts"
import { accountPath, authorizationOf, makeTwilioClient, type TwilioClientOptions } from "./TwilioClient.ts"

export interface TwilioRecordingsOptions extends TwilioClientOptions {
  /** Larger recordings are refused; 16 MiB by default, more than ten minutes. */
  readonly maxBytes?: number
  /** Milliseconds for a whole recording; 60,000 by default. */
  readonly downloadTimeoutMs?: number
}

const failed = (status: number | null, message: string) => new TelephonyError({ status, code: null, message })
const late = (ms: number) => failed(null, `the recording did not arrive within ${ms} ms`)

/** Undefined when there is more than `limit`. Rejects when it is not all there at `until`, by `performance.now()`. */
const readBytes = async (answer: Answer, limit: number, until: number): Promise<Uint8Array | undefined> => {
  const read: Array<Buffer> = []
  let bytes = 0
  const next = () => answer.next(leftUntil(until))
  for (let piece = await next(); piece !== undefined; piece = await next()) {
    bytes += piece.length
    if (bytes > limit) return undefined
    read.push(piece)
  }
  return Buffer.concat(read)
}

const make = Effect.fnUntraced(function* (options: TwilioRecordingsOptions) {
  const { maxBytes = 16 << 20, downloadTimeoutMs = 60_000 } = options
  const { ask } = yield* makeTwilioClient(options, "telephony/twilio-recordings")
  const connections = yield* Connections.Connections
  const pathOf = (account: TelephonyAccount, recordingSid: string) =>
    `${accountPath(account)}/Recordings/${encodeURIComponent(recordingSid)}`

  const download = Effect.fnUntraced(
    function* (account: TelephonyAccount, recordingSid: string) {
      const until = performance.now() + downloadTimeoutMs
      const response = yield* connections.post({
        method: "GET",
        url: endpoint(options.baseUrl, `/2010-04-01${pathOf(account, recordingSid)}.wav`),
        headers: { authorization: authorizationOf(account) },
        body: "",
        timeoutMs: downloadTimeoutMs
      })
      const { status } = response
      if (status !== 200) return yield* failed(status, `status ${status} instead of the recording`)
      const bytes = yield* Effect.tryPromise({
        try: () => readBytes(response, maxBytes, until),
        catch: (cause) =>
          cause instanceof BodyLate
            ? late(downloadTimeoutMs)
            : failed(null, `the recording broke off: ${String(cause)}`)
      })
      return bytes ?? (yield* failed(null, `the recording is larger than ${maxBytes} bytes`))
    },
    Effect.catchTags({
      ConnectionLost: ({ message }) => failed(null, message),
      AnswerLate: () => late(downloadTimeoutMs)
    }),
    Effect.scoped
  )

  return ProviderRecordings.of({
    fetch: traced("TwilioRecordings.fetch")(download),
    remove: traced("TwilioRecordings.remove")((account, recordingSid) =>
      ask(account, { method: "DELETE", path: `${pathOf(account, recordingSid)}.json` }).pipe(
        Effect.asVoid,
        Effect.catchIf(
          ({ status }) => status === 404,
          () => Effect.void
        )
      )
    )
  })
})

/** `ProviderRecordings` over HTTP; needs nothing but the options. */
export const layer = (options: TwilioRecordingsOptions): Layer.Layer<ProviderRecordings> =>
  Layer.effect(ProviderRecordings, make(options)).pipe(Layer.provide(Connections.layer))

/**
 * Telephony through Twilio's REST interface: updates of live calls. Both updates can be repeated without harm, so a network
 * error, 429 or 5xx is tried once more. Account tokens appear only in the Authorization header.
 */
import { Effect, Layer } from "effect"
import { z } from "zod"
import { Telephony, type TelephonyAccount, TelephonyError } from "../../domain/Telephony.ts"

export interface TwilioRestOptions {
  /** Without the version, e.g. `https://api.twilio.com`. */
  readonly baseUrl: string
  /** Milliseconds per request; 5,000 by default. */
  readonly timeoutMs?: number
}

const ErrorBody = z.object({ code: z.number().int(), message: z.string() })

/** "Call is not in-progress": it has ended before we asked. */
const callNotInProgress = 21220

const failure = (status: number, text: string): TelephonyError => {
  try {
    const { code, message } = ErrorBody.parse(JSON.parse(text))
    return new TelephonyError({ status, code, message })
  } catch {
    return new TelephonyError({ status, code: null, message: `status ${status} without an error document` })
  }
}

const retryable = (error: TelephonyError) => error.status === null || error.status === 429 || error.status >= 500

const update = Effect.fn("TwilioRest.update")(function* (
  options: TwilioRestOptions,
  account: TelephonyAccount,
  callSid: string,
  fields: Record<string, string>
) {
  const path = `/2010-04-01/Accounts/${encodeURIComponent(account.accountSid)}/Calls/${encodeURIComponent(callSid)}.json`
  const credentials = Buffer.from(`${account.accountSid}:${account.authToken}`).toString("base64")
  const timeoutMs = options.timeoutMs ?? 5_000
  const post = Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(`${options.baseUrl.replace(/\/+$/, "")}${path}`, {
        method: "POST",
        headers: { authorization: `Basic ${credentials}` },
        body: new URLSearchParams(fields),
        redirect: "error",
        signal
      })
      return { ok: response.ok, status: response.status, text: await response.text() }
    },
    catch: (cause) =>
      new TelephonyError({
        status: null,
        code: null,
        message: `connection lost: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeoutMs,
      orElse: () =>
        Effect.fail(new TelephonyError({ status: null, code: null, message: `no answer within ${timeoutMs} ms` }))
    }),
    Effect.flatMap(({ ok, status, text }) => (ok ? Effect.void : Effect.fail(failure(status, text))))
  )
  yield* post.pipe(Effect.retry({ times: 1, while: retryable }))
})

/** `Telephony` over HTTP; needs nothing but the options. */
export const layer = (options: TwilioRestOptions): Layer.Layer<Telephony> =>
  Layer.succeed(Telephony, {
    hangUp: (account, callSid) =>
      update(options, account, callSid, { Status: "completed" }).pipe(
        Effect.catchIf(
          (error) => error.code === callNotInProgress,
          () => Effect.void
        )
      ),
    redirect: (account, callSid, twiml) => update(options, account, callSid, { Twiml: twiml })
  })

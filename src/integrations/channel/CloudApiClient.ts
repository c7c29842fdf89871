/**
 * One request to the Cloud API: JSON in and out, the connection's own token (only ever in the Authorization header). What the answer, or its
 * absence, says about the request is one of three: refused, not taken yet, or unknown.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { z } from "zod"
import { parsedJson } from "../../domain/basics/Json.ts"
import { retryAfterMs } from "../../domain/basics/RetryAfter.ts"
import { type ChannelFailure, failureOf } from "../../domain/messaging/channel/cloudapi/Failures.ts"
import { ChannelRefused, ChannelUnavailable, ChannelUnclear } from "../../domain/messaging/channel/MessagingChannel.ts"
import * as Connections from "../connections/Connections.ts"
import { type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import { endpoint } from "../web/BaseUrl.ts"

export interface CloudApiOptions {
  /** Without the version, e.g. `https://graph.facebook.com`. */
  readonly baseUrl: string
  /** Of the API, e.g. `v23.0`. */
  readonly version: string
  /** Milliseconds per request; 15,000 by default. */
  readonly timeoutMs?: number
  readonly circuit?: Partial<CircuitPolicy>
}

export type CloudApiError = ChannelRefused | ChannelUnavailable | ChannelUnclear

export interface CloudApiRequest {
  readonly method: "GET" | "POST" | "DELETE"
  /** Below the version, e.g. `/106540352242922/messages`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** True for a request that sends something: its lost answer is not the same as none. Default false. */
  readonly sends?: boolean
}

const ErrorDocument = z.object({
  error: z.object({
    code: z.number().int(),
    message: z.string().default(""),
    error_data: z.object({ details: z.string() }).partial().nullish()
  })
})

const unavailable = (reason: string, wait: number | undefined) =>
  new ChannelUnavailable({ reason, ...(wait === undefined ? {} : { retryAfterMs: wait }) })

const fromFailure = ({ code, reason, passing, retryAfterMs: usual }: ChannelFailure, wait: number | undefined) =>
  passing ? unavailable(reason, wait ?? usual) : new ChannelRefused({ code, reason })

interface Answer {
  readonly status: number
  readonly text: string
  readonly retryAfter?: string | undefined
}

/** What an answer that is no success says. A 5xx without the channel's own document may come from a proxy that lost the answer. */
export const errorOf = ({ status, text, retryAfter }: Answer, sends: boolean, now: number): CloudApiError => {
  const wait = retryAfterMs(retryAfter, now)
  const document = ErrorDocument.safeParse(parsedJson(text))
  if (document.success) {
    const { code, message, error_data } = document.data.error
    const failure = failureOf(code, error_data?.details ?? message.replace(/^\(#\d+\)\s*/, ""))
    // Throttled or broken for now, whatever the code.
    return fromFailure(status === 429 || status >= 500 ? { ...failure, passing: true } : failure, wait)
  }
  if (status === 429 || status === 503) return unavailable("The channel is busy; it may take the message later.", wait)
  if (status < 500)
    return new ChannelRefused({ code: String(status), reason: `The channel answered with status ${status}.` })
  const reason = `The channel answered with status ${status}, and not in its own words.`
  return sends ? new ChannelUnclear({ reason }) : unavailable(reason, wait)
}

const lostError = ({ message, sent }: Connections.ConnectionLost, sends: boolean): CloudApiError =>
  sent && sends
    ? new ChannelUnclear({ reason: `The channel's answer was lost (${message}).` })
    : new ChannelUnavailable({ reason: `The channel cannot be reached (${message}).` })

const late = (timeoutMs: number, sends: boolean): CloudApiError => {
  const reason = `The channel did not answer within ${timeoutMs} ms.`
  return sends ? new ChannelUnclear({ reason }) : new ChannelUnavailable({ reason })
}

/** A channel that throttles one number, or refuses one message, is there for the others. */
const blames = (error: CloudApiError) =>
  error._tag === "ChannelUnclear" || (error._tag === "ChannelUnavailable" && error.retryAfterMs === undefined)

const make = Effect.fnUntraced(function* (options: CloudApiOptions) {
  const connections = yield* Connections.Connections
  const circuit = yield* makeCircuit<CloudApiError>({
    provider: "messaging/cloud-api",
    reasonOf: (error) =>
      error._tag === "ChannelRefused" ? "rejected" : error._tag === "ChannelUnclear" ? "unclear" : "unavailable",
    blames,
    refuse: (message) => new ChannelUnavailable({ reason: message }),
    policy: options.circuit
  })
  const root = endpoint(options.baseUrl, `/${options.version}`)
  const timeoutMs = options.timeoutMs ?? 15_000

  const answered = (answer: Answer, sends: boolean) => {
    const { status, text } = answer
    if (status < 200 || status > 299)
      return Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(errorOf(answer, sends, now)))
    const document = parsedJson(text)
    if (document !== undefined) return Effect.succeed(document)
    const reason = "The channel's answer is no JSON document."
    return Effect.fail(sends ? new ChannelUnclear({ reason }) : new ChannelUnavailable({ reason }))
  }

  /** The answer's document. */
  const ask = (accessToken: string, request: CloudApiRequest): Effect.Effect<unknown, CloudApiError> => {
    const { method, path, query, body, sends = false } = request
    const search = new URLSearchParams(query).toString()
    return connections
      .ask({
        method,
        url: `${root}${path}${search === "" ? "" : `?${search}`}`,
        headers: { authorization: `Bearer ${accessToken}` },
        body: body === undefined ? "" : JSON.stringify(body),
        timeoutMs
      })
      .pipe(
        Effect.mapError((error) => (error._tag === "AnswerLate" ? late(timeoutMs, sends) : lostError(error, sends))),
        Effect.flatMap(({ status, text, headers }) =>
          answered({ status, text, retryAfter: headers["retry-after"] }, sends)
        ),
        circuit.guard
      )
  }

  /** The same for a form with a file; nothing is sent by it, so a lost answer is none. */
  const post = (accessToken: string, path: string, form: FormData): Effect.Effect<unknown, CloudApiError> =>
    Effect.tryPromise({
      try: async (signal) => {
        const headers = { authorization: `Bearer ${accessToken}` }
        const answer = await fetch(root + path, { method: "POST", headers, body: form, signal, redirect: "error" })
        const retryAfter = answer.headers.get("retry-after") ?? undefined
        return { status: answer.status, text: await answer.text(), retryAfter }
      },
      catch: (cause) => new ChannelUnavailable({ reason: `The channel cannot be reached (${String(cause)}).` })
    }).pipe(
      Effect.timeoutOrElse({ duration: timeoutMs * 4, orElse: () => Effect.fail(late(timeoutMs * 4, false)) }),
      Effect.flatMap((answer) => answered(answer, false)),
      circuit.guard
    )

  return { ask, post, root, timeoutMs }
})

/** One client, with one circuit, for all who ask the channel. */
export class CloudApi extends Context.Service<CloudApi, Effect.Success<ReturnType<typeof make>>>()(
  "parley/integrations/CloudApi"
) {}

/** Needs nothing but the options. */
export const layer = (options: CloudApiOptions): Layer.Layer<CloudApi> =>
  Layer.effect(CloudApi, make(options)).pipe(Layer.provide(Connections.layer))

/** A request that sends nothing is never unclear. */
export const known = (error: CloudApiError): ChannelRefused | ChannelUnavailable =>
  error._tag === "ChannelUnclear" ? new ChannelUnavailable({ reason: error.reason }) : error

/** The document in the shape it should have. */
export const read =
  <A>(shape: z.ZodType<A>) =>
  (document: unknown): Effect.Effect<A, ChannelUnavailable> => {
    const result = shape.safeParse(document)
    return result.success
      ? Effect.succeed(result.data)
      : Effect.fail(new ChannelUnavailable({ reason: "The channel's answer is not the document it should be." }))
  }

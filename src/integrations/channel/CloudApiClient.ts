/**
 * One request to the Cloud API: JSON in and out. The connection's token appears only in the Authorization header. A request fails in one of
 * three ways: the channel refused it, the channel did not take it yet, or nobody knows whether the channel took it.
 */
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { parsedJson } from "../../domain/basics/Json.ts"
import { retryAfterMs } from "../../domain/basics/RetryAfter.ts"
import { type ChannelFailure, failureOf } from "../../domain/messaging/channel/cloudapi/Failures.ts"
import { ChannelRefused, ChannelUnavailable, ChannelUnclear } from "../../domain/messaging/channel/MessagingChannel.ts"
import * as Connections from "../connections/Connections.ts"
import { type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import { endpoint } from "../web/BaseUrl.ts"
import { maybe } from "../web/Maybe.ts"

export interface CloudApiOptions {
  /** Without the version, e.g. `https://graph.facebook.com`. */
  readonly baseUrl: string
  /** The version of the API, e.g. `v23.0`. */
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
  /** True for a request that sends something: when its answer is lost, nobody knows whether it was sent. Default false. */
  readonly sends?: boolean
}

const ErrorDocument = Schema.Struct({
  error: Schema.Struct({
    code: Schema.Int,
    message: Schema.optionalKey(Schema.String),
    error_data: maybe(Schema.Struct({ details: Schema.optionalKey(Schema.String) }))
  })
})
const decodeError = Schema.decodeUnknownOption(Schema.fromJsonString(ErrorDocument))

const unavailable = (reason: string, wait: number | undefined) =>
  new ChannelUnavailable({ reason, ...(wait === undefined ? {} : { retryAfterMs: wait }) })

const fromFailure = ({ code, reason, passing, retryAfterMs: usual }: ChannelFailure, wait: number | undefined) =>
  passing ? unavailable(reason, wait ?? usual) : new ChannelRefused({ code, reason })

interface Answer {
  readonly status: number
  readonly text: string
  readonly retryAfter?: string | undefined
}

/** The error in an answer that is not a success. A 5xx without the channel's own document may come from a proxy that lost the answer. */
export const errorOf = ({ status, text, retryAfter }: Answer, sends: boolean, now: number): CloudApiError => {
  const wait = retryAfterMs(retryAfter, now)
  const document = decodeError(text)
  if (Option.isSome(document)) {
    const { code, message = "", error_data } = document.value.error
    const failure = failureOf(code, error_data?.details ?? message.replace(/^\(#\d+\)\s*/, ""))
    // With these statuses the channel throttles or is broken for now, whatever the code says.
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

/** A channel that throttles one number or refuses one message still works for the others. */
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

  /** Sends the request and gives the answer's JSON document. */
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

  /** The same for a form with a file. It sends no message, so it is never unclear. */
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

/** One client with one circuit, shared by all requests to the channel. */
export class CloudApi extends Context.Service<CloudApi, Effect.Success<ReturnType<typeof make>>>()(
  "parley/integrations/CloudApi"
) {}

/** Needs nothing but the options. */
export const layer = (options: CloudApiOptions): Layer.Layer<CloudApi> =>
  Layer.effect(CloudApi, make(options)).pipe(Layer.provide(Connections.layer))

/** A request that sends nothing is never unclear. */
export const known = (error: CloudApiError): ChannelRefused | ChannelUnavailable =>
  error._tag === "ChannelUnclear" ? new ChannelUnavailable({ reason: error.reason }) : error

/** A decoder of documents; it fails with `ChannelUnavailable` for a document of another shape. Make it once, at module level. */
export const read = <A>(shape: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownEffect(shape)
  const unreadable = () => new ChannelUnavailable({ reason: "The channel's answer is not the document it should be." })
  return (document: unknown): Effect.Effect<A, ChannelUnavailable> => Effect.mapError(decode(document), unreadable)
}

/**
 * One request to Twilio's REST interface: forms in, JSON out. The account's credentials appear only in the Authorization header. After a
 * network error, 429 or 5xx, a request that may be repeated without harm is tried once more, or until its patience ends. A request that
 * creates something is not repeated, because the provider may have created it.
 */
import { Effect, Option, Schedule, Schema } from "effect"
import { parsedJson } from "../../domain/basics/Json.ts"
import { type TelephonyAccount, TelephonyError } from "../../domain/voice/telephony/Telephony.ts"
import { Connections } from "../connections/Connections.ts"
import { type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import { retryThroughCircuit } from "../resilience/Patience.ts"
import { endpoint } from "../web/BaseUrl.ts"

export interface TwilioClientOptions {
  /** Without the version, e.g. `https://api.twilio.com`. */
  readonly baseUrl: string
  /** Milliseconds per request; 5,000 by default. */
  readonly timeoutMs?: number
  readonly circuit?: Partial<CircuitPolicy>
}

export type TwilioForm = Readonly<Record<string, string | ReadonlyArray<string>>>

export interface TwilioRequest {
  readonly method: "GET" | "POST" | "DELETE"
  /** Below `/2010-04-01`, e.g. `/Accounts/AC…/Calls.json`; segments that come from outside are percent-encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** A list is sent as its name repeated. */
  readonly form?: TwilioForm
  /** False for a request that creates something. Default true. */
  readonly repeatable?: boolean
  /** How long a repeatable request is tried, in milliseconds. Set it when somebody waits for the answer. */
  readonly patienceMs?: number
}

export interface TwilioClient {
  /** The answer's document, `undefined` when it has none (204). Fails with every status that is not a success. */
  readonly ask: (account: TelephonyAccount, request: TwilioRequest) => Effect.Effect<unknown, TelephonyError>
}

const ErrorBody = Schema.fromJsonString(Schema.Struct({ code: Schema.Int, message: Schema.String }))
const decodeError = Schema.decodeUnknownOption(ErrorBody)

const failure = (status: number, text: string): TelephonyError =>
  Option.match(decodeError(text), {
    onNone: () => new TelephonyError({ status, code: null, message: `status ${status} without an error document` }),
    onSome: ({ code, message }) => new TelephonyError({ status, code, message })
  })

const retryable = (error: TelephonyError) => error.status === null || error.status === 429 || error.status >= 500

/** A 429 concerns one account: it must not open the circuit for the others. */
const providerTrouble = (error: TelephonyError) => error.status === null || error.status >= 500

const noAnswer = (message: string) => new TelephonyError({ status: null, code: null, message })

const documentOf = ({ status, text }: { readonly status: number; readonly text: string }) => {
  if (status < 200 || status > 299) return Effect.fail(failure(status, text))
  if (text.trim() === "") return Effect.succeed(undefined)
  const document = parsedJson(text)
  return document === undefined ? Effect.fail(noAnswer("the answer is no JSON document")) : Effect.succeed(document)
}

const pathOf = ({ path, query }: TwilioRequest) => {
  const search = new URLSearchParams(query).toString()
  return `/2010-04-01${path}${search === "" ? "" : `?${search}`}`
}

const formOf = (form: TwilioForm): string =>
  new URLSearchParams(
    Object.entries(form).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]))
  ).toString()

/** The account's credentials as a header. */
export const authorizationOf = ({ accountSid, authToken }: TelephonyAccount): string =>
  `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`

/** A client over the shared connections, with a circuit of its own, for the life of the scope. */
export const makeTwilioClient = Effect.fnUntraced(function* (options: TwilioClientOptions, provider: string) {
  const connections = yield* Connections
  const circuit = yield* makeCircuit<TelephonyError>({
    provider,
    reasonOf: (error) => (providerTrouble(error) ? "unavailable" : error.status === 429 ? "rate_limited" : "rejected"),
    blames: providerTrouble,
    refuse: noAnswer,
    policy: options.circuit
  })
  const usualTimeoutMs = options.timeoutMs ?? 5_000

  const send = (account: TelephonyAccount, request: TwilioRequest, timeoutMs: number) => {
    const authorization = authorizationOf(account)
    const contentType = "application/x-www-form-urlencoded;charset=UTF-8"
    return connections
      .ask({
        method: request.method,
        url: endpoint(options.baseUrl, pathOf(request)),
        headers: request.method === "POST" ? { authorization, "content-type": contentType } : { authorization },
        body: request.form === undefined ? "" : formOf(request.form),
        timeoutMs
      })
      .pipe(
        Effect.mapError((error) =>
          noAnswer(error._tag === "AnswerLate" ? `no answer within ${timeoutMs} ms` : error.message)
        ),
        Effect.flatMap(documentOf)
      )
  }

  const ask: TwilioClient["ask"] = (account, request) => {
    const { repeatable = true, patienceMs } = request
    if (patienceMs !== undefined) {
      const attemptMs = Math.min(usualTimeoutMs, (patienceMs * 2) / 3)
      return retryThroughCircuit(circuit, { ms: patienceMs, again: retryable }, attemptMs, (ms) =>
        send(account, request, ms)
      )
    }
    const once = send(account, request, usualTimeoutMs)
    return circuit.guard(
      Effect.retry(once, { schedule: Schedule.recurs(1), while: (error) => repeatable && retryable(error) })
    )
  }
  return { ask } satisfies TwilioClient
})

/** Path of an account's resources. */
export const accountPath = ({ accountSid }: Pick<TelephonyAccount, "accountSid">): string =>
  `/Accounts/${encodeURIComponent(accountSid)}`

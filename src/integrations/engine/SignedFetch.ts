/**
 * One signed JSON exchange between app and engine. Each attempt has its own signature, which is valid for one request only; a query field makes two
 * attempts within a second different requests. A request that never reached the other side (it restarts) is tried again. One that may have reached
 * it is tried again only if it is idempotent. It uses the connection pool of the providers: Node's `fetch` takes several times the processor time,
 * and each turn makes two of these requests.
 */
import { Clock, Effect, Predicate } from "effect"
import { newId } from "../../domain/basics/Ids.ts"
import { parsedJson } from "../../domain/basics/Json.ts"
import { EngineProtocolError } from "../../domain/voice/engine/EnginePorts.ts"
import { engineSignatureHeader, signEngineRequest } from "../../domain/voice/engine/EngineSignature.ts"
import type { Connections, Unanswered } from "../connections/Connections.ts"
import { retryPatiently } from "../resilience/Patience.ts"
import { endpoint } from "../web/BaseUrl.ts"

export interface SignedFetchOptions {
  /** Origin of the other side, e.g. `http://127.0.0.1:3000`. */
  readonly baseUrl: string
  /** `ENGINE_WS_SECRET`. */
  readonly secret: string
  /** Milliseconds per attempt. */
  readonly timeoutMs: number
  /** How long new attempts are made while the other side is not there, in milliseconds; 0: only one attempt. */
  readonly patienceMs: number
  /** Sending the request twice does no harm, so it is tried again also when the connection was lost after sending. */
  readonly idempotent: boolean
  /** The name of the other side in error sentences: "The voice engine". */
  readonly peer: string
}

type Method = "POST" | "PUT" | "DELETE"

/** The `error` sentence of an answer, or its status when it has none. */
const sentenceOf = (text: string, status: number, peer: string): string => {
  const body = parsedJson(text)
  return Predicate.isObject(body) && typeof body.error === "string" ? body.error : `${peer} answered ${status}.`
}

/** Whether the other side may take the same request later. */
const laterStatus = (status: number): boolean => status === 429 || status === 408 || status >= 500

/** A failed attempt; `again`: whether another may follow. */
interface Failed {
  readonly error: EngineProtocolError
  readonly again: boolean
}

/** Whether a proxy answered that the other side is not there, so that nothing took the request. */
const isAway = (status: number): boolean => status === 502 || status === 503

const unanswered = (error: Unanswered, { peer, idempotent }: SignedFetchOptions): Failed => ({
  error: new EngineProtocolError({
    status: null,
    retryable: true,
    message:
      error._tag === "AnswerLate"
        ? `${peer} did not answer within ${error.timeoutMs} ms.`
        : `${peer} cannot be reached (${error.message.replace(/^connection lost: /, "")}).`
  }),
  again: error._tag === "ConnectionLost" && (idempotent || !error.sent)
})

const attempt = Effect.fnUntraced(function* (
  connections: Connections["Service"],
  options: SignedFetchOptions,
  method: Method,
  path: string,
  body: string
) {
  const signedPath = `${path}?attempt=${newId("req")}`
  const now = yield* Clock.currentTimeMillis
  const signature = signEngineRequest(options.secret, { method, path: signedPath, body }, now)
  const url = endpoint(options.baseUrl, signedPath)
  const { timeoutMs } = options
  const answer = yield* connections
    .ask({ method, url, headers: { [engineSignatureHeader]: signature }, body, timeoutMs })
    .pipe(Effect.mapError((error) => unanswered(error, options)))
  if (answer.status >= 200 && answer.status < 300) return answer.text
  const message = sentenceOf(answer.text, answer.status, options.peer)
  const retryable = laterStatus(answer.status)
  const error = new EngineProtocolError({ status: answer.status, retryable, message })
  return yield* Effect.fail<Failed>({ error, again: isAway(answer.status) })
})

/** Sends a request and returns the answer's text. `body` is sent as JSON; `undefined` sends no body. */
export const signedFetch = (
  connections: Connections["Service"],
  options: SignedFetchOptions,
  method: Method,
  path: string,
  body: unknown
): Effect.Effect<string, EngineProtocolError> =>
  Effect.mapError(
    retryPatiently({ ms: options.patienceMs, again: ({ again }: Failed) => again }, () =>
      attempt(connections, options, method, path, body === undefined ? "" : JSON.stringify(body))
    ),
    ({ error }) => error
  )

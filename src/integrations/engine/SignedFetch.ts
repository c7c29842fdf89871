/**
 * One signed JSON exchange between app and engine. Each attempt is signed anew; a query field makes two attempts within a second
 * different requests, since a signature is good for one request only. Only what never reached the other side is tried again.
 */
import { Clock, Effect } from "effect"
import { EngineProtocolError } from "../../domain/EngineProtocol.ts"
import { engineSignatureHeader, signEngineRequest } from "../../domain/EngineSignature.ts"
import { newId } from "../../domain/Ids.ts"

export interface SignedFetchOptions {
  /** Origin of the other side, e.g. `http://127.0.0.1:3000`. */
  readonly baseUrl: string
  /** `ENGINE_WS_SECRET`. */
  readonly secret: string
  /** Milliseconds per attempt. */
  readonly timeoutMs: number
  /** Attempts after a network error. */
  readonly retries: number
  /** How the other side is called in error sentences: "The voice engine". */
  readonly peer: string
}

const reason = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error && cause.cause.message !== "" ? cause.cause.message : cause.message
}

/** The `error` sentence of an answer, or its status when it has none. */
const sentenceOf = (text: string, status: number, peer: string): string => {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === "object" && body !== null && "error" in body && typeof body.error === "string")
      return body.error
  } catch {
    return `${peer} answered ${status}.`
  }
  return `${peer} answered ${status}.`
}

/** The other side can take the same request later. */
const laterStatus = (status: number): boolean => status === 429 || status === 408 || status >= 500

const attempt = Effect.fnUntraced(function* (options: SignedFetchOptions, method: string, path: string, body: string) {
  const signedPath = `${path}?attempt=${newId("req")}`
  const now = yield* Clock.currentTimeMillis
  const signature = signEngineRequest(options.secret, { method, path: signedPath, body }, now)
  const answer = yield* Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(`${options.baseUrl.replace(/\/+$/, "")}${signedPath}`, {
        method,
        headers: { [engineSignatureHeader]: signature, "content-type": "application/json" },
        ...(body === "" ? {} : { body }),
        redirect: "error",
        signal
      })
      return { ok: response.ok, status: response.status, text: await response.text() }
    },
    catch: (cause) =>
      new EngineProtocolError({
        status: null,
        retryable: true,
        message: `${options.peer} cannot be reached (${reason(cause)}).`
      })
  }).pipe(
    Effect.timeoutOrElse({
      duration: options.timeoutMs,
      orElse: () =>
        Effect.fail(
          new EngineProtocolError({
            status: null,
            retryable: true,
            message: `${options.peer} did not answer within ${options.timeoutMs} ms.`
          })
        )
    })
  )
  if (answer.ok) return answer.text
  const message = sentenceOf(answer.text, answer.status, options.peer)
  return yield* new EngineProtocolError({ status: answer.status, retryable: laterStatus(answer.status), message })
})

/** The answer's text. `body` is sent as JSON; `undefined` sends none. */
export const signedFetch = (
  options: SignedFetchOptions,
  method: string,
  path: string,
  body: unknown
): Effect.Effect<string, EngineProtocolError> =>
  attempt(options, method, path, body === undefined ? "" : JSON.stringify(body)).pipe(
    Effect.retry({ times: options.retries, while: (error) => error.status === null })
  )

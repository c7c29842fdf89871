/**
 * Handles `Idempotency-Key` on a POST. A repeated request with the same body within 24 hours gets the first answer again (`Idempotent-Replayed:
 * true`). A request with another body gets 409, and a repeated one while the first is running gets 409 with `Retry-After`. Only successful answers
 * are stored, with their secrets masked: what is shown once is in the first answer only. A refused request (4xx) may be corrected and sent with the same key; a request that failed on our side (5xx) runs again.
 *
 * Forms with files are ignored: their boundary differs each time they are sent, and the same file is stored once anyway. Where a body is read as a
 * stream the key counts alone: bodies are not compared.
 *
 * A request continues when its client disconnects (`Authorization`). Otherwise its answer would be lost in exactly the cases where it is repeated.
 */
import { createHash } from "node:crypto"
import { Cause, Effect, Exit, Option, Predicate } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { callerId, type Principal } from "../../domain/people/access/Access.ts"
import { type Claim, IdempotencyKeys, Operation, type StoredAnswer } from "../../domain/people/access/Idempotency.ts"
import { isForm } from "../server/UwsBody.ts"
import { errorResponse, ServerError } from "../wire/Errors.ts"
import { withoutSecrets } from "../wire/ShownOnce.ts"

type Response = HttpServerResponse.HttpServerResponse

/** 1 to 255 printable ASCII characters, without spaces. */
const wellFormed = /^[\x21-\x7e]{1,255}$/

const malformed = errorResponse(
  400,
  "The Idempotency-Key must have 1 to 255 printable ASCII characters, without spaces."
)
const otherBody = errorResponse(
  409,
  "This Idempotency-Key was already used with another body. Send the same body, or a new key."
)
const underWay = HttpServerResponse.setHeader(
  errorResponse(409, "The first request with this Idempotency-Key is still under way. Try again in a second."),
  "retry-after",
  "1"
)

/** The body as text; `undefined` for a stream, which cannot be stored. */
const bodyOf = ({ body }: Response): string | undefined => {
  if (body._tag === "Empty") return ""
  return body._tag === "Uint8Array" ? Buffer.from(body.body).toString("utf8") : undefined
}

const keep = (response: Response, secrets: ReadonlyArray<string>): StoredAnswer | undefined => {
  const text = bodyOf(response)
  const body = text === undefined ? undefined : withoutSecrets(text, secrets)
  const contentType = "contentType" in response.body ? (response.body.contentType ?? null) : null
  return body === undefined ? undefined : { status: response.status, contentType, headers: response.headers, body }
}

const replay = ({ status, contentType, headers, body }: StoredAnswer): Response => {
  const options = { status, headers: { ...headers, "idempotent-replayed": "true" } }
  return contentType === null
    ? HttpServerResponse.empty(options)
    : HttpServerResponse.text(body, { ...options, contentType })
}

/** Whether a failure is a ServerError. The authorization around a handler wraps its failures. */
const isServerError = (failure: unknown): boolean =>
  failure instanceof ServerError || (Predicate.hasProperty(failure, "error") && failure.error instanceof ServerError)

/** The HTTP status class of a request, derived from the outcome of its handler. */
const statusOf = <E>(outcome: Exit.Exit<Response, E>): number => {
  if (Exit.isSuccess(outcome)) return outcome.value.status
  const failure = Option.getOrUndefined(Cause.findErrorOption(outcome.cause))
  // Every declared failure except ServerError is a refusal (4xx). Anything else failed on our side.
  return failure === undefined || isServerError(failure) ? 500 : 400
}

/** Needs IdempotencyKeys. */
export const makeIdempotency = Effect.gen(function* () {
  const keys = yield* IdempotencyKeys

  const settle = <E>(claim: Claim, outcome: Exit.Exit<Response, E>, secrets: ReadonlyArray<string>) => {
    const status = statusOf(outcome)
    if (status >= 400 && status < 500) return keys.refused(claim)
    const answer = status < 400 && Exit.isSuccess(outcome) ? keep(outcome.value, secrets) : undefined
    return answer === undefined ? keys.abandoned(claim) : keys.answered(claim, answer)
  }

  const carryOut = <E, R>(claim: Claim, handler: Effect.Effect<Response, E, R>, secrets: ReadonlyArray<string>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.tap(Effect.exit(restore(Effect.provideService(handler, Operation, claim.id))), (outcome) =>
        // If the answer cannot be stored, the client still gets it, and the key becomes free when its lease runs out.
        settle(claim, outcome, secrets).pipe(
          Effect.catchCause((cause) => Effect.logError("an answer could not be kept for its Idempotency-Key", cause))
        )
      )
    )

  /** Runs the handler for its caller, once per key. `secrets`: the fields of its answer that are shown once (`ShownOnce`). */
  return Effect.fnUntraced(function* <E, R>(
    caller: Principal,
    handler: Effect.Effect<Response, E, R>,
    secrets: ReadonlyArray<string>,
    streamed: boolean
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { method, originalUrl: path, headers } = request
    const key = headers["idempotency-key"]
    if (method !== "POST" || key === undefined || (!streamed && isForm(headers))) return yield* handler
    if (!wellFormed.test(key)) return malformed
    const body = streamed ? new ArrayBuffer(0) : yield* Effect.orDie(request.arrayBuffer)
    const bodyHash = createHash("sha256").update(new Uint8Array(body)).digest("hex")
    const { organizationId } = caller
    const state = yield* keys.claim({ organizationId, caller: callerId(caller), method, path, key, bodyHash })
    switch (state._tag) {
      case "Answered":
        return replay(state.answer)
      case "OtherBody":
        return otherBody
      case "UnderWay":
        return underWay
      case "Mine":
        return yield* yield* carryOut(state.claim, handler, secrets)
    }
  })
})

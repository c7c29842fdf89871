/** The errors of the REST interface: `{ "error": "<sentence>" }` with one of these statuses, and nothing else. */
import { Effect, Schema } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"

const fields = (example: string) => ({ error: Schema.String.annotate({ examples: [example] }) })

export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(
  fields("phone is invalid: it must be a phone number with its country code, like +14155550123."),
  { httpApiStatus: 400 }
) {}
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  fields("This API key is not valid: it is malformed, unknown, revoked or expired."),
  { httpApiStatus: 401 }
) {}
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(
  fields("This API key lacks the scope contacts:write."),
  { httpApiStatus: 403 }
) {}
export class NotFound extends Schema.Error<NotFound>("NotFound")(fields("There is no contact with this id."), {
  httpApiStatus: 404
}) {}
export class Conflict extends Schema.Error<Conflict>("Conflict")(fields("Another contact has this number."), {
  httpApiStatus: 409
}) {}
export class TooMany extends Schema.Error<TooMany>("TooMany")(
  fields("Too many requests: 120 a minute are allowed. Try again in 12 seconds."),
  { httpApiStatus: 429 }
) {}
export class ServerError extends Schema.Error<ServerError>("ServerError")(
  fields("Something went wrong on our side. Please try again."),
  { httpApiStatus: 500 }
) {}

/** An error answer of the same shape, for use outside declared endpoints. 405 is for unknown methods, 416 for range requests. */
export const errorResponse = (status: 400 | 401 | 403 | 404 | 405 | 409 | 416 | 429 | 500, error: string) =>
  HttpServerResponse.jsonUnsafe({ error }, { status })

/** The answer at an address that no route has. */
export const nothingHere = errorResponse(404, "There is nothing at this address.")

/** Adds headers to the answer of the current request, whether it is a success or an error. */
export const answerWith = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers))
  )

const retryAfter = (seconds: number) => answerWith({ "retry-after": String(Math.ceil(seconds)) })

/** 409 for a value that must be unique: the sentence and the header `X-Existing-Id` name the record that has it. */
export const existing = (id: string, error: string) =>
  Effect.andThen(answerWith({ "x-existing-id": id }), new Conflict({ error }))

/** Fails with 429 and `Retry-After` in whole seconds. */
export const tooMany = (error: string, retryAfterSeconds: number) =>
  Effect.andThen(retryAfter(retryAfterSeconds), new TooMany({ error }))

/** What a client is told when the database does not answer: with 500 and `Retry-After`, since what it asked for may have been done. */
export const unanswered = {
  error:
    "Our database does not answer at the moment. What you asked for may have been done. Please try again in a few seconds, with the same Idempotency-Key if you sent one.",
  retryAfterSeconds: 5
}

/** Handles PasswordsBusy. */
export const passwordsBusy = () =>
  tooMany("Too many passwords are being checked at this moment. Try again in a second.", 1)

export const conversationMoving = () =>
  new ServerError({ error: "The conversation is moving to another server. Please try again in a moment." })

/** Handles ConversationBusy: 500 with `Retry-After`. The change may have been made, so it is not 4xx, which would remove the Idempotency-Key. */
export const conversationBusy = () => Effect.andThen(retryAfter(2), conversationMoving())

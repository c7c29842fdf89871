/** What a request can fail with. Each error has a sentence that a person can act on. */

export interface FailedRequest {
  /** `contacts.create` */
  readonly operation: string
  /** How often it was sent. */
  readonly attempts: number
  readonly idempotencyKey: string | undefined
}

/** Everything that a request fails with, apart from the reason of a caller's own `AbortSignal`. */
export class ParleyError extends Error implements FailedRequest {
  override readonly name: string = "ParleyError"
  readonly operation: string
  readonly attempts: number
  /** Sent with the request. The same request with the same key does nothing twice. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, { operation, attempts, idempotencyKey }: FailedRequest, options?: ErrorOptions) {
    super(message, options)
    this.operation = operation
    this.attempts = attempts
    this.idempotencyKey = idempotencyKey
  }
}

/** No answer came: the connection failed or broke off. What was asked for may have been done. */
export class ConnectionError extends ParleyError {
  override readonly name: string = "ConnectionError"
}

/** No answer came in time. What was asked for may have been done. */
export class TimedOutError extends ConnectionError {
  override readonly name: string = "TimedOutError"
}

export interface Refusal {
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly existingId: string | undefined
}

/** The service refused: `message` is its sentence. */
export class AnswerError extends ParleyError implements Refusal {
  override readonly name: string = "AnswerError"
  readonly status: number
  /** The id of the request in the logs of the service. */
  readonly requestId: string | undefined
  /** When the service says when to try again: in so many seconds. */
  readonly retryAfterSeconds: number | undefined
  /** Of a 409: the id of the record that is there already. */
  readonly existingId: string | undefined

  constructor(message: string, failed: FailedRequest, { status, requestId, retryAfterSeconds, existingId }: Refusal) {
    super(message, failed)
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.existingId = existingId
  }
}

/** 400: a field or the request is wrong. */
export class BadRequestError extends AnswerError {
  override readonly name: string = "BadRequestError"
}
/** 401: the key or the session is missing, wrong, revoked or expired. */
export class UnauthorizedError extends AnswerError {
  override readonly name: string = "UnauthorizedError"
}
/** 403: a scope, a role, the plan or a permission is missing. */
export class ForbiddenError extends AnswerError {
  override readonly name: string = "ForbiddenError"
}
/** 404: there is no such record. */
export class NotFoundError extends AnswerError {
  override readonly name: string = "NotFoundError"
}
/** 409: the record is there already, or is not in a state for it. */
export class ConflictError extends AnswerError {
  override readonly name: string = "ConflictError"
}
/** 429: asked too often. */
export class TooManyRequestsError extends AnswerError {
  override readonly name: string = "TooManyRequestsError"
}
/** 500 and above: something went wrong at the service. */
export class ServerError extends AnswerError {
  override readonly name: string = "ServerError"
}

const kinds: Readonly<Record<number, typeof AnswerError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  429: TooManyRequestsError
}

/** The error for an answer of this status. */
export const answerError = (message: string, failed: FailedRequest, refusal: Refusal): AnswerError => {
  const Kind = kinds[refusal.status] ?? (refusal.status >= 500 ? ServerError : AnswerError)
  return new Kind(message, failed, refusal)
}

/** A webhook that is not from the service, or not from now. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
}

/** Why a tool did not do what it was asked, in words for a model: what is wrong, and what to do next. */
import { Data, Effect } from "effect"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError, TooMany } from "../../wire/Errors.ts"

export class ToolRefusal extends Data.TaggedError("ToolRefusal")<{
  /** The sentence that the REST interface gives. */
  readonly message: string
  /** What the model can do about it. */
  readonly next: string
  /** It failed on our side: what was asked for may have been done. */
  readonly isOurs?: boolean
}> {}

/** The errors of the REST interface, which its handlers and ours share. */
export type RestError = BadRequest | Conflict | Forbidden | NotFound | ServerError | TooMany

const isRestError = (error: unknown): error is RestError =>
  [BadRequest, Conflict, Forbidden, NotFound, ServerError, TooMany].some((kind) => error instanceof kind)

/** What can be done when a tool does not say it better. */
const usually = (error: RestError): string => {
  if (error instanceof BadRequest) return "Correct the argument and call the tool again."
  if (error instanceof NotFound) return "Look the id up with the tool that lists these records."
  if (error instanceof Forbidden) return "Do not try again: tell the person what is missing."
  if (error instanceof Conflict) return "Tell the person, or correct the request."
  if (error instanceof TooMany) return "Wait as long as it says, then call the tool again."
  return "Wait a few seconds, then call the tool again with the same arguments."
}

/** Turns an error of the REST interface, or of a use case, into a refusal. */
export const refusalOf = (error: RestError | { readonly message: string }, next?: string): ToolRefusal =>
  isRestError(error)
    ? new ToolRefusal({
        message: error.error,
        next: next ?? usually(error),
        isOurs: error instanceof ServerError
      })
    : new ToolRefusal({ message: error.message, next: next ?? "Correct the request and call the tool again." })

/** Fails with what the REST interface would answer. */
export const asRefusal =
  (next?: string) =>
  <A, E extends RestError, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, ToolRefusal, R> =>
    Effect.mapError(work, (error) => refusalOf(error, next))

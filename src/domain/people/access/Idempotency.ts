/**
 * `Idempotency-Key`: a repeated request with the same key gets the first answer and does nothing again. A key is scoped to organization, caller,
 * method and path, and kept for 24 hours.
 *
 * A running request holds a lease. When a process dies before it answers, the lease expires; the next request with that key is carried out again,
 * with the same operation id (`Operation`). So a use case that must not act twice stores this id with its result.
 */
import { Context, type Effect } from "effect"
import { type IdPrefix, newId } from "../../basics/Ids.ts"

/** How long a key is kept. Milliseconds. */
export const idempotencyLifetimeMs = 24 * 60 * 60 * 1_000
/** Longer than any request takes. Milliseconds. */
export const idempotencyLeaseMs = 120_000

/** The operation id: the same for each attempt of a request with an Idempotency-Key; `undefined` for a request without one. */
export const Operation = Context.Reference<string | undefined>("parley/domain/Operation", {
  defaultValue: () => undefined
})

/** The id of what an operation creates, so that a repetition finds it; a new id without an operation. `now` is Unix time in milliseconds. */
export const idOfOperation = (prefix: IdPrefix, operation: string | undefined, now: number): string =>
  operation === undefined ? newId(prefix, now) : `${prefix}_${operation.slice(operation.indexOf("_") + 1)}`

export interface IdempotentRequest {
  readonly organizationId: string
  /** The API key's id, or the person's. */
  readonly caller: string
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly key: string
  /** SHA-256 of the body. */
  readonly bodyHash: string
}

/** The stored answer for repeated requests. */
export interface StoredAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A lease on a request. Its holder carries the request out. */
export interface Claim {
  readonly organizationId: string
  /** The operation's id. */
  readonly id: string
  /** The number of leases so far, so that a late holder cannot end a newer lease. */
  readonly attempt: number
}

/** `Mine`: the caller has the lease. `UnderWay`: another request has it. `OtherBody`: the key came before with another body. */
export type IdempotencyState =
  | { readonly _tag: "Mine"; readonly claim: Claim }
  | { readonly _tag: "UnderWay" }
  | { readonly _tag: "Answered"; readonly answer: StoredAnswer }
  | { readonly _tag: "OtherBody" }

export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    /** Takes the lease on a request, or says why it cannot be taken. */
    readonly claim: (request: IdempotentRequest) => Effect.Effect<IdempotencyState>
    /** Stores the answer for repeated requests. */
    readonly answered: (claim: Claim, answer: StoredAnswer) => Effect.Effect<void>
    /** Forgets a request that was refused and did nothing, so that its key may come again with another body. */
    readonly refused: (claim: Claim) => Effect.Effect<void>
    /** Ends the lease of a request with an unknown outcome. The operation id stays. */
    readonly abandoned: (claim: Claim) => Effect.Effect<void>
  }
>()("parley/domain/IdempotencyKeys") {}

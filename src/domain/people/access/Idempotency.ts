/**
 * `Idempotency-Key`: a request that is repeated with the same key gets the answer of the first one and does nothing again. Keys are told
 * apart by organization, caller, method and path, and remembered for 24 hours.
 *
 * A request under way holds a lease. A process that dies between doing and answering leaves its lease to run out; the next request of that
 * key is carried out again, under the same operation id (`Operation`). So a use case that must not do its thing twice stores that id with it.
 */
import { Context, type Effect } from "effect"
import { type IdPrefix, newId } from "../../basics/Ids.ts"

export const idempotencyLifetimeMs = 24 * 60 * 60 * 1_000
/** Longer than any request takes. */
export const idempotencyLeaseMs = 120_000

/** The same for each attempt of one request with an Idempotency-Key; undefined for a request without. */
export const Operation = Context.Reference<string | undefined>("parley/domain/Operation", {
  defaultValue: () => undefined
})

/** What an operation makes is named after it, so that whoever carries it out again finds it. `now` is Unix time in milliseconds. */
export const idOfOperation = (prefix: IdPrefix, operation: string | undefined, now: number): string =>
  operation === undefined ? newId(prefix, now) : `${prefix}_${operation.slice(operation.indexOf("_") + 1)}`

export interface IdempotentRequest {
  readonly organizationId: string
  /** The API key's id, or the person's. */
  readonly caller: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly key: string
  /** SHA-256 of the body. */
  readonly bodyHash: string
}

/** An answer as it is given again. */
export interface StoredAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A lease on a request: whoever holds it carries the request out. */
export interface Claim {
  readonly organizationId: string
  /** The operation's id. */
  readonly id: string
  /** Counts those who held a lease: a late one cannot end another's. */
  readonly attempt: number
}

export type IdempotencyState =
  | { readonly _tag: "Mine"; readonly claim: Claim }
  | { readonly _tag: "UnderWay" }
  | { readonly _tag: "Answered"; readonly answer: StoredAnswer }
  | { readonly _tag: "OtherBody" }

export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    readonly claim: (request: IdempotentRequest) => Effect.Effect<IdempotencyState>
    /** The answer from now on. */
    readonly answered: (claim: Claim, answer: StoredAnswer) => Effect.Effect<void>
    /** Nothing was done (the request was refused): as if it had never come, so the key may come with another body. */
    readonly refused: (claim: Claim) => Effect.Effect<void>
    /** It is not known what was done: the lease ends, the operation's id stays. */
    readonly abandoned: (claim: Claim) => Effect.Effect<void>
  }
>()("parley/domain/IdempotencyKeys") {}

/**
 * Counts the calls of an organization on all engines together. Each call holds a lease that its engine renews, so the calls of a dead engine
 * stop counting after `leaseSeconds`.
 */
import { Context, Effect, Layer } from "effect"

export interface LeasedCall {
  readonly organizationId: string
  readonly callId: string
}

export class CallLeases extends Context.Service<
  CallLeases,
  {
    /** False when the organization already has `limit` other calls. */
    readonly acquire: (call: LeasedCall, limit: number) => Effect.Effect<boolean>
    readonly release: (call: LeasedCall) => Effect.Effect<void>
    /** The engine renews all its live calls every `renewEverySeconds`. */
    readonly renew: (calls: ReadonlyArray<LeasedCall>) => Effect.Effect<void>
  }
>()("parley/domain/CallLeases") {
  /** For an engine process that runs alone: its own count is complete, so every lease is granted. */
  static readonly layerAlone: Layer.Layer<CallLeases> = Layer.succeed(CallLeases, {
    acquire: () => Effect.succeed(true),
    release: () => Effect.void,
    renew: () => Effect.void
  })
}

export const leaseSeconds = 30
export const renewEverySeconds = 10

/** How many calls an organization has on all engines together. Leases: what a dead engine held is free again after half a minute. */
import { Context, Effect, Layer } from "effect"

export interface LeasedCall {
  readonly organizationId: string
  readonly callId: string
}

export class CallLeases extends Context.Service<
  CallLeases,
  {
    /** False when the organization has `limit` calls already, this one not among them. */
    readonly acquire: (call: LeasedCall, limit: number) => Effect.Effect<boolean>
    readonly release: (call: LeasedCall) => Effect.Effect<void>
    /** To be done every `renewEverySeconds` for all calls that go on. */
    readonly renew: (calls: ReadonlyArray<LeasedCall>) => Effect.Effect<void>
  }
>()("parley/domain/CallLeases") {
  /** For a process that is alone: what it counts itself is all there is. */
  static readonly layerAlone: Layer.Layer<CallLeases> = Layer.succeed(CallLeases, {
    acquire: () => Effect.succeed(true),
    release: () => Effect.void,
    renew: () => Effect.void
  })
}

export const leaseSeconds = 30
export const renewEverySeconds = 10

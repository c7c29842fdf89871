/** The place where a do-not-call list can be asked before a number is dialled. Scrubbing is the customer's duty; none is built in. */
import { Context, Effect, Layer } from "effect"

export class DoNotCall extends Context.Service<
  DoNotCall,
  {
    /** Why this number (E.164) must not be called, as a sentence; `undefined` when it may be. */
    readonly refusal: (organizationId: string, phone: string) => Effect.Effect<string | undefined>
  }
>()("parley/domain/DoNotCall") {
  /** No list: every number may be called. */
  static readonly layerNone = Layer.succeed(DoNotCall, { refusal: () => Effect.succeed(undefined) })
}

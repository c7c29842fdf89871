/** Port for a do-not-call list, asked before a number is dialled. No list is built in: checking against one is the customer's duty. */
import { Context, Effect, Layer } from "effect"

export class DoNotCall extends Context.Service<
  DoNotCall,
  {
    /** The sentence that says why this number (E.164) must not be called; `undefined` when it may be called. */
    readonly refusal: (organizationId: string, phone: string) => Effect.Effect<string | undefined>
  }
>()("parley/domain/DoNotCall") {
  /** No list: every number may be called. */
  static readonly layerNone = Layer.succeed(DoNotCall, { refusal: () => Effect.succeed(undefined) })
}

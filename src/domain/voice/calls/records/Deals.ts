/** Port: what is known about a deal that a call is about, or a chat with somebody who was called about it. */
import { Context, Effect, Layer } from "effect"

export interface Deal {
  readonly id: string
  /** Facts an agent may use, by name, e.g. `stage: proposal sent`. */
  readonly facts: Readonly<Record<string, string>>
}

export class Deals extends Context.Service<
  Deals,
  { readonly find: (organizationId: string, dealId: string) => Effect.Effect<Deal> }
>()("parley/domain/Deals") {
  /** For a service without a CRM: only the deal's id is known. */
  static readonly idOnly = Deals.of({ find: (_, id) => Effect.succeed({ id, facts: {} }) })
  static readonly layerIdOnly = Layer.succeed(Deals, Deals.idOnly)
}

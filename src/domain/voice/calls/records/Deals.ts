/** Port: what is known about a deal that a call is about, and about the deals of somebody who writes. */
import { Context, Effect, Layer } from "effect"

export interface Deal {
  readonly id: string
  /** Facts an agent may use, by name, e.g. `stage: proposal sent`. */
  readonly facts: Readonly<Record<string, string>>
}

export class Deals extends Context.Service<
  Deals,
  {
    readonly find: (organizationId: string, dealId: string) => Effect.Effect<Deal>
    /** The newest deals of a contact, as the CRMs know them. */
    readonly ofContact: (organizationId: string, contactId: string) => Effect.Effect<ReadonlyArray<Deal>>
  }
>()("parley/domain/Deals") {
  /** For a service without a CRM: only the deal's id is known. */
  static readonly idOnly = Deals.of({
    find: (_, id) => Effect.succeed({ id, facts: {} }),
    ofContact: () => Effect.succeed([])
  })
  static readonly layerIdOnly = Layer.succeed(Deals, Deals.idOnly)
}

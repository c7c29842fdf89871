/**
 * The deals of calls, as the organization's CRMs know them: name, stage and amount. A call waits for them a moment only, and goes on without them.
 */
import { Effect, Layer } from "effect"
import { type Deal, Deals } from "../../voice/calls/records/Deals.ts"
import { AppAdapters, type AppDeal } from "../AppAdapter.ts"
import { AppConnections } from "../AppConnection.ts"
import type { AppProvider } from "../Catalogue.ts"
import { makeUseConnection } from "../UseConnection.ts"

/** The person on the line waits so long at most, whatever a CRM does. Milliseconds. */
export const longestDealMs = 1_500

const factsOf = ({ name, stage, amount, currency }: AppDeal): Deal["facts"] => ({
  ...(name === null ? {} : { name }),
  ...(stage === null ? {} : { stage }),
  ...(amount === null ? {} : { amount: currency === null ? amount : `${amount} ${currency}` })
})

/** Needs AppAdapters, AppConnections, Exclusive, HttpClient and RateLimiter. */
export const layer = Layer.effect(
  Deals,
  Effect.gen(function* () {
    const adapters = yield* AppAdapters
    const connections = yield* AppConnections
    const { use } = yield* makeUseConnection

    const ask = Effect.fnUntraced(function* (organizationId: string, provider: AppProvider, dealId: string) {
      const { deal } = adapters[provider]
      const connection = deal === undefined ? undefined : yield* connections.find(organizationId, provider)
      if (deal === undefined || connection === undefined) return undefined
      return yield* use(connection, ({ session }) => deal(session, dealId))
    })

    /** The first CRM that knows it; one that is slow or fails is noted, and knows nothing. */
    const known = Effect.fnUntraced(function* (organizationId: string, dealId: string) {
      const made = yield* connections.list(organizationId)
      const asked = [...made].filter(
        ([provider, { enabled, state }]) => enabled && state === "connected" && adapters[provider].deal !== undefined
      )
      const unknown = (provider: AppProvider, reason: string) =>
        Effect.as(
          Effect.logWarning("a call goes on without its deal", { organizationId, provider, dealId, reason }),
          undefined
        )
      const found = yield* Effect.forEach(
        asked,
        ([provider]) =>
          ask(organizationId, provider, dealId).pipe(
            Effect.catch(({ message }) => unknown(provider, message)),
            Effect.timeoutOrElse({
              duration: longestDealMs,
              orElse: () => unknown(provider, `No answer within ${longestDealMs} ms.`)
            })
          ),
        { concurrency: "unbounded" }
      )
      return found.find((deal) => deal !== undefined)
    })

    return Deals.of({
      find: Effect.fnUntraced(function* (organizationId, id) {
        const deal = yield* known(organizationId, id)
        return { id, facts: deal === undefined ? {} : factsOf(deal) }
      })
    })
  })
)

/**
 * The deals of calls and of contacts, as the organization's CRMs know them: name, stage and amount. A call or an answer waits for them a moment only, and
 * goes on without them.
 */
import { Effect, Layer } from "effect"
import { makeKept } from "../../basics/limits/Kept.ts"
import { type Deal, Deals } from "../../voice/calls/records/Deals.ts"
import { AppAdapters, type AppDeal, type AppFailure, type AppSession, mostDeals } from "../AppAdapter.ts"
import { AppConnections } from "../AppConnection.ts"
import type { AppProvider } from "../Catalogue.ts"
import { makeUseConnection } from "../UseConnection.ts"

/** The person on the line waits so long at most, whatever a CRM does. Milliseconds. */
export const longestDealMs = 1_500

/** A contact who writes on is not asked about with each message. A CRM allows some hundred requests in ten seconds, and needs them for other things. */
const keptContacts = { forMs: 5 * 60_000, most: 10_000 }

/** A CRM that does not let us read deals is left alone: each refusal costs a new token, and a provider gives a few only. */
const keptRefusals = { forMs: 10 * 60_000, most: 10_000 }

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

    const refuses = makeKept<boolean>(keptRefusals)

    /** The CRM's own id of a contact is known where one side has told the other of it. */
    const askOfContact = Effect.fnUntraced(function* (
      organizationId: string,
      provider: AppProvider,
      contactId: string
    ) {
      const { deal, dealsOf } = adapters[provider]
      const connection =
        deal === undefined || dealsOf === undefined ? undefined : yield* connections.find(organizationId, provider)
      if (deal === undefined || dealsOf === undefined || connection === undefined) return []
      const remoteId = yield* connections.idOfContact(connection, contactId)
      if (remoteId === undefined || (yield* refuses(connection.id, Effect.succeed(false)))) return []
      const read = (session: AppSession) => (id: string) =>
        Effect.map(
          deal(session, id),
          (found): ReadonlyArray<Deal> => (found === undefined ? [] : [{ id, facts: factsOf(found) }])
        )
      return yield* use(connection, ({ session }) =>
        Effect.flatMap(dealsOf(session, remoteId), (ids) =>
          Effect.map(Effect.forEach(ids, read(session), { concurrency: "unbounded" }), (found) => found.flat())
        )
      ).pipe(
        Effect.tapError(({ action }) =>
          action === "reconnect" ? refuses(connection.id, Effect.succeed(true), true) : Effect.void
        )
      )
    })

    /** What each CRM says that has this; one that is slow or fails is noted, and says nothing. */
    const fromEach = Effect.fnUntraced(function* <A>(
      organizationId: string,
      capability: "deal" | "dealsOf",
      about: object,
      ask: (provider: AppProvider) => Effect.Effect<A, AppFailure>
    ) {
      const made = yield* connections.list(organizationId)
      const asked = [...made].filter(
        ([provider, { enabled, state }]) =>
          enabled && state === "connected" && adapters[provider][capability] !== undefined
      )
      const unknown = (provider: AppProvider, reason: string) =>
        Effect.as(
          Effect.logWarning("a call or an answer goes on without deals", {
            organizationId,
            provider,
            ...about,
            reason
          }),
          undefined
        )
      return yield* Effect.forEach(
        asked,
        ([provider]) =>
          ask(provider).pipe(
            Effect.catch(({ message }) => unknown(provider, message)),
            Effect.timeoutOrElse({
              duration: longestDealMs,
              orElse: () => unknown(provider, `No answer within ${longestDealMs} ms.`)
            })
          ),
        { concurrency: "unbounded" }
      )
    })

    /** The first CRM that knows it. */
    const known = (organizationId: string, dealId: string) =>
      Effect.map(
        fromEach(organizationId, "deal", { dealId }, (provider) => ask(organizationId, provider, dealId)),
        (found) => found.find((deal) => deal !== undefined)
      )

    const ofContact = (organizationId: string, contactId: string) =>
      Effect.map(
        fromEach(organizationId, "dealsOf", { contactId }, (provider) =>
          askOfContact(organizationId, provider, contactId)
        ),
        (found) => found.flatMap((deals) => deals ?? []).slice(0, mostDeals)
      )
    const kept = makeKept<ReadonlyArray<Deal>>(keptContacts)

    return Deals.of({
      find: Effect.fnUntraced(function* (organizationId, id) {
        const deal = yield* known(organizationId, id)
        return { id, facts: deal === undefined ? {} : factsOf(deal) }
      }),
      ofContact: (organizationId, contactId) =>
        kept(`${organizationId} ${contactId}`, ofContact(organizationId, contactId))
    })
  })
)

/** Use case: takes a webhook of a provider. What it says is stored before the provider has its answer, and read afterwards. */
import { Clock, Effect, Schema } from "effect"
import { Exclusive } from "../../basics/Exclusive.ts"
import { traced } from "../../basics/Traced.ts"
import { planRefusal } from "../../people/organizations/Organization.ts"
import { AppAdapters } from "../AppAdapter.ts"
import { type AddressedConnection, AppConnections, type StoredConnection } from "../AppConnection.ts"
import type { AppRequest } from "../AppInbound.ts"
import { AppFailure } from "../AppSession.ts"
import { ArrivalQueue } from "../ArrivalQueue.ts"
import { isAppProvider, rowOf } from "../Catalogue.ts"
import { makeOpenSession } from "../OpenSession.ts"

/** 404: no connection has this address. */
export class UnknownWebhook extends Schema.TaggedError<UnknownWebhook>()("UnknownWebhook", {}) {}

/** 32 random bytes in base64url. */
const tokenForm = /^[\w-]{43}$/
const unknown = new UnknownWebhook()

/** Needs the stores, AppAdapters, Exclusive, HttpClient and RateLimiter once; the functions it gives need nothing. */
export const makeTakeWebhook = Effect.gen(function* () {
  const connections = yield* AppConnections
  const arrivals = yield* ArrivalQueue
  const adapters = yield* AppAdapters
  const exclusive = yield* Exclusive
  const { open } = yield* makeOpenSession

  /** The connection at an address. */
  const find = traced("TakeWebhook.find")(function* (name: string, token: string) {
    if (!isAppProvider(name) || adapters[name].inbound === undefined || !tokenForm.test(token)) return yield* unknown
    return (yield* connections.withWebhook(name, token)) ?? (yield* unknown)
  })

  const isTold = ({ connection: { provider, enabled }, plan }: AddressedConnection) =>
    enabled && planRefusal(rowOf(provider).feature, { plan }) === undefined

  /** Stores what was learned over the credentials; nobody refreshes tokens meanwhile, which would be lost. */
  const learn = Effect.fnUntraced(function* (
    { organizationId, provider, id }: StoredConnection,
    learned: Readonly<Record<string, string>>
  ) {
    const busy = new AppFailure({ action: "retry", message: "The connection is being changed." })
    yield* exclusive
      .run(
        organizationId,
        `tokens of ${id}`
      )(
        Effect.gen(function* () {
          const current = yield* connections.find(organizationId, provider)
          if (current === undefined || current.id !== id) return
          const saved = yield* connections.replaceTokens(current, { ...current.credentials, ...learned })
          if (saved === undefined) return yield* busy
        })
      )
      .pipe(Effect.catchTag("Busy", () => Effect.fail(busy)))
  })

  /** Gives what the provider wants to hear, if it is something special. */
  const take = traced("TakeWebhook.take")(function* (addressed: AddressedConnection, request: AppRequest) {
    const { connection } = addressed
    const { inbound } = adapters[connection.provider]
    if (inbound === undefined) return yield* unknown
    const now = yield* Clock.currentTimeMillis
    const heard = yield* inbound.verify(open(connection).session, request, now)
    if (heard.learned !== undefined) yield* learn(connection, heard.learned)
    // What arrives while the connection is switched off is not taken, as what happens here is not told then.
    if (heard.arrivals.length > 0 && isTold(addressed)) yield* arrivals.store(connection, heard.arrivals, now)
    return heard.answer
  })

  return { find, take }
})

/** Webhooks of several organizations are stored by one transaction, and each organization's only for itself. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { AppConnections } from "../../../../src/domain/apps/AppConnection.ts"
import type { AppArrival } from "../../../../src/domain/apps/AppInbound.ts"
import { ArrivalQueue, mostWaiting } from "../../../../src/domain/apps/ArrivalQueue.ts"
import { makeSql } from "../../../../src/integrations/postgres/tenancy/Sql.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

const now = Date.UTC(2026, 10, 26, 12)
const leaseMs = 60_000

const arrival = (id: string, lane = id): AppArrival => ({
  ...{ id, lane, topic: "orders/paid", at: now, payload: JSON.stringify({ id }) }
})

/** A store of a new organization. */
const connect = Effect.gen(function* () {
  const { id: organizationId } = yield* newOrganization()
  const account = { id: "maple-books.myshopify.com", name: "Maple Books" }
  const given = { settings: { shop: account.id }, credentials: { accessToken: "shpat_1" }, account, webhookToken: null }
  const { id } = yield* (yield* AppConnections).save(organizationId, "shopify", given, now)
  return { organizationId, id }
})

const shown = Effect.fnUntraced(function* ({ organizationId, id }: Effect.Success<typeof connect>) {
  const { data } = yield* (yield* ArrivalQueue).list(organizationId, id, false, 1, 100)
  return data.map(({ eventId, state }) => `${eventId} ${state}`).toSorted()
})

describe("arrivals of several organizations at one moment", () => {
  it.live("are stored once, each for its own organization", () =>
    Effect.gen(function* () {
      const queue = yield* ArrivalQueue
      const [maple, birch] = [yield* connect, yield* connect]
      const told = [
        [maple, "one"],
        [birch, "one"],
        [maple, "two"],
        [maple, "one"],
        [birch, "two"]
      ] as const
      const added = yield* Effect.forEach(told, ([store, id]) => queue.store(store, [arrival(id)], now), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(added, [1, 1, 1, 0, 1])
      for (const store of [maple, birch]) assert.deepStrictEqual(yield* shown(store), ["one waiting", "two waiting"])
    }).pipe(Effect.provide(testStores))
  )

  it.live("are stored although too much of another organization waits, and nothing is for another's connection", () =>
    Effect.gen(function* () {
      const queue = yield* ArrivalQueue
      const { sql, asTenant } = yield* makeSql
      const [full, fine] = [yield* connect, yield* connect]
      yield* asTenant(full.organizationId)(
        sql`INSERT INTO app_arrivals (organization_id, id, connection_id, once, topic, lane, payload, status, due_at, created_at)
          SELECT ${full.organizationId}, 'arr_' || n, ${full.id}, 'evt-' || n, 'orders/paid', 'lane-' || n, '{}', 'pending', now(), now()
          FROM generate_series(1, ${mostWaiting.arrivals}::int) n`
      )
      const strayed = { organizationId: full.organizationId, id: fine.id }
      const exits = yield* Effect.forEach(
        [full, fine, strayed],
        (store) => Effect.exit(queue.store(store, [arrival("late")], now)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(exits.slice(1), [Exit.succeed(1), Exit.succeed(0)])
      assert.isTrue(Exit.isFailure(exits[0]))
      assert.deepStrictEqual(yield* shown(fine), ["late waiting"])
    }).pipe(Effect.provide(testStores))
  )

  it.live("are claimed in the order of their lane, and settled only by who has claimed them last", () =>
    Effect.gen(function* () {
      const queue = yield* ArrivalQueue
      const store = yield* connect
      const claim = (at: number) => queue.claim(store.organizationId, store.id, at, leaseMs, 10)
      const told = [arrival("first", "order"), arrival("second", "order"), arrival("other")]
      assert.strictEqual(yield* queue.store(store, told, now), 3)
      const early = yield* claim(now)
      assert.deepStrictEqual(
        early?.arrivals.map((one) => one.arrival),
        [told[0], told[2]]
      )
      assert.isUndefined(yield* claim(now))

      const late = yield* claim(now + leaseMs)
      assert.deepStrictEqual(
        late?.arrivals.map(({ claims }) => claims),
        [2, 2]
      )
      const outcome = {
        task: "done",
        dueAt: null,
        resumeAt: null,
        error: null,
        counts: false,
        credentials: undefined
      } as const
      for (const [claimed, state] of [
        [early, "waiting"],
        [late, "done"]
      ] as const) {
        assert.isDefined(claimed)
        yield* queue.settle(claimed.connection, claimed.arrivals[0], { outcome, exchanges: [] }, now)
        assert.include(yield* shown(store), `first ${state}`)
      }
      const next = yield* claim(now + leaseMs)
      assert.deepStrictEqual(
        next?.arrivals.map((one) => one.arrival.id),
        ["second"]
      )
    }).pipe(Effect.provide(testStores))
  )
})

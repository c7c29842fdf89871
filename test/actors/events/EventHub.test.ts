/** The live feed of a process over the real log: readers that fall behind, and events that no wake-up announced. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as EventHub from "../../../src/actors/events/EventHub.ts"
import { EventFeed, type Subscription } from "../../../src/domain/events/EventFeed.ts"
import { EventWakeUp, makeEventWakeUp } from "../../../src/domain/events/EventWakeUp.ts"
import { Contacts } from "../../../src/domain/people/contacts/Contact.ts"
import { tenant } from "../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newOrganization, testStores } from "../../support/tenants.ts"

const take = Effect.fnUntraced(function* (subscription: Subscription, count: number) {
  const ids: Array<string> = []
  for (let tries = 0; ids.length < count && tries < 50; tries++)
    ids.push(...(yield* subscription.next(500)).flatMap((event) => ("id" in event ? [event.id] : [])))
  return ids
})

describe("the live feed of a process", () => {
  it.live("gives a reader that fell far behind every event once and in order, and needs no wake-up for it", () =>
    Effect.gen(function* () {
      const stores = yield* Layer.build(testStores)
      yield* Effect.gen(function* () {
        // This process receives no wake-ups: its readers look at intervals.
        const deaf = yield* Layer.build(EventHub.layer({ everyMs: 100 })).pipe(
          Effect.provideService(EventWakeUp, makeEventWakeUp())
        )
        const feed = Context.get(deaf, EventFeed)
        const { id } = yield* newOrganization()
        const contacts = yield* Contacts
        const [fast, lazy] = [yield* feed.subscribe(id, undefined), yield* feed.subscribe(id, undefined)]
        const seen: Array<string> = []
        // More parts than a reader buffers: the hub reads each part separately.
        for (let i = 0; i < 24; i++) {
          yield* contacts.create(id, { phone: `+1415555${String(i).padStart(4, "0")}` }, "key")
          seen.push(...(yield* take(fast, 1)))
        }
        assert.lengthOf(new Set(seen), 24)
        assert.deepStrictEqual(yield* take(lazy, 24), seen)
        assert.deepStrictEqual(yield* lazy.next(300), [])
      }).pipe(Effect.provide(stores))
    }).pipe(Effect.scoped)
  )

  it.live(
    "serves the other organizations while one organization's log cannot be read, and that one as soon as it can be read",
    () =>
      Effect.gen(function* () {
        const stores = yield* Layer.build(testStores)
        yield* Effect.gen(function* () {
          const hub = yield* Layer.build(EventHub.layer({ everyMs: 100 }))
          const feed = Context.get(hub, EventFeed)
          const sql = yield* SqlClient.SqlClient
          const contacts = yield* Contacts
          const [{ id: broken }, { id: well }] = [yield* newOrganization(), yield* newOrganization()]
          const [theirs, ours] = [yield* feed.subscribe(broken, undefined), yield* feed.subscribe(well, undefined)]
          assert.deepStrictEqual([yield* theirs.next(0), yield* ours.next(0)], [[], []])
          yield* tenant(broken)(
            sql`INSERT INTO events (organization_id, id, type, data, created_at)
            VALUES (${broken}, 'evt_unreadable', 'of.a.later.version', '{}', now())`
          )
          yield* contacts.create(broken, { phone: "+14155550101" }, "key")
          yield* contacts.create(well, { phone: "+14155550102" }, "key")
          assert.lengthOf(yield* take(ours, 1), 1)
          assert.deepStrictEqual(yield* theirs.next(300), [])
          yield* tenant(broken)(sql`UPDATE events SET withdrawn = true WHERE id = 'evt_unreadable'`)
          assert.lengthOf(yield* take(theirs, 1), 1)
        }).pipe(Effect.provide(stores))
      }).pipe(Effect.scoped)
  )
})

/** The order in which items of the channel inbox are worked on. */
import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import {
  ChannelInbox,
  InboxFull,
  type NewInboxItem,
  type Places
} from "../../../../../src/domain/messaging/channel/ChannelInbox.ts"
import { Contacts } from "../../../../../src/domain/people/contacts/Contact.ts"
import type { Organizations } from "../../../../../src/domain/people/organizations/Organization.ts"
import { ContactErasure } from "../../../../../src/domain/privacy/ContactErasure.ts"
import * as ChannelInboxPostgres from "../../../../../src/integrations/postgres/messaging/channel/ChannelInboxPostgres.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newOrganization, testStores } from "../../../../support/tenants.ts"

const told = Date.now()
const leaseMs = 60_000
const nothing: Places = { free: 0, perOrganization: 6, underWay: [] }
const six: Places = { ...nothing, free: 6 }

/** `partition` of the n-th item. */
const statuses = (count: number, partition: (n: number) => string): ReadonlyArray<NewInboxItem> =>
  Array.from({ length: count }, (_, n) => {
    const name = `status:${partition(n)}`
    return { kind: "status", partition: name, deduplicationKey: `${name}:${n}`, payload: {} }
  })

const oneEach = (n: number) => `wamid.${n}`

type Needed = ChannelInbox | ContactErasure | Contacts | Organizations | SqlClient.SqlClient

const story = <A, E>(name: string, run: Effect.Effect<A, E, Needed>) =>
  it.live(name, () => Effect.provide(run, testStores))

const organization = Effect.map(newOrganization(), ({ id }) => id)

/** Runs `work` in one transaction and counts the inbox rows it read, without the rows that the connection counted before. */
const reading = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E>) {
  const sql = yield* SqlClient.SqlClient
  const sofar = Effect.map(
    sql<{ read: number }>`SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables
      WHERE relname = 'channel_inbox'`,
    ([row]) => row?.read ?? 0
  )
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const before = yield* sofar
      const done = yield* work
      return { done, read: (yield* sofar) - before }
    })
  )
})

const store = (organizationId: string, items: ReadonlyArray<NewInboxItem>, now = told) =>
  Effect.flatMap(ChannelInbox, (inbox) => inbox.store(organizationId, items, now))

/** Claims items of these organizations, some seconds after they arrived. */
const claim = (organizations: ReadonlyArray<string>, items: Places, files: Places = nothing) =>
  Effect.gen(function* () {
    const inbox = yield* ChannelInbox
    const claimed = yield* inbox.claim(told + 10_000, leaseMs, { items, files })
    return claimed.filter(({ organizationId }) => organizations.includes(organizationId))
  })

const counts = (items: ReadonlyArray<{ readonly organizationId: string }>, organizations: ReadonlyArray<string>) =>
  organizations.map((id) => items.filter(({ organizationId }) => organizationId === id).length)

describe("the inbox of the messaging channel", () => {
  story(
    "shares its places among organizations, whichever was first and however many items each has",
    Effect.gen(function* () {
      const [loud, quiet, small] = yield* Effect.all([organization, organization, organization])
      const all = [loud, quiet, small]
      yield* store(loud, statuses(3_000, oneEach))
      yield* store(quiet, statuses(50, oneEach), told + 5_000)
      yield* store(small, statuses(1, oneEach), told + 5_000)
      assert.deepStrictEqual(counts(yield* claim(all, six), all), [2, 2, 1])
      // By now two organizations share. With one place at a time both get their turn.
      assert.deepStrictEqual(counts(yield* claim(all, six), all), [3, 3, 0])
      const turns = yield* Effect.forEach(Array.from({ length: 20 }), () => claim(all, { ...six, free: 1 }))
      for (const count of counts(turns.flat(), [loud, quiet])) assert.isAbove(count, 0)
      // Items that are already being worked on count for their organization.
      const full = { free: 3, perOrganization: 5, underWay: [loud, loud, loud, loud, loud] }
      assert.deepStrictEqual(counts(yield* claim(all, full), all), [0, 1, 0])
      assert.deepStrictEqual(counts(yield* claim(all, { ...full, underWay: full.underWay.slice(1) }), all), [1, 1, 0])
    })
  )

  story(
    "does not delay an organization or others by items that wait for one message, whatever becomes of the first item",
    Effect.gen(function* () {
      const inbox = yield* ChannelInbox
      const [mine, other] = yield* Effect.all([organization, organization])
      const all = [mine, other]
      yield* store(
        mine,
        statuses(5_000, () => "one")
      )
      yield* store(mine, statuses(3, oneEach), told + 1)
      yield* store(other, statuses(1, oneEach), told + 2)
      const seen = [...(yield* claim(all, six)), ...(yield* claim(all, six)), ...(yield* claim(all, six))]
      assert.deepStrictEqual(counts(seen, all), [4, 1])
      const [first] = seen.filter(({ partition }) => partition === "status:one")
      assert.strictEqual(first.deduplicationKey, "status:one:0")
      yield* inbox.postpone(first, told + 9_000, "no")
      const [again] = yield* claim(all, six)
      assert.deepInclude(again, { deduplicationKey: "status:one:0", attempts: 1 })
      yield* inbox.settle(again, Effect.void, told + 10_000)
      assert.deepStrictEqual(
        (yield* claim(all, six)).map(({ deduplicationKey }) => deduplicationKey),
        ["status:one:1"]
      )
    })
  )

  story(
    "handles files and template changes beside all other items",
    Effect.gen(function* () {
      const mine = yield* organization
      const files = statuses(20, oneEach).map(
        (item): NewInboxItem => ({ ...item, kind: "media", partition: `media:${item.deduplicationKey}` })
      )
      yield* store(mine, files)
      yield* store(
        mine,
        statuses(2, oneEach).map((item) => ({ ...item, deduplicationKey: `again:${item.deduplicationKey}` }))
      )
      assert.lengthOf(yield* claim([mine], six), 2)
      assert.lengthOf(yield* claim([mine], nothing, { ...six, free: 4 }), 4)
      yield* store(mine, [{ kind: "template", partition: "template:all", deduplicationKey: "template:1", payload: {} }])
      assert.lengthOf(yield* claim([mine], six), 0)
      const beside = yield* claim([mine], nothing, { ...six, perOrganization: 100, free: 100 })
      assert.lengthOf(beside, 17)
      assert.include(
        beside.map(({ kind }) => kind),
        "template"
      )
    })
  )

  story(
    "reads no settled items to count those that wait and those that were given up",
    Effect.gen(function* () {
      const [inbox, sql] = [yield* ChannelInbox, yield* SqlClient.SqlClient]
      const mine = yield* organization
      yield* store(mine, statuses(3_000, oneEach))
      yield* tenant(mine)(sql`UPDATE channel_inbox SET state = 'done', settled_at = now(), payload = 'null'`)
      const name = "media:last"
      yield* store(mine, [
        { kind: "message", partition: "person:1", deduplicationKey: "message:last", payload: {} },
        { kind: "media", partition: name, deduplicationKey: name, payload: {} },
        { kind: "status", partition: "status:last", deduplicationKey: "status:last", payload: {} }
      ])
      const [given] = (yield* claim([mine], six)).filter(({ kind }) => kind === "status")
      yield* inbox.giveUp(given, "no", told)
      const { done, read } = yield* reading(inbox.count)
      assert.deepStrictEqual(done, { waiting: 2, failed: 1 })
      assert.isBelow(read, 100)
    })
  )

  story(
    "reads no settled items to erase a person, however many names the person has",
    Effect.gen(function* () {
      const [contacts, sql] = [yield* Contacts, yield* SqlClient.SqlClient]
      const mine = yield* organization
      const { id } = yield* contacts.identify(mine, "messaging", { userId: "IN.1", phone: "+919812345678" })
      yield* contacts.identify(mine, "messaging", { userId: "IN.2", phone: "+919812345678" })
      yield* store(mine, statuses(3_000, oneEach))
      yield* tenant(mine)(sql`UPDATE channel_inbox SET state = 'done', settled_at = now(), payload = 'null'`)
      const from = (name: string, n: number): NewInboxItem => {
        const key = `message:${n}`
        return { kind: "message", partition: key, deduplicationKey: key, payload: { message: { from: name } } }
      }
      yield* store(mine, [from("919812345678", 1), from("IN.1", 2), from("IN.2", 3), from("IN.3", 4)])
      const { read } = yield* reading((yield* ContactErasure).erase(mine, id))
      assert.isBelow(read, 100)
      const left = yield* tenant(mine)(sql<{ once: string }>`SELECT once FROM channel_inbox WHERE state = 'waiting'`)
      assert.deepStrictEqual(left, [{ once: "message:4" }])
    })
  )

  story(
    "keeps a renewed claim, and undoes the work of a claim that another one followed",
    Effect.gen(function* () {
      const [inbox, contacts] = [yield* ChannelInbox, yield* Contacts]
      const mine = yield* organization
      yield* store(mine, statuses(1, oneEach))
      const [held] = yield* claim([mine], six)
      const later = (ms: number) =>
        Effect.map(inbox.claim(told + ms, leaseMs, { items: six, files: nothing }), (items) =>
          items.filter(({ organizationId }) => organizationId === mine)
        )
      yield* inbox.renew([held], told + 200_000)
      assert.lengthOf(yield* later(150_000), 0)
      const [next] = yield* later(250_000)
      yield* inbox.renew([held], told + 900_000)
      const found = (phone: string) => contacts.identify(mine, "messaging", { phone })
      assert.isUndefined(yield* inbox.settle(held, found("+919812345678"), told))
      const made = yield* inbox.settle(next, found("+919812345679"), told)
      const sql = yield* SqlClient.SqlClient
      const kept = yield* tenant(mine)(sql<{ id: string }>`SELECT id FROM contacts`)
      assert.deepStrictEqual(kept, [{ id: made?.id ?? "" }])
    })
  )

  story(
    "refuses what one organization has too much of until it is worked on, and nothing of others",
    Effect.gen(function* () {
      const [mine, other] = yield* Effect.all([organization, organization])
      const all = [mine, other]
      yield* Effect.gen(function* () {
        const inbox = yield* ChannelInbox
        const keep = (id: string, items: ReadonlyArray<NewInboxItem>, seconds = 0) =>
          Effect.result(inbox.store(id, items, told + seconds * 1_000))
        const full = Result.fail(new InboxFull({ organizationId: mine }))
        const three = (partition: string) => statuses(3, (n) => `${partition}${n}`)
        assert.deepStrictEqual(yield* keep(mine, three("a")), Result.succeed(3))
        assert.deepStrictEqual(yield* keep(mine, three("b")), Result.succeed(3))
        // All of a webhook or nothing of it.
        assert.deepStrictEqual(yield* keep(mine, three("c")), full)
        assert.deepStrictEqual(yield* keep(other, three("c")), Result.succeed(3))
        const big = [{ ...three("d")[0], payload: { text: randomBytes(3_000).toString("hex") } }]
        assert.deepStrictEqual(yield* keep(other, big), Result.fail(new InboxFull({ organizationId: other })))
        const [first, second] = (yield* claim(all, six)).filter(({ organizationId }) => organizationId === mine)
        yield* inbox.settle(first, Effect.void, told)
        // What was given up still lies there.
        yield* inbox.giveUp(second, "no", told)
        assert.deepStrictEqual(yield* keep(mine, three("c").slice(0, 2), 10), Result.succeed(2))
        assert.deepStrictEqual(yield* keep(mine, three("c").slice(2), 10), full)
      }).pipe(Effect.provide(Layer.fresh(ChannelInboxPostgres.layerWith({ items: 7, bytes: 4_000 }))))
    })
  )
})

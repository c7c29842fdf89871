/** The live feed over real sockets and a real database. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newId } from "../../../../src/domain/basics/Ids.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { openEvents } from "../../../support/event-stream.ts"
import { type Messaging, startMessaging } from "../../../support/messaging.ts"

const story = (name: string, tell: (messaging: Messaging) => Promise<void>) =>
  it.live(name, () =>
    Effect.scoped(Effect.flatMap(startMessaging, (messaging) => Effect.promise(() => tell(messaging))))
  )

const contact = (n: number) => ({ phone: `+1415555${String(n).padStart(4, "0")}`, name: `Guest ${n}` })

describe("the live feed", () => {
  story("sends a change as soon as it is made, and resumes after the last event", async (messaging) => {
    const { call, key } = messaging
    const client = await openEvents(messaging.base, key)
    assert.strictEqual(client.status, 200)
    assert.strictEqual(client.headers.get("content-type"), "text/event-stream")
    assert.strictEqual(client.headers.get("x-accel-buffering"), "no")
    assert.strictEqual(client.headers.get("cache-control"), "no-store")
    const made = await call("POST", "/contacts", contact(1))
    const [first] = await client.until(1)
    assert.strictEqual(first.event, "contact.created")
    assert.deepStrictEqual(first.data?.data, { contact: made.body })
    assert.deepInclude(first.data, { id: first.id, type: "contact.created" })
    client.close()
    await call("POST", "/contacts", contact(2))
    await call("POST", "/contacts", contact(3))
    for (const again of [
      await openEvents(messaging.base, key, { lastEventId: first.id ?? "" }),
      await openEvents(messaging.base, key, { query: `?lastEventId=${first.id}` })
    ]) {
      const [second, third] = await again.until(2)
      const names = [second, third].map(({ data }) => (data?.data as { contact: { name: string } }).contact.name)
      assert.deepStrictEqual(names, ["Guest 2", "Guest 3"])
      again.close()
    }
  })

  story("keeps no stream of a request that gets only its headers", async ({ base, key }) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const head = await fetch(`${base}/api/events`, { method: "HEAD", headers })
    const watch = `${base}/api/events/${head.headers.get("x-stream-id")}/watch`
    const { status } = await fetch(watch, { method: "PUT", headers, body: JSON.stringify({ calls: [] }) })
    assert.deepStrictEqual([head.status, status], [200, 404])
  })

  story("leaves out and repeats no event while transactions overlap", async (messaging) => {
    const { key, run, organizationId } = messaging
    const client = await openEvents(messaging.base, key)
    const late = await openEvents(messaging.base, key)
    const one = (n: number, holdMs: number) =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const sql = yield* SqlClient.SqlClient
        yield* tenant(organizationId)(
          Effect.gen(function* () {
            yield* contacts.create(organizationId, contact(n), "key")
            yield* sql`SELECT pg_sleep(${holdMs / 1_000})`
          })
        )
      })
    const holds = Array.from({ length: 60 }, (_, n) => (n % 7 === 0 ? 400 : n % 3 === 0 ? 60 : 0))
    const connected = run(Effect.forEach(holds, (hold, n) => one(n, hold), { concurrency: 5, discard: true }))
    // A stream that joins in the middle, starting from the first event it saw.
    const [seen] = await client.until(5)
    const middle = await openEvents(messaging.base, key, { lastEventId: seen.id ?? "" })
    await connected
    const all = (await client.until(60)).map(({ id }) => id)
    assert.lengthOf(new Set(all), 60)
    assert.deepStrictEqual(
      (await late.until(60)).map(({ id }) => id),
      all
    )
    assert.deepStrictEqual(
      (await middle.until(59)).map(({ id }) => id),
      all.slice(1)
    )
    await new Promise((done) => setTimeout(done, 300))
    assert.lengthOf(client.events, 60)
    assert.lengthOf(middle.events, 59)
    for (const open of [client, late, middle]) open.close()
  })

  story("holds an event back while an older transaction may still commit an event before it", async (messaging) => {
    const { key, run, organizationId } = messaging
    const client = await openEvents(messaging.base, key)
    const names = () => client.events.map(({ data }) => (data?.data as { contact: { name: string } }).contact.name)
    await run(
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* tenant(organizationId)(
          Effect.gen(function* () {
            yield* contacts.create(organizationId, contact(1), "key")
            yield* Effect.promise(() => run(contacts.create(organizationId, contact(2), "key")))
            yield* Effect.sleep("400 millis")
            assert.deepStrictEqual(names(), [])
          })
        )
      })
    )
    await client.until(2)
    assert.deepStrictEqual(names(), ["Guest 1", "Guest 2"])
    client.close()
  })

  story("sends only events that were asked for and that the key may read", async (messaging) => {
    const { keyOf, run, call, key, otherKey, organizationId } = messaging
    const { secret: narrow } = await run(keyOf(organizationId, ["voice:read"]))
    const { secret: useless } = await run(keyOf(organizationId, ["media:read"]))
    const refused = async (as: string, query: string) => {
      const response = await fetch(`${messaging.base}/api/events${query}`, {
        headers: { authorization: `Bearer ${as}` }
      })
      return [response.status, await response.json()]
    }
    assert.deepStrictEqual(await refused(narrow, "?types=contact.created"), [
      403,
      { error: "This API key lacks the scope contacts:read." }
    ])
    assert.deepStrictEqual(await refused(useless, ""), [
      403,
      { error: "None of the scopes lets you read events: contacts:read is one that does." }
    ])
    assert.deepStrictEqual(await refused(key, "?types=contact.created,nonsense"), [
      400,
      { error: 'types is invalid: there are no events named "nonsense".' }
    ])
    assert.deepStrictEqual(await refused(key, "?lastEventId=evt_1"), [
      400,
      { error: "Last-Event-ID is invalid: it must be the id of an event, unchanged." }
    ])
    assert.strictEqual((await refused(key, `?lastEventId=${"x".repeat(300)}`))[0], 400)
    assert.strictEqual((await fetch(`${messaging.base}/api/events`)).status, 401)
    const clients = {
      voice: await openEvents(messaging.base, narrow),
      other: await openEvents(messaging.base, otherKey),
      archive: await openEvents(messaging.base, key, { query: "?types=contact.archived,%20call.*" }),
      family: await openEvents(messaging.base, key, { query: "?types=contact.*" })
    }
    const { body } = await call("POST", "/contacts", contact(1))
    await call("POST", `/contacts/${body.id}/archive`)
    await clients.family.until(2)
    assert.deepStrictEqual(
      (await clients.archive.until(1)).map(({ event }) => event),
      ["contact.archived"]
    )
    assert.lengthOf([...clients.voice.events, ...clients.other.events], 0)
    for (const client of Object.values(clients)) client.close()
  })

  story("says when the last event is no longer kept or belongs to another organization", async (messaging) => {
    const { key, otherKey, call } = messaging
    const first = await openEvents(messaging.base, key)
    await call("POST", "/contacts", contact(1))
    const [{ id = "" }] = await first.until(1)
    first.close()
    const foreign = await openEvents(messaging.base, otherKey, { lastEventId: id })
    assert.strictEqual((await foreign.until(1))[0].event, "gap")
    foreign.close()
    const gone = await openEvents(messaging.base, key, { lastEventId: newId("evt", 1) })
    const [gap, created] = await gone.until(2)
    assert.strictEqual(gap.event, "gap")
    assert.match(String(gap.data?.message), /is not kept any more/)
    assert.isUndefined(gap.id)
    assert.deepStrictEqual([created.event, created.id], ["contact.created", id])
    gone.close()
  })

  story(
    "serves 500 streams of an organization, and other organizations' streams while these are all in use",
    async (messaging) => {
      const { key, otherKey } = messaging
      const clients: Array<Awaited<ReturnType<typeof openEvents>>> = []
      // A browser does not open them all at once either.
      while (clients.length < 500)
        clients.push(...(await Promise.all(Array.from({ length: 50 }, () => openEvents(messaging.base, key)))))
      assert.isTrue(clients.every(({ status }) => status === 200))
      const full = await openEvents(messaging.base, key)
      assert.strictEqual(full.status, 429)
      assert.strictEqual(full.headers.get("retry-after"), "10")
      const other = await openEvents(messaging.base, otherKey)
      assert.strictEqual(other.status, 200)
      for (const client of clients) client.close()
      const again = async (left: number): Promise<number> => {
        const client = await openEvents(messaging.base, key)
        client.close()
        if (client.status === 200 || left === 0) return client.status
        await new Promise((done) => setTimeout(done, 50))
        return again(left - 1)
      }
      assert.strictEqual(await again(40), 200)
      other.close()
    }
  )
})

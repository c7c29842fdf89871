/** Contacts and resolved conversations in a simulated HubSpot that is as strict as the real one. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { Conversations } from "../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../../src/domain/messaging/conversations/Message.ts"
import { Contacts } from "../../../src/domain/people/contacts/Contact.ts"
import { eventually } from "../../support/eventually.ts"
import { startHubSpot, type WithHubSpot } from "../../support/hubspot.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

const story = <E>(name: string, tell: (world: WithHubSpot) => Effect.Effect<void, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.flatMap(startHubSpot, tell)))

type Tenant = Awaited<ReturnType<WithHubSpot["tenant"]>>

const create = ({ run }: WithHubSpot, { organizationId }: Tenant, phone: string, email?: string) =>
  run(
    Effect.flatMap(Contacts, (contacts) =>
      contacts.create(
        organizationId,
        { phone, name: "Asha Rao", tags: ["vip"], ...(email === undefined ? {} : { email }) },
        "key"
      )
    )
  )

const idle = (world: WithHubSpot, us: Tenant) =>
  eventually("nothing waits", async () => (await world.connection(us, "hubspot")).waiting === 0)

describe("HubSpot", () => {
  story("gets a contact once, finds it by number or address, and is changed with it", (world) =>
    Effect.gen(function* () {
      const { tenant, connectHubSpot, hubspot, worker, rename } = world
      const { records } = hubspot
      records.create({ properties: { phone: "14155550101", firstname: "Old" } })
      records.create({ properties: { email: "asha@maplebooks.example", firstname: "Known" } })
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => connectHubSpot(us, { mapping: { tags: "parley_tags" } }))
      yield* worker
      const [byPhone] = yield* Effect.promise(() =>
        Promise.all([
          create(world, us, "+14155550101"),
          create(world, us, "+14155550102", "asha@maplebooks.example"),
          create(world, us, "+14155550103")
        ])
      )
      yield* eventually("they were sent", () => records.contacts.size >= 3)
      yield* idle(world, us)
      yield* Effect.promise(() => rename(us, byPhone.id, "Asha R Lind"))
      yield* eventually("the name came", () =>
        [...records.contacts.values()].some(({ properties }) => properties.lastname === "R Lind")
      )
      yield* idle(world, us)
      const all = [...records.contacts.values()].map(({ properties }) => properties)
      assert.lengthOf(all, 3)
      assert.sameMembers(
        all.map(({ phone, lastname, parley_tags: tags }) => `${phone} ${lastname} ${tags}`),
        ["+14155550101 R Lind vip", "+14155550102 Rao vip", "+14155550103 Rao vip"]
      )
    })
  )

  story("makes an address that somebody has while its search lags a change of that contact", (world) =>
    Effect.gen(function* () {
      const { tenant, connectHubSpot, hubspot, worker } = world
      const { records } = hubspot
      records.lagMs = 60_000
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => connectHubSpot(us))
      yield* worker
      yield* Effect.promise(() => create(world, us, "+14155550104", "ben@maplebooks.example"))
      yield* idle(world, us)
      // What we know of it is lost, as after a restore, and the search does not find it yet.
      yield* Effect.promise(() => world.rows(us, "DELETE FROM app_links"))
      const [contact] = yield* Effect.promise(() => world.rows(us, "SELECT id FROM contacts"))
      yield* Effect.promise(() => world.rename(us, String(contact.id), "Ben Ortiz"))
      yield* eventually("it came", () =>
        [...records.contacts.values()].some(({ properties }) => properties.lastname === "Ortiz")
      )
      assert.strictEqual(records.contacts.size, 1)
    })
  )

  story("gets a note of a resolved conversation, and the same note again when it is resolved again", (world) =>
    Effect.gen(function* () {
      const { tenant, connectHubSpot, hubspot, worker, run } = world
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => connectHubSpot(us))
      const { id } = yield* Effect.promise(() => create(world, us, "+14155550105"))
      yield* worker
      const { organizationId } = us
      const resolve = (text: string, conversation?: string) =>
        run(
          Effect.gen(function* () {
            const conversations = yield* Conversations
            const conversationId = conversation ?? (yield* conversations.open(organizationId, id, "messaging"))
            const said = { organizationId, conversationId, direction: "inbound", type: "text" } as const
            yield* (yield* Messages).add({ ...said, content: { text } }, Date.now())
            yield* conversations.change(organizationId, conversationId, { status: "RESOLVED" }, Date.now())
            return conversationId
          })
        )
      const conversation = yield* Effect.promise(() => resolve("Is <b>The Overstory</b> in stock?"))
      const notes = () => [...hubspot.records.activities.values()]
      yield* eventually("it was noted", () => notes().length === 1)
      const [{ properties, kind }] = notes()
      assert.strictEqual(kind, "notes")
      assert.include(properties.hs_note_body, "Contact: Is &lt;b&gt;The Overstory&lt;/b&gt; in stock?")
      assert.include(properties.hs_note_body, conversation)
      yield* Effect.promise(() => resolve("And on paper?", conversation))
      yield* eventually("it was noted again", () => notes()[0].properties.hs_note_body.includes("And on paper?"))
      assert.lengthOf(notes(), 1)
    })
  )

  story("refuses a mapping to a property that it does not have or does not let anybody write", (world) =>
    Effect.gen(function* () {
      const { tenant, call } = world
      const us = yield* Effect.promise(() => tenant())
      for (const property of ["shoe_size", "createdate"]) {
        const given = {
          credentials: { accessToken: "pat-na1-the-token-of-a-private-app" },
          settings: { mapping: { tags: property } }
        }
        const { status, body } = yield* Effect.promise(() => call(us, "PUT", "/hubspot", given))
        assert.strictEqual(status, 400)
        assert.include(String(body.error), `no property ${property}`)
      }
      const wrong = { credentials: { accessToken: "pat-na1-of-nobody" } }
      const { status, body } = yield* Effect.promise(() => call(us, "PUT", "/hubspot", wrong))
      assert.strictEqual(status, 400)
      assert.match(String(body.error), /HubSpot refuses our credentials \(401\)/)
    })
  )

  story("shows the properties that a mapping can name, and asks for them once", (world) =>
    Effect.gen(function* () {
      const { tenant, connectHubSpot, call, hubspot } = world
      const us = yield* Effect.promise(() => tenant())
      const none = yield* Effect.promise(() => call(us, "GET", "/hubspot/fields"))
      assert.strictEqual(none.status, 404)
      yield* Effect.promise(() => connectHubSpot(us))
      const { status, body } = yield* Effect.promise(() => call(us, "GET", "/hubspot/fields"))
      assert.strictEqual(status, 200)
      assert.deepInclude(body.data, { name: "parley_tags", label: "parley_tags", type: "string", writable: true })
      assert.deepInclude(body.data, { name: "createdate", label: "createdate", type: "string", writable: false })
      const asked = hubspot.received.length
      assert.deepEqual((yield* Effect.promise(() => call(us, "GET", "/hubspot/fields"))).body, body)
      assert.strictEqual(hubspot.received.length, asked)
    })
  )

  story("is never asked more than it allows, and a used-up day lets everything wait", (world) =>
    Effect.gen(function* () {
      const { tenant, connectHubSpot, hubspot, worker, connection } = world
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => connectHubSpot(us))
      hubspot.limits.perDay = 0
      yield* worker
      yield* Effect.promise(() => create(world, us, "+14155550106"))
      yield* eventually("it waits", async () => (await connection(us, "hubspot")).waitsUntil !== null)
      const waiting = yield* Effect.promise(() => connection(us, "hubspot"))
      assert.deepInclude(waiting, { state: "connected", waiting: 1, problems: 0 })
      assert.isAbove(Date.parse(String(waiting.waitsUntil)) - Date.now(), 10 * 60_000)
    })
  )
})

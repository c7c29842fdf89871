/** A database of Notion as a CRM: what is sent there, and what is heard from there. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { botId, personId } from "../../../simulators/notes/NotionRecords.ts"
import type { AppLink } from "../../../src/domain/apps/AppAdapter.ts"
import type { Contact } from "../../../src/domain/people/contacts/Contact.ts"
import { notionSignature } from "../../../src/integrations/notion/NotionWebhooks.ts"
import { exampleContact } from "../../support/exampleContact.ts"
import { notionAtWork } from "../../support/notion.ts"

type AtWork = Effect.Success<typeof notionAtWork>

const push = ({ adapter, session }: AtWork, contact: Contact, links: ReadonlyArray<AppLink> = [], again = false) =>
  adapter.push?.(session, { id: "syn_1", change: { trigger: "contact.updated", contact }, again, links }, Date.now()) ??
  Effect.die("it tells Notion")

const text = (value: unknown) =>
  (value as ReadonlyArray<{ readonly plain_text: string }>).map((one) => one.plain_text).join("")
const named = (value: unknown) => (value as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
const title = (name: string) => ({ Name: { title: [{ text: { content: name } }] } })
const later = (contact: Contact, minutes: number): Contact => ({
  ...contact,
  updatedAt: new Date(Date.now() + minutes * 60_000).toISOString()
})
const pagesOf = ({ notion }: AtWork) => [...notion.records.pages.values()]
const written = ({ notion }: AtWork) => notion.received.filter(({ method }) => method === "PATCH" || method === "POST")

describe("a contact in Notion", () => {
  it.live("becomes a page, and is not sent again while nothing changes", () =>
    Effect.gen(function* () {
      const work = yield* notionAtWork
      const contact = { ...exampleContact, tags: ["book club", "rare, signed"] }
      const links = yield* push(work, contact)
      const [page] = pagesOf(work)
      assert.deepInclude(page.properties, { Phone: contact.phone, Email: contact.email })
      assert.strictEqual(text(page.properties.Name), "Asha Rao")
      assert.deepEqual(named(page.properties.Tags), ["book club", "rare  signed"])
      work.notion.received.length = 0
      assert.deepEqual(yield* push(work, contact, links), links)
      assert.isEmpty(written(work))
    }).pipe(Effect.scoped)
  )

  it.live("is the page with its number in any notation, or with its address", () =>
    Effect.gen(function* () {
      const work = yield* notionAtWork
      const parent = { data_source_id: work.notion.records.dataSourceId }
      const known = work.notion.records.create(
        { parent, properties: { Phone: { phone_number: "(415) 555-0123" } } },
        personId
      )
      const [link] = yield* push(work, later(exampleContact, 5))
      assert.strictEqual(link.remoteId, known.id)
      assert.strictEqual(known.properties.Phone, "+14155550123")
      const other = work.notion.records.create(
        { parent, properties: { Email: { email: "ben@example.com" } } },
        personId
      )
      const ben = { ...exampleContact, id: "ctc_ben", phone: "+14155550199", email: "ben@example.com" }
      assert.strictEqual((yield* push(work, ben))[0].remoteId, other.id)
      assert.lengthOf(pagesOf(work), 2)
    }).pipe(Effect.scoped)
  )

  it.live("keeps what somebody has changed there: only the fields that changed here are written", () =>
    Effect.gen(function* () {
      const work = yield* notionAtWork
      const links = yield* push(work, exampleContact)
      const [page] = pagesOf(work)
      work.notion.records.change(page.id, { properties: { Email: { email: "new@example.com" } } }, personId)
      const renamed = later({ ...exampleContact, name: "Asha Lind" }, 5)
      const [link] = yield* push(work, renamed, links)
      assert.strictEqual(text(page.properties.Name), "Asha Lind")
      assert.strictEqual(page.properties.Email, "new@example.com")
      // What both have is known; the address is still to come from there.
      assert.deepInclude(link.fields, { name: "Asha Lind", email: "asha@example.com" })
    }).pipe(Effect.scoped)
  )

  for (const [who, minutes, expected] of [
    ["here", 5, "Here"],
    ["there", -5, "There"]
  ] as const)
    it.live(`that both have renamed has the name that was given last, ${who}`, () =>
      Effect.gen(function* () {
        const work = yield* notionAtWork
        const links = yield* push(work, exampleContact)
        const [page] = pagesOf(work)
        work.notion.records.change(page.id, { properties: title("There") }, personId)
        yield* push(work, later({ ...exampleContact, name: "Here" }, minutes), links)
        assert.strictEqual(text(page.properties.Name), expected)
      }).pipe(Effect.scoped)
    )

  it.live("whose page is in the trash gets a new one", () =>
    Effect.gen(function* () {
      const work = yield* notionAtWork
      const links = yield* push(work, exampleContact)
      const [page] = pagesOf(work)
      work.notion.records.change(page.id, { in_trash: true }, personId)
      const [link] = yield* push(work, { ...exampleContact, name: "Asha Lind" }, links)
      assert.notStrictEqual(link.remoteId, page.id)
      assert.lengthOf(pagesOf(work), 2)
    }).pipe(Effect.scoped)
  )

  it.live("is not synced without a database, and a wrong mapping is refused with a sentence", () =>
    Effect.gen(function* () {
      const work = yield* notionAtWork
      const { adapter, sessionWith, notion } = work
      assert.deepEqual(yield* push({ ...work, session: sessionWith({}) }, exampleContact), [])
      const database = notion.records.databaseId
      const problem = (settings: object) =>
        Effect.map(Effect.flip(adapter.identify(sessionWith({ database, ...settings }))), ({ message }) => message)
      assert.match(yield* problem({ mapping: { tags: "Labels" } }), /the database has no property Labels/)
      assert.match(yield* problem({ mapping: { tags: "Email" } }), /tags needs a property of the type multi_select/)
      notion.records.hidden.add(database)
      assert.match(yield* problem({}), /Connections, and add the integration/)
      assert.match(
        String(adapter.problem({ credentials: { accessToken: "x" }, settings: { database: "my contacts" } })),
        /database/
      )
    }).pipe(Effect.scoped)
  )
})

describe("a conversation in Notion", () => {
  it.live("is a block on the page, found again after a crash and changed when it is resolved again", () =>
    Effect.gen(function* () {
      const work = yield* notionAtWork
      const { adapter, session, notion } = work
      const told = (line: string, links: ReadonlyArray<AppLink>, again: boolean) => {
        const conversation = {
          ...{ id: "cnv_1", channel: "messaging" as const, agent: "Mia", beganAt: "2026-11-21T09:30:00.000Z" },
          ...{
            resolvedAt: "2026-11-21T09:40:00.000Z",
            at: "2026-11-21T09:40:00.000Z",
            summary: null,
            durationSeconds: null,
            recordingUrl: null
          },
          ...{
            url: "https://app.example.test/go/cnv_1",
            lines: [{ at: "", by: "contact" as const, text: line }]
          }
        }
        const change = { trigger: "conversation.resolved" as const, contact: exampleContact, conversation }
        return adapter.push?.(session, { id: "syn_1", change, again, links }, 0) ?? Effect.die("it tells Notion")
      }
      const [person] = yield* told("Is it in stock?", [], false)
      const [, note] = yield* told("Is it in stock?", [person], true)
      assert.lengthOf([...notion.records.blocks.values()], 1)
      yield* told(`And on paper? ${"x".repeat(5_000)}`, [person, note], false)
      const [block] = notion.records.blocks.values()
      assert.include(text(block.content.rich_text), "And on paper?")
      assert.include(text(block.content.rich_text), "/go/cnv_1")
      assert.lengthOf([...notion.records.blocks.values()], 1)
    }).pipe(Effect.scoped)
  )
})

describe("what Notion tells", () => {
  const request = (body: string, signature?: string) => ({
    ...{ body: Buffer.from(body), url: "https://app.example.test/" },
    headers: signature === undefined ? {} : { "x-notion-signature": signature }
  })
  /** Verifies and reads an event. */
  const hear = ({ adapter, sessionWith, notion }: AtWork, body: string, signature: string) =>
    Effect.gen(function* () {
      const { inbound } = adapter
      if (inbound === undefined) return assert.fail("Notion tells us")
      const { databaseId: database } = notion.records
      const session = sessionWith({ database }, { verificationToken: notion.webhook.token })
      const { arrivals } = yield* inbound.verify(session, request(body, signature), Date.now())
      return (yield* Effect.forEach(arrivals, (arrival) => inbound.read(session, arrival, Date.now()))).flat()
    })

  it("is signed as the vendor's library signs", () => {
    const token = "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"
    assert.strictEqual(
      notionSignature(token, Buffer.from('{"type":"page.content_updated"}')),
      "sha256=25ddd92b0e1d145bbd009f22bc8f351fca81d605909f36a34904ddc0144f070b"
    )
  })

  it.live("begins with a token, which no other request can replace", () =>
    Effect.gen(function* () {
      const { adapter, session, sessionWith } = yield* notionAtWork
      const verify = adapter.inbound?.verify ?? (() => Effect.die("Notion tells us"))
      const first = yield* verify(session, request('{"verification_token":"secret_a"}'), 0)
      assert.deepEqual(first, { arrivals: [], learned: { verificationToken: "secret_a" } })
      const known = sessionWith({}, { verificationToken: "secret_a" })
      assert.strictEqual(
        (yield* Effect.flip(verify(known, request('{"verification_token":"secret_b"}'), 0)))._tag,
        "AppRejection"
      )
      const unsigned = yield* Effect.flip(verify(known, request('{"id":"1"}'), 0))
      assert.deepInclude({ ...unsigned }, { status: 401 })
      assert.strictEqual(unsigned.message, "The signature is not valid.")
      const early = yield* Effect.flip(verify(session, request('{"id":"1"}', "sha256=00"), 0))
      assert.deepInclude({ ...early }, { status: 401 })
      const strange = yield* Effect.flip(
        verify(known, request("[]", notionSignature("secret_a", Buffer.from("[]"))), 0)
      )
      assert.deepInclude({ ...strange }, { status: 400 })
    }).pipe(Effect.scoped)
  )

  it.live("is the contact as the page has it now, without what we did ourselves", () =>
    Effect.gen(function* () {
      const work = yield* notionAtWork
      const { notion } = work
      const { records } = notion
      const parent = { data_source_id: records.dataSourceId }
      const properties = {
        ...title("Ben Ortiz"),
        Phone: { phone_number: "+1 415 555 0155" },
        Tags: { multi_select: [{ name: "vip" }] }
      }
      const page = records.create({ parent, properties }, personId)
      const events = notion.events
      const [made] = events.splice(0)
      assert.deepEqual(yield* hear(work, made.body, made.signature), [
        {
          ...{ _tag: "contact", externalId: page.id, updatedAt: page.editedAt },
          fields: { phone: "+1 415 555 0155", name: "Ben Ortiz", email: null, tags: ["vip"] }
        }
      ])
      records.change(page.id, { properties: title("Ben O.") }, botId)
      const [ours] = events.splice(0)
      assert.isEmpty(yield* hear(work, ours.body, ours.signature))
      records.change(page.id, { in_trash: true }, personId)
      const [gone] = events.splice(0)
      const [removed] = yield* hear(work, gone.body, gone.signature)
      assert.deepInclude(removed, { _tag: "removed", what: "contact", externalId: page.id })
    }).pipe(Effect.scoped)
  )

  it.live("can be asked for by pages of the list, over the minutes before, and leaves other databases alone", () =>
    Effect.gen(function* () {
      const { adapter, session, notion } = yield* notionAtWork
      const page = adapter.pull?.page ?? (() => Effect.die("it is asked"))
      const parent = { data_source_id: notion.records.dataSourceId }
      const began = Date.now()
      notion.records.now = () => began - 10 * 60_000
      for (let n = 0; n < 120; n++) notion.records.create({ parent, properties: title(`Guest ${n}`) }, personId)
      notion.records.now = () => began
      const edited = notion.records.create({ parent, properties: title("Edited") }, personId)
      const first = yield* page(session, { kind: "contact", since: null, cursor: null }, began)
      assert.lengthOf(first.records, 100)
      const rest = yield* page(session, { kind: "contact", since: null, cursor: first.cursor }, began)
      assert.lengthOf(rest.records, 21)
      assert.isNull(rest.cursor)
      // Edited in the minute in which the last pull began: its time is before.
      const changed = yield* page(session, { kind: "contact", since: began, cursor: null }, began)
      assert.deepEqual(
        changed.records.map(({ externalId }) => externalId),
        [edited.id]
      )
    }).pipe(Effect.scoped)
  )
})

describe("Notion's refusals", () => {
  it.live("say whether to wait, to try again, to connect again or to give up", () =>
    Effect.gen(function* () {
      const work = yield* notionAtWork
      const { notion, sessionWith, adapter } = work
      const failure = () => Effect.map(Effect.flip(push(work, exampleContact)), ({ action }) => action)
      yield* adapter.identify(work.session)
      for (const [status, action] of [
        [409, "retry"],
        [529, "retry"],
        [503, "retry"],
        [403, "reconnect"],
        [400, "give_up"]
      ] as const) {
        Object.assign(notion.faults, { failNext: 1, status })
        assert.strictEqual(yield* failure(), action, String(status))
      }
      notion.limits.perSecond = 0
      const slow = yield* Effect.flip(push(work, exampleContact))
      assert.deepInclude({ ...slow }, { action: "wait", retryAfterMs: 1_000 })
      notion.limits.perSecond = 100
      notion.tokens.privateApps.clear()
      assert.strictEqual(yield* failure(), "reconnect")
      assert.isObject(sessionWith({}))
    }).pipe(Effect.scoped)
  )
})

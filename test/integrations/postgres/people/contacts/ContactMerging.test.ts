import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Conversations } from "../../../../../src/domain/messaging/conversations/Conversation.ts"
import { Recipients } from "../../../../../src/domain/messaging/sending/Recipients.ts"
import { Contacts, type NewContact } from "../../../../../src/domain/people/contacts/Contact.ts"
import { ContactMerging, makeMergeContacts } from "../../../../../src/domain/people/contacts/MergeContacts.ts"
import { MessagingConsents } from "../../../../../src/domain/people/contacts/MessagingConsent.ts"
import { consentRefusal, VoiceConsents } from "../../../../../src/domain/people/contacts/VoiceConsent.ts"
import { Calls } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newOrganization, testStores } from "../../../../support/tenants.ts"

const by = "key_1"
const at = "2026-11-21T09:30:00.000Z"
const word = { at, source: "form", text: "", recordedBy: by } as const
const [home, work] = ["+14155550123", "+919812345678"]

/** A new organization that knows one person twice. */
const office = Effect.fnUntraced(function* (stays: Partial<NewContact> = {}, other: Partial<NewContact> = {}) {
  const { id: organizationId } = yield* newOrganization()
  const contacts = yield* Contacts
  const asha = yield* contacts.create(organizationId, { phone: home, name: "Asha", tags: ["vip"], ...stays }, by)
  const twice = yield* contacts.create(
    organizationId,
    { phone: work, email: "a@example.com", tags: ["b"], ...other },
    by
  )
  const run = yield* makeMergeContacts
  const merge = (take?: ReadonlyArray<"phone">) =>
    run(organizationId, asha.id, { contactId: twice.id, ...(take === undefined ? {} : { take }) }, by)
  const sql = yield* SqlClient.SqlClient
  const told = tenant(organizationId)(
    sql<{ type: string; contactId: string }>`SELECT type, contact_id FROM events ORDER BY position`
  )
  return { organizationId, contacts, asha, twice, merge, told }
})

const callFrom = (organizationId: string, from: string, callSid: string) =>
  Effect.flatMap(Calls, (calls) =>
    calls.open({
      ...{ organizationId, agentId: null, direction: "inbound", status: "ringing", from, to: "+14155550199" },
      callSid
    } as const)
  )

layer(testStores)("two contacts that are merged", (it) => {
  it.effect(
    "are one: conversations, calls, what a channel calls them and empty fields are those of the one that stays",
    () =>
      Effect.gen(function* () {
        const { organizationId, contacts, asha, twice, merge, told } = yield* office()
        const conversations = yield* Conversations
        const conversationId = yield* conversations.open(organizationId, twice.id, "messaging")
        const { call } = yield* callFrom(organizationId, work, "CA1")
        yield* contacts.identify(organizationId, "messaging", { phone: work, userId: "IN.1" })
        const merged = yield* merge()
        assert.deepStrictEqual(
          [merged.id, merged.name, merged.phone, merged.email, merged.tags],
          [asha.id, "Asha", home, "a@example.com", ["vip", "b"]]
        )
        assert.deepStrictEqual(merged.identities, [{ channel: "messaging", userId: "IN.1" }])
        const moved = yield* conversations.find(organizationId, conversationId, 1, Date.now())
        assert.strictEqual(moved?.contact.id, asha.id)
        assert.strictEqual((yield* (yield* Calls).find(organizationId, call.id))?.contactId, asha.id)
        const after = (yield* told).slice(-3)
        assert.deepStrictEqual(
          after.map(({ type, contactId }) => [type, contactId]),
          [
            ["contact.archived", twice.id],
            ["contact.updated", asha.id],
            ["contact.merged", asha.id]
          ]
        )
      })
  )

  it.effect("are one by either id and either number, for whoever writes or calls afterwards", () =>
    Effect.gen(function* () {
      const { organizationId, contacts, asha, twice, merge } = yield* office()
      yield* merge()
      const recipients = yield* Recipients
      const found = yield* Effect.all([
        contacts.find(organizationId, twice.id),
        contacts.findByPhone(organizationId, work),
        contacts.identify(organizationId, "messaging", { phone: work }),
        Effect.map(contacts.save(organizationId, { phone: work, name: "Asha R." }, by), ({ contact }) => contact),
        Effect.map(contacts.withPhones(organizationId, [work]), (known) => known.get(work))
      ])
      for (const one of found) assert.deepStrictEqual([one?.id, one?.phone], [asha.id, home])
      for (const to of [{ contactId: twice.id }, { phone: work }])
        assert.deepInclude(yield* recipients.find(organizationId, to), { contactId: asha.id, phone: home })
      const { call } = yield* callFrom(organizationId, work, "CA2")
      assert.strictEqual(call.contactId, asha.id)
      const refusal = yield* Effect.flip(contacts.create(organizationId, { phone: work }, by))
      assert.strictEqual(refusal.existingId, asha.id)
    })
  )

  it.effect("take the number that is asked for, and keep the other one as a second way to be known", () =>
    Effect.gen(function* () {
      const { organizationId, contacts, asha, merge } = yield* office()
      assert.strictEqual((yield* merge(["phone"])).phone, work)
      for (const phone of [home, work])
        assert.strictEqual((yield* contacts.findByPhone(organizationId, phone))?.id, asha.id)
    })
  )

  it.effect("keep the stricter word: what either withdrew, in messages or calls, holds for both numbers", () =>
    Effect.gen(function* () {
      const { organizationId, asha, twice, merge } = yield* office({ optedIn: true })
      const [messaging, voice] = [yield* MessagingConsents, yield* VoiceConsents]
      yield* voice.record({ organizationId, id: asha.id, phone: home }, { ...word, action: "granted" })
      yield* voice.record({ organizationId, id: twice.id, phone: work }, { ...word, action: "withdrawn" })
      yield* messaging.record(organizationId, twice.id, { ...word, action: "granted" })
      yield* messaging.record(organizationId, twice.id, { ...word, action: "withdrawn" })
      assert.isFalse((yield* merge()).optedIn)
      const history = yield* messaging.history(organizationId, asha)
      assert.deepInclude(history[0], { action: "withdrawn", source: "merge", recordedBy: by })
      for (const phone of [home, work])
        assert.match(consentRefusal(phone, yield* voice.history(organizationId, phone)) ?? "", /withdrawn/)
    })
  )

  it.effect("stay apart when nobody withdrew: a consent is not carried over to the other number", () =>
    Effect.gen(function* () {
      const { organizationId, merge } = yield* office({}, { optedIn: true })
      assert.isFalse((yield* merge()).optedIn)
      assert.isEmpty(yield* (yield* VoiceConsents).history(organizationId, home))
    })
  )

  it.effect("are merged once: a repeated request changes and records nothing, and merges make no chains", () =>
    Effect.gen(function* () {
      const { organizationId, contacts, asha, twice, merge, told } = yield* office()
      const first = yield* merge()
      const before = (yield* told).length
      assert.deepStrictEqual(yield* merge(), first)
      assert.lengthOf(yield* told, before)
      const merging = yield* ContactMerging
      const third = yield* contacts.create(organizationId, { phone: "+5511987654321" }, by)
      const refused = yield* Effect.flip(merging.merge(organizationId, third.id, { contactId: twice.id }, by))
      assert.include(String(Reflect.get(refused, "reason")), asha.id)
      yield* merging.merge(organizationId, third.id, { contactId: asha.id }, by)
      assert.strictEqual((yield* contacts.find(organizationId, twice.id))?.id, third.id)
      const intoMerged = yield* Effect.flip(merging.merge(organizationId, asha.id, { contactId: third.id }, by))
      assert.strictEqual(intoMerged._tag, "UnmergeableContacts")
      const itself = yield* Effect.flip(merging.merge(organizationId, third.id, { contactId: third.id }, by))
      assert.strictEqual(itself._tag, "UnmergeableContacts")
      const nobody = yield* Effect.flip(merging.merge(organizationId, third.id, { contactId: "cnt_nobody" }, by))
      assert.strictEqual(nobody._tag, "NoSuchContact")
    })
  )

  it.effect("are two again when the merged one is restored", () =>
    Effect.gen(function* () {
      const { organizationId, contacts, twice, merge } = yield* office()
      yield* merge()
      yield* contacts.setArchived(organizationId, twice.id, false)
      assert.strictEqual((yield* contacts.findByPhone(organizationId, work))?.id, twice.id)
    })
  )
})

layer(testStores)("contacts are listed", (it) => {
  it.effect(
    "by name, those without one last, oldest first, and by who was seen last; each way, page by page, and also of a search or tag",
    () =>
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization()
        const contacts = yield* Contacts
        const people: ReadonlyArray<NewContact> = [
          { phone: "+14155550101", name: "Émile" },
          { phone: "+14155550102", name: "asha", tags: ["vip"] },
          { phone: "+14155550103" },
          { phone: "+14155550104", name: "Zoe", tags: ["vip"] },
          { phone: "+14155550105", name: "asha" }
        ]
        for (const one of people) yield* contacts.create(organizationId, one, by)
        const listed = Effect.fnUntraced(function* (filter: Omit<Parameters<typeof contacts.list>[1], "archived">) {
          const phones: Array<string> = []
          let after: { readonly at: number; readonly id: string } | undefined
          do {
            const page = { page: 1, limit: 2, ...(after === undefined ? {} : { after }) }
            const found = yield* contacts.list(organizationId, { archived: false, ...filter }, page)
            phones.push(...found.data.map(({ phone }) => phone?.slice(-1) ?? ""))
            after = found.next ?? undefined
          } while (after !== undefined)
          return phones.join("")
        })
        assert.strictEqual(yield* listed({ sort: "createdAt" }), "12345")
        assert.strictEqual(yield* listed({ sort: "-createdAt" }), "54321")
        assert.strictEqual(yield* listed({ sort: "name" }), "25143")
        assert.strictEqual(yield* listed({ sort: "-name" }), "34152")
        assert.strictEqual(yield* listed({ sort: "name", search: "ash" }), "25")
        assert.strictEqual(yield* listed({ sort: "-name", tag: "vip" }), "42")
        // The third has written and the first has called. Who was only called was not seen.
        yield* contacts.identify(organizationId, "messaging", { phone: "+14155550103" })
        yield* callFrom(organizationId, "+14155550101", "CA1")
        yield* (yield* Calls).open({
          ...{ organizationId, agentId: null, direction: "outbound", status: "ringing", from: "+14155550199" },
          ...{ to: "+14155550102", callSid: "CA2" }
        } as const)
        assert.strictEqual(yield* listed({ sort: "-lastSeenAt" }), "13542")
        assert.strictEqual(yield* listed({ sort: "lastSeenAt" }), "24531")
        assert.strictEqual(yield* listed({ sort: "-lastSeenAt", tag: "vip" }), "42")
        const events = yield* tenant(organizationId)(
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 FROM events WHERE type = 'contact.updated'`)
        )
        assert.lengthOf(events, 0)
      })
  )
})

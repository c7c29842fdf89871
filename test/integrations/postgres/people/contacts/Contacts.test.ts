import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { ObjectStorage, ObjectStorageError } from "../../../../../src/domain/basics/ObjectStorage.ts"
import { Conversations } from "../../../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../../../../src/domain/messaging/conversations/Message.ts"
import { type Contact, Contacts, type NewContact } from "../../../../../src/domain/people/contacts/Contact.ts"
import { ContactErasure } from "../../../../../src/domain/privacy/ContactErasure.ts"
import { makeEraseContact } from "../../../../../src/domain/privacy/EraseContact.ts"
import { VoiceAgents } from "../../../../../src/domain/voice/agents/VoiceAgent.ts"
import { Calls } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"
import { recordingKey } from "../../../../../src/domain/voice/engine/Recordings.ts"
import * as StoredMedia from "../../../../../src/integrations/media/StoredMedia.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { eventually } from "../../../../support/eventually.ts"
import { agentOf, newOrganization, testStores } from "../../../../support/tenants.ts"

const by = "key_1"
const part = { page: 1, limit: 20 }
const shown = { archived: false }

/** A new organization and contacts with these fields, oldest first. */
const office = Effect.fnUntraced(function* (...inputs: ReadonlyArray<NewContact>) {
  const { id: organizationId } = yield* newOrganization()
  const contacts = yield* Contacts
  const made = yield* Effect.forEach(inputs, (input) => contacts.create(organizationId, input, by))
  const names = (filter: { readonly search?: string; readonly tag?: string; readonly archived?: boolean }) =>
    Effect.map(contacts.list(organizationId, { ...shown, ...filter }, part), ({ data, total }) => {
      assert.strictEqual(total, data.length)
      return data.map(({ name }) => name)
    })
  return { organizationId, contacts, made, names }
})

type Remove = ObjectStorage["Service"]["remove"]

const failure = new ObjectStorageError({ operation: "remove", key: "k", message: "away" })

/** Erases a contact, and removes its files by this effect. */
const erasing = (organizationId: string, contactId: string, remove: Remove) =>
  makeEraseContact.pipe(
    Effect.provide(StoredMedia.layer({ folder: join(tmpdir(), "parley-no-uploads") })),
    Effect.provideService(ObjectStorage, {
      put: () => Effect.die("not used"),
      find: () => Effect.die("not used"),
      read: () => Stream.die("not used"),
      remove
    }),
    Effect.flatMap((run) => run(organizationId, contactId))
  )

layer(testStores)("contacts", (it) => {
  it.effect("are one for each number, however the number is written", () =>
    Effect.gen(function* () {
      const { organizationId, contacts, made } = yield* office({ phone: "+55 11 98765-4321", name: "João" })
      const refusal = yield* Effect.flip(contacts.create(organizationId, { phone: "+551187654321" }, by))
      assert.strictEqual(refusal.existingId, made[0].id)
      assert.strictEqual((yield* contacts.findByPhone(organizationId, "+55 11 8765 4321"))?.id, made[0].id)
      const { contact, created } = yield* contacts.save(organizationId, { phone: "+551187654321", tags: ["vip"] }, by)
      assert.deepStrictEqual([contact.id, contact.name, contact.tags, created], [made[0].id, "João", ["vip"], false])
    })
  )

  it.effect("match a caller from Mexico with the contact that the team entered", () =>
    Effect.gen(function* () {
      const { organizationId, made } = yield* office({ phone: "+52 55 1234 5678", name: "Lucía" })
      const { call, contactName } = yield* (yield* Calls).open({
        organizationId,
        agentId: null,
        direction: "inbound",
        status: "in_progress",
        from: "+5215512345678",
        to: "+14155550123",
        callSid: "CA1"
      })
      assert.deepStrictEqual([call.contactId, contactName], [made[0].id, "Lucía"])
    })
  )

  it.effect("are created once when twenty requests for one number come at once", () =>
    Effect.gen(function* () {
      const { organizationId, contacts } = yield* office()
      const all = Array.from({ length: 20 }, () => contacts.save(organizationId, { phone: "+14155550100" }, by))
      const results = yield* Effect.all(all, { concurrency: 20 })
      assert.lengthOf(new Set(results.map(({ contact }) => contact.id)), 1)
      assert.lengthOf(
        results.filter(({ created }) => created),
        1
      )
    })
  )

  it.effect("are found by any part of a name or number, whatever the case, accents and grouping", () =>
    Effect.gen(function* () {
      const { names } = yield* office(
        { phone: "+14155550101", name: "José Álvarez" },
        { phone: "+14155550202", name: "Asha Rao", tags: ["vip"] },
        { phone: "+442079460303", name: "कविता 100%_\\ sure", tags: ["vip"] }
      )
      for (const [search, found] of [
        ["jose", ["José Álvarez"]],
        ["É ÁLV", ["José Álvarez"]],
        ["a", ["Asha Rao", "José Álvarez"]],
        ["+1 (415) 555-02", ["Asha Rao"]],
        ["555", ["Asha Rao", "José Álvarez"]],
        ["0303", ["कविता 100%_\\ sure"]],
        ["विता", ["कविता 100%_\\ sure"]],
        ["0%_\\ s", ["कविता 100%_\\ sure"]],
        ["%", ["कविता 100%_\\ sure"]],
        ["_", ["कविता 100%_\\ sure"]],
        ["nobody", []],
        ["'; DROP TABLE contacts; --", []]
      ] as const)
        assert.deepStrictEqual(yield* names({ search }), [...found], search)
      assert.deepStrictEqual(yield* names({ search: "a", tag: "vip" }), ["Asha Rao"])
      assert.deepStrictEqual(yield* names({ tag: "vip" }), ["कविता 100%_\\ sure", "Asha Rao"])
      assert.deepStrictEqual(yield* names({ tag: "vi" }), [])
    })
  )

  it.effect("are found by search and tags after changes, archiving and restoring", () =>
    Effect.gen(function* () {
      const { organizationId, contacts, made, names } = yield* office({
        phone: "+14155550111",
        name: "Old",
        tags: ["a"]
      })
      const { id } = made[0]
      yield* contacts.update(organizationId, id, { name: "New", phone: "+14155550222", tags: ["b"] }, by)
      assert.deepStrictEqual(yield* names({ search: "old" }), [])
      assert.deepStrictEqual(yield* names({ search: "0111" }), [])
      assert.deepStrictEqual(yield* names({ search: "0222" }), ["New"])
      assert.deepStrictEqual([yield* names({ tag: "a" }), yield* names({ tag: "b" })], [[], ["New"]])
      const archived = yield* contacts.setArchived(organizationId, id, true)
      assert.isNotNull(archived?.archivedAt)
      for (const filter of [{}, { search: "new" }, { tag: "b" }]) {
        assert.deepStrictEqual(yield* names(filter), [])
        assert.deepStrictEqual(yield* names({ ...filter, archived: true }), ["New"])
      }
      yield* contacts.setArchived(organizationId, id, false)
      assert.deepStrictEqual(yield* names({ search: "new" }), ["New"])
    })
  )

  it.effect("cannot be changed to another contact's number", () =>
    Effect.gen(function* () {
      const { organizationId, contacts, made } = yield* office({ phone: "+14155550101" }, { phone: "+14155550102" })
      const refusal = yield* Effect.flip(contacts.update(organizationId, made[0].id, { phone: "+14155550102" }, by))
      assert.strictEqual(refusal.existingId, made[1].id)
      assert.strictEqual((yield* contacts.find(organizationId, made[0].id))?.phone, "+14155550101")
      assert.isUndefined(yield* contacts.update(organizationId, "cnt_unknown", { name: "x" }, by))
    })
  )

  it.effect("appear exactly once when a long list is read by cursor, whoever is added meanwhile", () =>
    Effect.gen(function* () {
      const { organizationId, contacts, made } = yield* office(
        ...Array.from({ length: 25 }, (_, i) => ({ phone: `+1415555${1000 + i}`, name: `Guest ${i}`, tags: ["guest"] }))
      )
      // Newest first. Contacts of the same millisecond are sorted by id.
      const place = ({ createdAt, id }: Contact) => `${createdAt} ${id}`
      const all = [...made].sort((a, b) => (place(a) < place(b) ? 1 : -1)).map(({ id }) => id)
      for (const filter of [shown, { ...shown, search: "guest" }, { ...shown, tag: "guest" }]) {
        const met: Array<string> = []
        let at = yield* contacts.list(organizationId, filter, { page: 1, limit: 10 })
        for (let more = 0; ; more++) {
          met.push(...at.data.map(({ id }) => id))
          if (at.next === null) break
          const phone = `+1415556${Math.floor(Math.random() * 9000) + 1000}`
          const input = { phone, name: `Guest late ${more}`, tags: ["guest"] }
          yield* contacts.save(organizationId, input, by)
          at = yield* contacts.list(organizationId, filter, { page: 1, limit: 10, after: at.next })
          assert.isAtLeast(at.total, 25)
        }
        assert.deepStrictEqual(
          met.filter((id) => all.includes(id)),
          all
        )
        assert.lengthOf(new Set(met), met.length)
      }
    })
  )

  it.effect("keep evidence of opting in and out by number, and a new number has not opted in", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { organizationId, contacts, made } = yield* office({ phone: "+14155550101", optedIn: true })
      const { id } = made[0]
      yield* contacts.update(organizationId, id, { name: "Asha" }, by)
      yield* contacts.update(organizationId, id, { optedIn: false }, by)
      yield* contacts.update(organizationId, id, { optedIn: true }, "key_2")
      const moved = yield* contacts.update(organizationId, id, { phone: "+14155550102" }, by)
      assert.isFalse(moved?.optedIn)
      const ledger = yield* tenant(organizationId)(
        sql<{
          action: string
          recordedBy: string
        }>`SELECT action, recorded_by FROM consents WHERE channel = 'messaging' ORDER BY ordinal`
      )
      assert.deepStrictEqual(
        ledger.map(({ action, recordedBy }) => [action, recordedBy]),
        [
          ["granted", by],
          ["withdrawn", by],
          ["granted", "key_2"]
        ]
      )
    })
  )

  it.effect("have no number when only a channel's user id is known, and are found again", () =>
    Effect.gen(function* () {
      const { organizationId, contacts } = yield* office()
      const identity = { channel: "messaging", userId: "IN.1234567890" } as const
      const both = yield* Effect.all(
        [1, 2, 3].map(() => contacts.identify(organizationId, "messaging", { userId: identity.userId, name: "Ravi" })),
        { concurrency: 3 }
      )
      assert.lengthOf(new Set(both.map(({ id }) => id)), 1)
      assert.deepStrictEqual([both[0].phone, both[0].identities], [null, [identity]])
      const named = { channel: "messaging", userId: "IN.2" } as const
      const known = yield* contacts.create(organizationId, { phone: "+919812345678" }, by)
      const same = yield* contacts.identify(organizationId, "messaging", {
        ...{ userId: named.userId, phone: "+91 98123 45678", name: "Meera" }
      })
      assert.deepStrictEqual([same.id, same.name, same.identities], [known.id, "Meera", [named]])
    })
  )

  it.effect("keep number and user id together, match by number first, and lose ids that are replaced", () =>
    Effect.gen(function* () {
      const { organizationId, contacts } = yield* office()
      const identify = (person: Parameters<typeof contacts.identify>[2]) =>
        contacts.identify(organizationId, "messaging", person)
      const phone = "+919812345678"
      const byNumber = yield* identify({ phone, name: "Asha" })
      assert.strictEqual((yield* identify({ phone, userId: "IN.1" })).id, byNumber.id)
      assert.strictEqual((yield* identify({ userId: "IN.1", name: "Somebody else's idea" })).name, "Asha")
      const moved = yield* identify({ userId: "IN.2", previousUserId: "IN.1" })
      assert.deepStrictEqual([moved.id, moved.identities], [byNumber.id, [{ channel: "messaging", userId: "IN.2" }]])
      assert.notStrictEqual((yield* identify({ userId: "IN.1" })).id, byNumber.id)

      const nameless = yield* identify({ userId: "IN.3" })
      const filled = yield* identify({ userId: "IN.3", phone: "+919812345679", name: "Ravi" })
      assert.deepStrictEqual([filled.id, filled.phone, filled.name], [nameless.id, "+919812345679", "Ravi"])
      const another = yield* identify({ userId: "IN.3", phone: "+919812345680" })
      assert.notStrictEqual(another.id, nameless.id)
      assert.strictEqual((yield* identify({ userId: "IN.3" })).id, another.id)
    })
  )

  it.effect("known by an id alone are merged with their conversations into the contact with the number", () =>
    Effect.gen(function* () {
      const { organizationId, contacts } = yield* office()
      const conversations = yield* Conversations
      const known = yield* contacts.create(organizationId, { phone: "+919812345678", name: "Asha" }, by)
      const hidden = yield* contacts.identify(organizationId, "messaging", { userId: "IN.9" })
      const conversationId = yield* conversations.answering(organizationId, hidden.id, "messaging")
      const shown = yield* contacts.identify(organizationId, "messaging", { userId: "IN.9", phone: "+919812345678" })
      assert.strictEqual(shown.id, known.id)
      const moved = yield* conversations.find(organizationId, conversationId, 1, Date.now())
      assert.strictEqual(moved?.contact.id, known.id)
      assert.isNotNull((yield* contacts.findItself(organizationId, hidden.id))?.archivedAt)
      assert.strictEqual((yield* contacts.find(organizationId, hidden.id))?.id, known.id)
    })
  )

  it.effect("are created once by five requests at once, whichever number or id each gives", () =>
    Effect.gen(function* () {
      const { organizationId, contacts } = yield* office()
      const person = { phone: "+919812345678", userId: "IN.1" }
      const all = yield* Effect.all(
        [person, { phone: person.phone }, person, { phone: person.phone }, person].map((one) =>
          contacts.identify(organizationId, "messaging", one)
        ),
        { concurrency: 5 }
      )
      assert.lengthOf(new Set(all.map(({ id }) => id)), 1)
    })
  )

  it.effect("are hidden from other organizations, also in searches", () =>
    Effect.gen(function* () {
      const own = yield* office({ phone: "+14155550101", name: "Asha", tags: ["vip"] })
      const other = yield* office()
      const { id } = own.made[0]
      for (const filter of [{ search: "asha" }, { search: "4155550101" }, { tag: "vip" }, {}])
        assert.deepStrictEqual(yield* other.names(filter), [])
      assert.isUndefined(yield* other.contacts.find(other.organizationId, id))
      assert.isUndefined(yield* other.contacts.update(other.organizationId, id, { name: "x" }, by))
      assert.isUndefined(yield* other.contacts.setArchived(other.organizationId, id, true))
      assert.isUndefined(yield* (yield* ContactErasure).erase(other.organizationId, id))
      assert.deepStrictEqual(yield* own.names({}), ["Asha"])
      const sql = yield* SqlClient.SqlClient
      yield* Effect.flip(tenant(own.organizationId)(sql`SELECT * FROM private.contact_search`))
    })
  )

  it.effect(
    "are erased however long removing their files takes, without blocking others, and a repeated request has less to remove",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const calls = yield* Calls
        const phone = "+14155550178"
        const { organizationId, contacts, made } = yield* office({ phone })
        const contactId = made[0].id
        const [from, to] = [phone, "+14155550123"]
        const opening = {
          organizationId,
          agentId: null,
          direction: "inbound",
          status: "in_progress",
          from,
          to
        } as const
        const { call } = yield* calls.open({ ...opening, callSid: "CA3" })
        yield* calls.close(organizationId, call.id, "completed", "caller_hangup")
        const keys = Array.from({ length: 250 }, (_, n) => recordingKey(organizationId, `${call.id}${n}`, "rec_1"))
        yield* tenant(organizationId)(
          sql`INSERT INTO calls (organization_id, id, contact_id, direction, status, from_address, to_address, recordings)
          SELECT c.organization_id, c.id || (n - 1), c.contact_id, c.direction, c.status, c.from_address, c.to_address,
            jsonb_build_array(jsonb_build_object('key', key, 'bytes', 1044, 'durationMs', 31))
          FROM calls c, unnest(${keys}::text[]) WITH ORDINALITY AS u (key, n) WHERE c.id = ${call.id}`
        )

        const removed: Array<string> = []
        const cutOff = erasing(organizationId, contactId, (key) =>
          Effect.suspend(() => (removed.push(key) > 150 ? Effect.fail(failure) : Effect.void))
        )
        assert.strictEqual((yield* Effect.flip(cutOff))._tag, "ObjectStorageError")
        // Removing the files takes until another request has changed the contact.
        const asked = yield* Deferred.make<void>()
        const changed = yield* Effect.forkChild(
          Effect.andThen(Deferred.await(asked), contacts.update(organizationId, contactId, { name: "Asha" }, by))
        )
        const left: Array<string> = []
        const erased = yield* erasing(organizationId, contactId, (key) => {
          left.push(key)
          return Effect.asVoid(Effect.andThen(Deferred.succeed(asked, undefined), Effect.orDie(Fiber.join(changed))))
        })
        assert.strictEqual(erased.calls, 251)
        assert.lengthOf(left, 150)
        assert.sameMembers([...new Set([...removed, ...left])], keys)
        assert.isUndefined(yield* contacts.find(organizationId, contactId))
      })
  )

  it.effect("leave only figures, evidence and a note in the audit log when erased, and nothing personal", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const calls = yield* Calls
      const phone = "+14155550177"
      const { organizationId, contacts, made } = yield* office({ phone, name: "Asha Rao", optedIn: true })
      const contactId = made[0].id
      const agent = agentOf(organizationId)
      yield* (yield* VoiceAgents).create(agent)
      const { call } = yield* calls.open({
        organizationId,
        agentId: agent.id,
        direction: "inbound",
        status: "in_progress",
        from: phone,
        to: "+14155550123",
        callSid: "CA2"
      })
      const event = { organizationId, agentId: agent.id, callId: call.id }
      const said = {
        type: "transcript",
        sequence: 0,
        role: "caller",
        text: "I am Asha Rao",
        interrupted: false
      } as const
      yield* calls.apply({ ...event, ...said, id: "evt_1", startMs: 0, endMs: 900 })
      const conversationId = yield* (yield* Conversations).open(organizationId, contactId, "messaging")
      yield* (yield* Messages).add(
        { organizationId, conversationId, direction: "inbound", type: "text", content: { text: "It is Asha" } },
        Date.now()
      )
      const eraseWith = (remove: Remove) => erasing(organizationId, contactId, remove)
      const removed: Array<string> = []
      const erase = eraseWith((key) => Effect.sync(() => void removed.push(key)))
      assert.strictEqual((yield* Effect.flip(erase))._tag, "ContactBusy")
      yield* calls.close(organizationId, call.id, "completed", "caller_hangup")

      const key = recordingKey(organizationId, call.id, "rec_1")
      yield* calls.apply({ ...event, id: "evt_2", type: "recording", key, bytes: 1_044, durationMs: 31 })
      const refused = eraseWith(() => Effect.fail(failure))
      assert.strictEqual((yield* Effect.flip(refused))._tag, "ObjectStorageError")
      assert.strictEqual((yield* contacts.find(organizationId, contactId))?.name, "Asha Rao")

      assert.deepInclude(yield* erase, { conversations: 2, messages: 1, calls: 1 })
      assert.deepStrictEqual(removed, [key])
      assert.isUndefined(yield* contacts.find(organizationId, contactId))
      assert.strictEqual((yield* Effect.flip(erase))._tag, "NoSuchContact")
      const own = tenant(organizationId)
      const tables = yield* sql<{ name: string }>`SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a
        ON a.attrelid = c.oid WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attname = 'organization_id'`
      for (const { name } of tables) {
        const rows = JSON.stringify(yield* own(sql`SELECT to_jsonb(t) AS row FROM ${sql(name)} t`))
        for (const trace of [phone, phone.slice(1), "Asha"]) assert.notInclude(rows, trace, name)
      }
      const [note] = yield* own(
        sql`SELECT state_after AS after FROM audit_log WHERE action = 'contact.erased' AND subject_id = ${contactId}`
      )
      const [evidence] = yield* own(sql`SELECT encode(phone_hash, 'hex') AS hash FROM consents`)
      assert.deepInclude(note.after, { messages: 1, phoneHash: evidence.hash })
    })
  )

  it.effect("leave no tool input behind when a tool ends at the moment in which they are erased", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const calls = yield* Calls
      const phone = "+14155550178"
      const { organizationId, made } = yield* office({ phone })
      const agent = agentOf(organizationId)
      yield* (yield* VoiceAgents).create(agent)
      const { call } = yield* calls.open({
        organizationId,
        agentId: agent.id,
        direction: "inbound",
        status: "completed",
        from: phone,
        to: "+14155550123",
        callSid: "CA3"
      })
      const begun = yield* Deferred.make<void>()
      const audit = {
        id: "tc_1",
        name: "look_up",
        arguments: "Asha",
        result: "Asha",
        outcome: "ok",
        durationMs: 1
      } as const
      const late = yield* Effect.forkChild(
        Effect.andThen(Deferred.await(begun), calls.recordToolCall(organizationId, call.id, audit))
      )
      const waits = sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`
      yield* tenant(organizationId)(
        Effect.gen(function* () {
          yield* (yield* ContactErasure).erase(organizationId, made[0].id)
          yield* Deferred.succeed(begun, undefined)
          yield* eventually(
            "the tool's entry waits for the call",
            Effect.map(waits, ({ length }) => length > 0)
          )
        })
      )
      yield* Fiber.join(late)
      const [tool] = yield* calls.toolCalls(organizationId, call.id)
      assert.deepInclude(tool, { name: "look_up", arguments: "erased", result: "erased" })
    })
  )
})

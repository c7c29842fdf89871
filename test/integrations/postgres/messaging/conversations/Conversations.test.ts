import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Conversations } from "../../../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages, type NewMessage } from "../../../../../src/domain/messaging/conversations/Message.ts"
import { Timelines } from "../../../../../src/domain/messaging/conversations/Timeline.ts"
import { Users } from "../../../../../src/domain/people/access/User.ts"
import { Contacts } from "../../../../../src/domain/people/contacts/Contact.ts"
import { VoiceAgents } from "../../../../../src/domain/voice/agents/VoiceAgent.ts"
import { Calls } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { eventsOf, newPerson } from "../../../../support/conversations.ts"
import { agentOf, newOrganization, testStores } from "../../../../support/tenants.ts"

const start = Date.parse("2036-11-21T10:00:00.000Z")
const part = { page: 1, limit: 20 }

/** An organization with one contact in one messaging conversation. */
const office = Effect.gen(function* () {
  const { id: organizationId } = yield* newOrganization()
  const contact = yield* (yield* Contacts).create(organizationId, { phone: "+14155550101", name: "Asha" }, "key_1")
  const conversations = yield* Conversations
  const messages = yield* Messages
  const conversationId = yield* conversations.open(organizationId, contact.id, "messaging")
  const say = (text: string, now: number, more: Partial<NewMessage> = {}) =>
    messages.add(
      { organizationId, conversationId, direction: "inbound", type: "text", content: { text }, ...more },
      now
    )
  const read = (now = start) =>
    Effect.map(conversations.find(organizationId, conversationId, 20, now), (found) => found ?? assert.fail())
  const change = (changes: Parameters<typeof conversations.change>[2]) =>
    conversations.change(organizationId, conversationId, changes, start)
  return { organizationId, contact, conversations, messages, conversationId, say, read, change }
})

layer(testStores)("conversations", (it) => {
  it.effect("show a contact's message as unread and as the last message, and it opens the window", () =>
    Effect.gen(function* () {
      const { organizationId, conversations, say, read, change } = yield* office
      assert.deepInclude(yield* read(), { unreadCount: 0, window: { open: false, expiresAt: null }, lastMessage: null })
      yield* say("Hello", start)
      yield* say("Anybody there?", start + 1_000)
      const { data, total } = yield* conversations.list(organizationId, { status: "OPEN" }, part, start + 2_000)
      assert.strictEqual(total, 1)
      assert.deepInclude(data[0], {
        unreadCount: 2,
        window: { open: true, expiresAt: "2036-11-22T10:00:01.000Z" },
        lastActivityAt: "2036-11-21T10:00:01.000Z"
      })
      assert.deepStrictEqual(data[0].lastMessage?.content, { text: "Anybody there?" })
      const later = yield* read(start + 86_401_000)
      assert.isFalse(later.window?.open)
      assert.deepStrictEqual(
        later.messages.map(({ content }) => content.text),
        ["Anybody there?", "Hello"]
      )
      assert.strictEqual((yield* change({ read: true }))?.unreadCount, 0)
    })
  )

  it.effect("can be taken by a person or an agent of the organization, and by nobody else", () =>
    Effect.gen(function* () {
      const { organizationId, change, read } = yield* office
      const email = `${organizationId}@example.com`
      const user = yield* (yield* Users).create({ organizationId, email, name: "Mia", role: "AGENT" })
      const agent = agentOf(organizationId)
      yield* (yield* VoiceAgents).create(agent)
      assert.deepInclude(yield* change({ assignee: user.id }), { status: "ASSIGNED", assignee: user.id })
      assert.deepInclude(yield* change({ assignee: agent.id }), { status: "ASSIGNED", assignee: agent.id })
      const { organizationId: other } = yield* office
      const stranger = agentOf(other)
      yield* (yield* VoiceAgents).create(stranger)
      for (const id of [stranger.id, "usr_unknown", "bot_unknown", "x"])
        assert.strictEqual((yield* Effect.flip(change({ assignee: id })))._tag, "NoSuchAssignee")
      assert.strictEqual((yield* Effect.flip(change({ status: "OPEN", assignee: user.id })))._tag, "ImpossibleChange")
      assert.deepInclude(yield* read(), { status: "ASSIGNED", assignee: agent.id })
      assert.deepInclude(yield* change({ status: "RESOLVED" }), { status: "RESOLVED", assignee: agent.id })
    })
  )

  it.effect("lose their assignee when that person or agent leaves, but resolved ones still name them", () =>
    Effect.gen(function* () {
      const { organizationId, change, read } = yield* office
      const person = yield* newPerson(organizationId)
      const agent = agentOf(organizationId)
      const agents = yield* VoiceAgents
      yield* agents.create(agent)
      const leave = [
        { id: person.id, go: (yield* Users).change(organizationId, person.id, { active: false }) },
        { id: agent.id, go: agents.remove(organizationId, agent.id) }
      ]
      for (const { id, go } of leave) {
        yield* change({ assignee: id })
        yield* go
        assert.deepInclude(yield* read(), { status: "OPEN", assignee: null })
        assert.strictEqual((yield* Effect.flip(change({ assignee: id })))._tag, "NoSuchAssignee")
      }
      const told = yield* eventsOf(organizationId, "conversation.assigned")
      assert.deepStrictEqual(
        told.map(({ data }) => (data.conversation as { assignee: unknown }).assignee),
        [person.id, null, agent.id, null]
      )
      const users = yield* Users
      yield* users.change(organizationId, person.id, { active: true })
      yield* change({ assignee: person.id, status: "RESOLVED" })
      yield* users.change(organizationId, person.id, { active: false })
      assert.deepInclude(yield* read(), { status: "RESOLVED", assignee: person.id })
      assert.strictEqual((yield* Effect.flip(change({ status: "ASSIGNED" })))._tag, "NoSuchAssignee")
    })
  )

  it.effect("become those of the person who answers first, with an event and a change that say so", () =>
    Effect.gen(function* () {
      const { organizationId, conversationId, say, read } = yield* office
      const [mia, ben] = [yield* newPerson(organizationId), yield* newPerson(organizationId)]
      const answer = (sentBy: string, more: Partial<NewMessage> = {}) =>
        say("Good morning", start, { direction: "outbound", sentBy, ...more })
      yield* answer("key_1")
      yield* answer(mia.id, { type: "template", content: { templateName: "hello", language: "en" } })
      assert.deepInclude(yield* read(), { status: "OPEN", assignee: null })
      yield* answer(mia.id)
      yield* answer(ben.id)
      yield* answer("key_1")
      assert.deepInclude(yield* read(), { status: "ASSIGNED", assignee: mia.id })
      const told = yield* eventsOf(organizationId, "conversation.assigned")
      assert.deepStrictEqual(
        told.map(({ data }) => data.by),
        [mia.id]
      )
      const newest = { from: undefined, limit: 20, wholeContact: false }
      const timeline = yield* (yield* Timelines).read(organizationId, conversationId, newest)
      const changes = (timeline?.entries ?? []).flatMap(({ change }) => (change === undefined ? [] : [change]))
      assert.deepStrictEqual(
        changes.map(({ actor, after }) => ({ actor, after })),
        [{ actor: { type: "user", id: mia.id }, after: { status: "ASSIGNED", assignee: mia.id } }]
      )
    })
  )

  it.effect("stay everybody's when who has answered has left meanwhile", () =>
    Effect.gen(function* () {
      const { organizationId, say, read } = yield* office
      const person = yield* newPerson(organizationId)
      yield* (yield* Users).change(organizationId, person.id, { active: false })
      yield* say("Good morning", start, { direction: "outbound", sentBy: person.id })
      assert.deepInclude(yield* read(), { status: "OPEN", assignee: null })
    })
  )

  it.effect("are not assigned to a person who is leaving at the same moment", () =>
    Effect.gen(function* () {
      const { organizationId, change, read } = yield* office
      const users = yield* Users
      for (let round = 0; round < 12; round++) {
        const { id } = yield* newPerson(organizationId)
        const assigned = Effect.exit(change({ assignee: id }))
        const left = Effect.exit(users.change(organizationId, id, { active: false }))
        yield* Effect.all(round % 2 === 0 ? [assigned, left] : [left, assigned], { concurrency: 2 })
        assert.deepInclude(yield* read(), { status: "OPEN", assignee: null })
      }
    })
  )

  it.effect("are reopened by a message after being resolved, whereas a newly opened one is separate", () =>
    Effect.gen(function* () {
      const { organizationId, contact, conversations, conversationId, say, read, change } = yield* office
      yield* change({ status: "RESOLVED" })
      yield* say("One more thing", start)
      assert.deepInclude(yield* read(), { status: "OPEN", assignee: null })
      assert.strictEqual(yield* conversations.open(organizationId, contact.id, "messaging"), conversationId)
      yield* change({ status: "RESOLVED" })
      assert.notStrictEqual(yield* conversations.open(organizationId, contact.id, "messaging"), conversationId)
    })
  )

  it.effect(
    "are listed with the latest activity first, including calls, whose words are part of the conversation",
    () =>
      Effect.gen(function* () {
        const { organizationId, contact, conversations, say } = yield* office
        const calls = yield* Calls
        yield* say("Please call me", Date.now() - 60_000)
        const agent = agentOf(organizationId)
        yield* (yield* VoiceAgents).create(agent)
        const { call } = yield* calls.open({
          organizationId,
          agentId: agent.id,
          direction: "inbound",
          status: "in_progress",
          from: "+14155550101",
          to: "+14155550123",
          callSid: "CA1"
        })
        for (const [sequence, text] of ["Hello", "I would like a table"].entries())
          yield* calls.apply({
            ...{
              organizationId,
              agentId: agent.id,
              callId: call.id,
              id: `evt_${sequence}`,
              type: "transcript",
              sequence
            },
            ...{ role: "caller", text, interrupted: false, startMs: sequence * 1_000, endMs: sequence * 1_000 + 900 }
          })
        const { data } = yield* conversations.list(organizationId, {}, part, Date.now())
        assert.deepStrictEqual(
          data.map(({ channel }) => channel),
          ["voice", "messaging"]
        )
        assert.deepInclude(data[0], { window: null, contact: { id: contact.id, name: "Asha", phone: "+14155550101" } })
        const detail = yield* conversations.find(organizationId, data[0].id, 20, Date.now())
        assert.deepStrictEqual(
          detail?.calls.map(({ id, utterances }) => [id, utterances.map(({ text }) => text)]),
          [[call.id, ["Hello", "I would like a table"]]]
        )
      })
  )

  it.effect("of another organization are not found", () =>
    Effect.gen(function* () {
      const { conversations, conversationId, say } = yield* office
      yield* say("Hello", start)
      const other = yield* office
      assert.isUndefined(yield* conversations.find(other.organizationId, conversationId, 20, start))
      assert.isUndefined(
        yield* conversations.change(other.organizationId, conversationId, { status: "RESOLVED" }, start)
      )
      const stray = say("Hello", start, { organizationId: other.organizationId })
      assert.strictEqual((yield* Effect.flip(stray))._tag, "NoSuchConversation")
      assert.strictEqual((yield* other.messages.list(other.organizationId, {}, part)).total, 0)
    })
  )
})

layer(testStores)("messages", (it) => {
  it.effect("that the channel repeats are stored once", () =>
    Effect.gen(function* () {
      const { say, read } = yield* office
      const repeated = say("Hello", start, { channelMessageId: "wamid.1" })
      const [first, ...again] = yield* Effect.all([repeated, repeated, repeated], { concurrency: 3 })
      assert.isTrue(again.every(({ id }) => id === first.id))
      assert.strictEqual((yield* read()).unreadCount, 1)
    })
  )

  it.effect("that go out rise through their statuses as reports come, each status with its time", () =>
    Effect.gen(function* () {
      const { organizationId, conversationId, messages, say } = yield* office
      const question = yield* say("When?", start, { channelMessageId: "wamid.q" })
      const replyTo = { messageId: question.id, channelMessageId: "wamid.q" }
      const answer = { direction: "outbound", channelMessageId: "wamid.a", sentBy: "key_1", replyTo } as const
      const queued = yield* say("Tomorrow", start + 1, answer)
      assert.deepInclude(queued, { status: "queued", conversationId, channel: "messaging", replyTo, sentBy: "key_1" })
      const report = (status: "sent" | "delivered" | "read", ms: number) =>
        messages.report(
          organizationId,
          { channelMessageId: "wamid.a" },
          { status, at: new Date(start + ms).toISOString() }
        )
      yield* report("sent", 10)
      yield* report("read", 30)
      assert.deepInclude(yield* report("delivered", 20), {
        status: "read",
        sentAt: "2036-11-21T10:00:00.010Z",
        deliveredAt: "2036-11-21T10:00:00.020Z",
        readAt: "2036-11-21T10:00:00.030Z",
        failure: null
      })
      assert.isUndefined(
        yield* messages.report(
          organizationId,
          { channelMessageId: "wamid.unknown" },
          { status: "sent", at: new Date(start).toISOString() }
        )
      )
      const { id } = yield* say("And?", start + 2, { ...answer, channelMessageId: "wamid.f" })
      const failure = { code: "131026", reason: "The number cannot receive messages." }
      yield* messages.report(
        organizationId,
        { channelMessageId: "wamid.f" },
        {
          status: "failed",
          at: new Date(start).toISOString(),
          failure
        }
      )
      assert.deepInclude(yield* messages.find(organizationId, id), { status: "failed", failure })
    })
  )

  it.effect("of all conversations are listed newest first, and a cursor goes through all of them", () =>
    Effect.gen(function* () {
      const { organizationId, messages, say } = yield* office
      for (let i = 0; i < 7; i++) yield* say(`${i}`, start + Math.floor(i / 2))
      const met: Array<unknown> = []
      let at = yield* messages.list(organizationId, {}, { page: 1, limit: 3 })
      for (;;) {
        met.push(...at.data.map(({ content }) => content.text))
        assert.strictEqual(at.total, 7)
        if (at.next === null) break
        at = yield* messages.list(organizationId, {}, { page: 1, limit: 3, after: at.next })
      }
      assert.sameMembers(met, ["0", "1", "2", "3", "4", "5", "6"])
      assert.lengthOf(met, 7)
      assert.strictEqual(met[0], "6")
      const second = yield* messages.list(organizationId, {}, { page: 2, limit: 3 })
      assert.deepStrictEqual(
        second.data.map(({ content }) => content.text),
        met.slice(3, 6)
      )
    })
  )

  it.effect("cannot have a status of the other direction, because the database refuses it", () =>
    Effect.gen(function* () {
      const { organizationId, say } = yield* office
      const sql = yield* SqlClient.SqlClient
      yield* say("Hello", start)
      yield* Effect.flip(tenant(organizationId)(sql`UPDATE messages SET status = 'sent'`))
    })
  )
})

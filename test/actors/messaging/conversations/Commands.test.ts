/** The actor of a conversation in one process, over a real database, used through its public port `ConversationCommands`. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Commands from "../../../../src/actors/messaging/conversations/Commands.ts"
import * as SlaSweep from "../../../../src/actors/messaging/conversations/SlaSweep.ts"
import { TurnRunner } from "../../../../src/domain/messaging/agents/TurnRunner.ts"
import { Conversations } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../../../src/domain/messaging/conversations/ConversationCommand.ts"
import {
  ConversationFence,
  LostConversation
} from "../../../../src/domain/messaging/conversations/ConversationFence.ts"
import { Messages, NoSuchConversation } from "../../../../src/domain/messaging/conversations/Message.ts"
import { Audit } from "../../../../src/domain/people/access/Audit.ts"
import { Operation } from "../../../../src/domain/people/access/Idempotency.ts"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import * as Cluster from "../../../../src/integrations/cluster/Cluster.ts"
import { makeSql } from "../../../../src/integrations/postgres/tenancy/Sql.ts"
import { eventsOf, newConversation, newPerson, shownConversation } from "../../../support/conversations.ts"
import { eventually } from "../../../support/eventually.ts"
import { testStores } from "../../../support/tenants.ts"

const owners = Layer.provideMerge(Commands.layer, Cluster.layerAlone).pipe(
  Layer.provide(TurnRunner.layerNone),
  Layer.provideMerge(testStores)
)

const text = (words: string) => ({ type: "text" as const, content: { text: words } })
const policy = { firstResponseMinutes: 30, resolutionMinutes: 60, businessHoursOnly: false }
const minute = 60_000

layer(owners, { excludeTestServices: true })("the actor of a conversation", (it) => {
  it.effect("stores each incoming and outgoing message once", () =>
    Effect.gen(function* () {
      const commands = yield* ConversationCommands
      const messages = yield* Messages
      const place = yield* newConversation()
      const now = Date.now()
      const hello = { ...place, ...text("Hello"), channelMessageId: "wamid.1" }
      const first = yield* commands.receive(hello, now)
      assert.deepStrictEqual(yield* commands.receive(hello, now + 5), first)
      const send = commands.send({ ...place, ...text("Hi"), sentBy: "key_1" }, now + 10)
      const sent = yield* Effect.provideService(send, Operation, "idk_01ABC")
      assert.strictEqual(sent.id, "msg_01ABC")
      assert.deepStrictEqual(yield* Effect.provideService(send, Operation, "idk_01ABC"), sent)
      const other = yield* send
      const { data } = yield* messages.list(place.organizationId, {}, { page: 1, limit: 10 })
      assert.sameMembers(
        data.map(({ id }) => id),
        [first.id, sent.id, other.id]
      )
      const nowhere = yield* Effect.flip(commands.receive({ ...hello, conversationId: "cnv_none" }, now))
      assert.instanceOf(nowhere, NoSuchConversation)
    })
  )

  it.effect("carries out a hundred simultaneous commands one after the other and loses none", () =>
    Effect.gen(function* () {
      const commands = yield* ConversationCommands
      const place = yield* newConversation()
      yield* Effect.forEach(
        Array.from({ length: 100 }, (_, n) => n),
        (n) => commands.receive({ ...place, ...text(`${n}`), channelMessageId: `wamid.${n}` }, Date.now()),
        { concurrency: "unbounded", discard: true }
      )
      assert.strictEqual((yield* shownConversation(place)).unreadCount, 100)
    })
  )

  it.effect("records a change in the event log, and in the audit log with the values before and after", () =>
    Effect.gen(function* () {
      const commands = yield* ConversationCommands
      const place = yield* newConversation()
      const { organizationId, conversationId } = place
      const person = yield* newPerson(organizationId)
      const change = (changes: Parameters<typeof commands.change>[2]) =>
        commands.change(organizationId, conversationId, changes, Date.now())
      assert.strictEqual((yield* change({ assignee: person.id }))?.assignee, person.id)
      assert.strictEqual((yield* Effect.flip(change({ assignee: "usr_nobody" })))._tag, "NoSuchAssignee")
      assert.strictEqual((yield* Effect.flip(change({ status: "OPEN", assignee: person.id })))._tag, "ImpossibleChange")
      assert.strictEqual((yield* change({ status: "RESOLVED" }))?.status, "RESOLVED")
      yield* change({ status: "RESOLVED", read: true })
      yield* commands.receive({ ...place, ...text("Still there?"), channelMessageId: "wamid.1" }, Date.now())
      assert.isUndefined(yield* commands.change(organizationId, "cnv_none", { read: true }, Date.now()))
      const told = yield* eventsOf(organizationId, "conversation.")
      assert.deepStrictEqual(
        told.map(({ type }) => type),
        ["conversation.created", "conversation.assigned", "conversation.resolved", "conversation.reopened"]
      )
      assert.deepInclude(told[2].data.conversation, { id: conversationId, status: "RESOLVED", assignee: person.id })
      const { data } = yield* (yield* Audit).list(organizationId, { action: "conversation.changed" }, 1, 10)
      assert.deepStrictEqual(
        data.map(({ before, after }) => [before?.status, after?.status]),
        [
          ["ASSIGNED", "RESOLVED"],
          ["OPEN", "ASSIGNED"]
        ]
      )
    })
  )

  it.effect("writes nothing when it is no longer the owner, and changes nothing when a command is repeated", () =>
    Effect.gen(function* () {
      const conversations = yield* Conversations
      const messages = yield* Messages
      const place = yield* newConversation()
      const { organizationId, conversationId } = place
      const message = { ...place, ...text("Hello"), direction: "outbound" as const }
      const first = new ConversationFence(undefined)
      yield* messages.add(message, Date.now(), first)
      const stale = new ConversationFence(first.granted?.epoch)
      const second = new ConversationFence(undefined)
      yield* conversations.change(organizationId, conversationId, { status: "RESOLVED" }, Date.now(), {
        id: "cmd_1",
        fence: second
      })
      assert.strictEqual(second.granted?.epoch, (first.granted?.epoch ?? 0) + 1)
      const before = [yield* shownConversation(place), yield* eventsOf(organizationId, "")]
      const attempts: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        messages.add(message, Date.now(), stale),
        conversations.change(organizationId, conversationId, { status: "OPEN" }, Date.now(), {
          id: "cmd_2",
          fence: stale
        }),
        conversations.checkSla(organizationId, conversationId, stale)
      ]
      for (const attempt of attempts) assert.instanceOf(yield* Effect.flip(attempt), LostConversation)
      assert.deepStrictEqual([yield* shownConversation(place), yield* eventsOf(organizationId, "")], before)

      const owner = () => ({ fence: new ConversationFence(second.granted?.epoch) })
      const change = (id: string, status: "OPEN" | "RESOLVED") =>
        conversations.change(organizationId, conversationId, { status }, Date.now(), { id, ...owner() })
      assert.strictEqual((yield* change("cmd_3", "OPEN"))?.status, "OPEN")
      assert.strictEqual((yield* change("cmd_1", "RESOLVED"))?.status, "OPEN")
    })
  )
})

layer(owners, { excludeTestServices: true })("a message to a conversation whose actor is not running", (it) => {
  const epochOf = Effect.fnUntraced(function* (organizationId: string, conversationId: string) {
    const { sql, asTenant } = yield* makeSql
    const [row] = yield* asTenant(organizationId)(
      sql<{ epoch: number }>`SELECT epoch::int FROM conversations WHERE id = ${conversationId}`
    )
    return row.epoch
  })

  it.effect("makes its writer the owner of the conversation, after which an older owner writes nothing", () =>
    Effect.gen(function* () {
      const commands = yield* ConversationCommands
      const messages = yield* Messages
      const place = yield* newConversation()
      const { organizationId, conversationId } = place
      const older = new ConversationFence(undefined)
      yield* messages.add({ ...place, ...text("Before"), direction: "outbound" }, Date.now(), older)
      const before = yield* epochOf(organizationId, conversationId)
      yield* commands.send({ ...place, ...text("One") }, Date.now())
      yield* commands.send({ ...place, ...text("Two") }, Date.now())
      // A running actor would have kept its epoch.
      assert.strictEqual(yield* epochOf(organizationId, conversationId), before + 2)
      const stale = new ConversationFence(older.granted?.epoch)
      const late = messages.add({ ...place, ...text("Late"), direction: "outbound" }, Date.now(), stale)
      assert.instanceOf(yield* Effect.flip(late), LostConversation)
    })
  )

  it.effect("goes through the actor once that runs, which stays the owner", () =>
    Effect.gen(function* () {
      const commands = yield* ConversationCommands
      const place = yield* newConversation()
      const { organizationId, conversationId } = place
      yield* commands.receive({ ...place, ...text("Hello"), channelMessageId: "wamid.awake" }, Date.now())
      const held = yield* epochOf(organizationId, conversationId)
      yield* commands.send({ ...place, ...text("Hi") }, Date.now())
      yield* commands.change(organizationId, conversationId, { status: "RESOLVED" }, Date.now())
      assert.strictEqual(yield* epochOf(organizationId, conversationId), held)
    })
  )

  it.effect("is stored once when many are sent at once, and only one of them is the head of the outbox", () =>
    Effect.gen(function* () {
      const commands = yield* ConversationCommands
      const place = yield* newConversation()
      const sent = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, n) => n),
        (n) => commands.send({ ...place, ...text(`${n}`) }, Date.now()),
        { concurrency: "unbounded" }
      )
      const { sql, asTenant } = yield* makeSql
      const waiting = yield* asTenant(place.organizationId)(
        sql<{ messageId: string; head: boolean }>`SELECT message_id, head FROM outbox`
      )
      assert.sameMembers(
        waiting.map(({ messageId }) => messageId),
        sent.map(({ id }) => id)
      )
      assert.strictEqual(waiting.filter(({ head }) => head).length, 1)
    })
  )
})

layer(Layer.provideMerge(SlaSweep.layer, owners), { excludeTestServices: true })(
  "due times of a conversation",
  (it) => {
    const place = Effect.gen(function* () {
      const place = yield* newConversation()
      yield* (yield* Organizations).setSlaPolicy(place.organizationId, policy)
      return place
    })
    const missed = (organizationId: string) =>
      Effect.map(eventsOf(organizationId, "conversation.sla_breached"), (events) =>
        events.map(({ data }) => data.target)
      )

    it.effect("start when the contact writes, and stop at the answer and at the resolution", () =>
      Effect.gen(function* () {
        const commands = yield* ConversationCommands
        const here = yield* place
        const at = Date.now()
        yield* commands.receive({ ...here, ...text("Hello"), channelMessageId: "wamid.1" }, at)
        yield* commands.receive({ ...here, ...text("Hello?"), channelMessageId: "wamid.2" }, at + minute)
        const due = (minutes: number) => new Date(at + minutes * minute).toISOString()
        const none = { firstResponseBreachedAt: null, resolutionBreachedAt: null }
        const running = { firstResponseDueAt: due(30), resolutionDueAt: due(60), ...none }
        assert.deepStrictEqual((yield* shownConversation(here)).sla, running)
        yield* commands.send({ ...here, ...text("A broadcast"), sentBy: "brd_1" }, at)
        assert.deepStrictEqual((yield* shownConversation(here)).sla, running)
        yield* commands.send({ ...here, ...text("Hi"), sentBy: "key_1" }, at)
        assert.deepStrictEqual((yield* shownConversation(here)).sla, { ...running, firstResponseDueAt: null })
        yield* commands.change(here.organizationId, here.conversationId, { status: "RESOLVED" }, at)
        const stopped = { firstResponseDueAt: null, resolutionDueAt: null, ...none }
        assert.deepStrictEqual((yield* shownConversation(here)).sla, stopped)
        assert.deepStrictEqual(yield* missed(here.organizationId), [])
      })
    )

    it.effect("are reported once by the owner's timer when they pass", () =>
      Effect.gen(function* () {
        const commands = yield* ConversationCommands
        const here = yield* place
        // Due in a third of a second.
        const at = Date.now() - 30 * minute + 300
        yield* commands.receive({ ...here, ...text("Hello"), channelMessageId: "wamid.1" }, at)
        yield* eventually(
          "it is told of",
          Effect.map(missed(here.organizationId), (targets) => targets.length > 0)
        )
        assert.deepStrictEqual(yield* missed(here.organizationId), ["first_response"])
        const told = (yield* shownConversation(here)).sla.firstResponseBreachedAt
        assert.isAtLeast(Date.parse(told ?? ""), at + 30 * minute)
        yield* commands.send({ ...here, ...text("Sorry"), sentBy: "key_1" }, Date.now())
        yield* commands.checkSla(here.organizationId, here.conversationId)
        assert.deepStrictEqual(yield* missed(here.organizationId), ["first_response"])
        assert.strictEqual((yield* shownConversation(here)).sla.firstResponseBreachedAt, told)
      })
    )

    it.effect("are found by the sweep when they pass while the conversation has no owner", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const here = yield* place
        // Stored without the actor: no owner here has a timer for it.
        const message = { ...here, ...text("Hello"), direction: "inbound" as const }
        yield* messages.add(message, Date.now() - 90 * minute)
        yield* eventually(
          "both are told of",
          Effect.map(missed(here.organizationId), (targets) => targets.length > 1)
        )
        assert.deepStrictEqual(yield* missed(here.organizationId), ["first_response", "resolution"])
      })
    )

    it.effect("do not exist without a policy, and running ones end when the policy is removed", () =>
      Effect.gen(function* () {
        const commands = yield* ConversationCommands
        const here = yield* place
        yield* commands.receive({ ...here, ...text("Hello"), channelMessageId: "wamid.1" }, Date.now() - 20 * minute)
        yield* (yield* Organizations).setSlaPolicy(here.organizationId, null)
        yield* commands.checkSla(here.organizationId, here.conversationId)
        const { sla } = yield* shownConversation(here)
        assert.isTrue(Object.values(sla).every((time) => time === null))
      })
    )
  }
)

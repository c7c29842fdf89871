import { assert, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import {
  ChannelRefused,
  ChannelUnavailable,
  ChannelUnclear
} from "../../../../src/domain/messaging/channel/MessagingChannel.ts"
import { Conversations } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { ContactErasure } from "../../../../src/domain/privacy/ContactErasure.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { TestChannel } from "../../../support/channel.ts"
import { delivered, dropQueued, left, newThread, queueText, startDelivery } from "../../../support/delivery.ts"
import { eventually } from "../../../support/eventually.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

const at = () => new Date().toISOString()

layer(testStores, { excludeTestServices: true })("delivery", (it) => {
  it.effect("hands over queued messages, and stores the channel's id and an event for each step", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const channel = new TestChannel()
      yield* startDelivery(channel)
      const thread = yield* newThread(organizationId)
      const first = yield* queueText(organizationId, thread, "Hello")
      yield* delivered(organizationId)
      const messages = yield* Messages
      const stored = yield* messages.find(organizationId, first.id)
      assert.deepInclude(stored, { status: "sent", channelMessageId: `wamid.${first.id}`, failure: null })
      assert.deepInclude(channel.handed[0], { messageId: first.id, type: "text", content: { text: "Hello" } })
      const replyTo = { messageId: first.id, channelMessageId: null }
      yield* queueText(organizationId, thread, "As I said", { replyTo })
      yield* queueText(organizationId, thread, "", { type: "reaction", content: { messageId: first.id, emoji: "👍" } })
      yield* delivered(organizationId)
      assert.strictEqual(channel.handed[1].replyTo, `wamid.${first.id}`)
      assert.strictEqual(channel.handed[2].content.channelMessageId, `wamid.${first.id}`)
      const sql = yield* SqlClient.SqlClient
      const told = yield* tenant(organizationId)(
        sql<{ type: string; status: string }>`SELECT type, data->'message'->>'status' AS status FROM events
          WHERE type LIKE 'message.%' AND data->'message'->>'id' = ${first.id} ORDER BY transaction, position`
      )
      assert.deepStrictEqual(
        told.map(({ type, status }) => `${type} ${status}`),
        ["message.queued queued", "message.status sent"]
      )
    })
  )

  it.effect(
    "keeps the order of each conversation while the channel fails and is slow, and serves conversations concurrently",
    () =>
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization()
        const channel = new TestChannel()
        const taken: Array<string> = []
        let call = 0
        let atOnce = 0
        let most = 0
        channel.answer = ({ messageId, content }) =>
          Effect.gen(function* () {
            most = Math.max(most, ++atOnce)
            yield* Effect.sleep(5 + ((call * 7) % 30))
            atOnce--
            if (++call % 3 === 0) return yield* new ChannelUnavailable({ reason: "Busy." })
            taken.push(String(content.text))
            return { channelMessageId: `wamid.${messageId}` }
          })
        const threads = yield* Effect.all([0, 1, 2, 3].map(() => newThread(organizationId)))
        yield* startDelivery(channel)
        for (let i = 0; i < 12; i++)
          for (const [t, thread] of threads.entries()) yield* queueText(organizationId, thread, `${t}.${i}`)
        yield* delivered(organizationId)
        for (const t of threads.keys())
          assert.deepStrictEqual(
            taken.filter((text) => text.startsWith(`${t}.`)),
            Array.from({ length: 12 }, (_, i) => `${t}.${i}`)
          )
        assert.isAtLeast(most, 2)
      })
  )

  it.effect("marks a message that the channel refuses as failed with the reason, and goes on with the next one", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const channel = new TestChannel()
      channel.answer = ({ messageId, content }) =>
        content.text === "late"
          ? Effect.fail(new ChannelRefused({ code: "131047", reason: "The contact has not written for 24 hours." }))
          : Effect.succeed({ channelMessageId: `wamid.${messageId}` })
      const thread = yield* newThread(organizationId)
      const late = yield* queueText(organizationId, thread, "late")
      const next = yield* queueText(organizationId, thread, "next")
      const reaction = { type: "reaction", content: { messageId: late.id, emoji: "👍" } } as const
      const vain = yield* queueText(organizationId, thread, "", reaction)
      yield* startDelivery(channel)
      yield* delivered(organizationId)
      const messages = yield* Messages
      assert.deepInclude(yield* messages.find(organizationId, late.id), {
        status: "failed",
        failure: { code: "131047", reason: "The contact has not written for 24 hours." },
        channelMessageId: null
      })
      assert.strictEqual((yield* messages.find(organizationId, next.id))?.status, "sent")
      assert.match((yield* messages.find(organizationId, vain.id))?.failure?.reason ?? "", /nothing to react to/)
      assert.lengthOf(channel.handed, 2)
    })
  )

  it.effect("waits as long as the channel asks, and gives up after a time with a sentence that says why", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const channel = new TestChannel()
      const times: Array<number> = []
      channel.answer = () => {
        times.push(Date.now())
        return Effect.fail(new ChannelUnavailable({ reason: "The number's throughput is used up.", retryAfterMs: 400 }))
      }
      const { id } = yield* queueText(organizationId, yield* newThread(organizationId), "Hello")
      yield* startDelivery(channel, { giveUpAfterMs: 1_000 })
      yield* delivered(organizationId)
      for (const [i, time] of times.slice(1).entries()) assert.isAtLeast(time - times[i], 400)
      const failure = (yield* (yield* Messages).find(organizationId, id))?.failure
      assert.match(failure?.reason ?? "", /given up.*The number's throughput is used up/)
    })
  )

  it.effect(
    "waits for a report when the channel's answer was lost, and does not send the message again when the report comes",
    () =>
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization()
        const channel = new TestChannel()
        channel.answer = () => Effect.fail(new ChannelUnclear({ reason: "The connection was lost." }))
        const thread = yield* newThread(organizationId)
        const { id } = yield* queueText(organizationId, thread, "Hello")
        yield* queueText(organizationId, thread, "Behind")
        yield* startDelivery(channel)
        yield* eventually("the first was handed over", () => channel.handed.length === 1)
        channel.answer = ({ messageId }) => Effect.succeed({ channelMessageId: `wamid.${messageId}` })
        yield* Effect.sleep("300 millis")
        assert.deepStrictEqual(channel.texts(), ["Hello"])
        const messages = yield* Messages
        const report = { status: "delivered", at: at() } as const
        yield* messages.report(organizationId, { channelMessageId: "wamid.theirs", messageId: id }, report)
        yield* delivered(organizationId)
        assert.deepStrictEqual(channel.texts(), ["Hello", "Behind"])
        assert.deepInclude(yield* messages.find(organizationId, id), {
          status: "delivered",
          channelMessageId: "wamid.theirs"
        })
        assert.isUndefined(
          yield* messages.report(organizationId, { channelMessageId: "wamid.x", messageId: "msg_unknown" }, report)
        )
      })
  )

  it.effect(
    "sends a message without answer or report three times at most, and then says that it may have arrived",
    () =>
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization()
        const channel = new TestChannel()
        channel.answer = () => Effect.fail(new ChannelUnclear({ reason: "The connection was lost." }))
        const { id } = yield* queueText(organizationId, yield* newThread(organizationId), "Hello")
        yield* startDelivery(channel, { patienceMs: 300 })
        yield* delivered(organizationId)
        assert.lengthOf(channel.handed, 3)
        const found = yield* (yield* Messages).find(organizationId, id)
        assert.match(found?.failure?.reason ?? "", /whether it arrived is not known/)
      })
  )

  it.effect("does not let a slow organization delay another one", () =>
    Effect.gen(function* () {
      const { id: slow } = yield* newOrganization()
      const { id: quick } = yield* newOrganization()
      const channel = new TestChannel()
      const answered = yield* Deferred.make<void>()
      channel.answer = ({ organizationId, messageId }) =>
        Effect.as(organizationId === slow ? Deferred.await(answered) : Effect.void, {
          channelMessageId: `wamid.${messageId}`
        })
      for (let i = 0; i < 12; i++) yield* queueText(slow, yield* newThread(slow), `${i}`)
      yield* startDelivery(channel, {}, { perOrganization: 8 })
      yield* eventually("the slow one is under way", () => channel.handed.length === 8)
      const threads = yield* Effect.all(Array.from({ length: 10 }, () => newThread(quick)))
      for (const thread of threads) yield* queueText(quick, thread, "quick")
      yield* delivered(quick)
      assert.strictEqual(yield* left(slow), 12)
      yield* dropQueued(slow)
      yield* Deferred.succeed(answered, undefined)
    })
  )

  it.effect("keeps an organization to its pace, and sends messages that wait for the pace in bursts", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const channel = new TestChannel()
      const times: Array<number> = []
      channel.answer = ({ messageId }) => {
        times.push(performance.now())
        return Effect.succeed({ channelMessageId: `wamid.${messageId}` })
      }
      for (let i = 0; i < 60; i++) yield* queueText(organizationId, yield* newThread(organizationId), `${i}`)
      const began = performance.now()
      yield* startDelivery(channel, { messagesPerSecond: 20 }, { leaseMs: 10_000 })
      yield* delivered(organizationId)
      // The first 20 may go at once. The others take two seconds, four at a time instead of one every 50 ms.
      assert.isAtLeast(Math.max(...times) - began, 1_950)
      const paced = times.slice(20)
      const bursts = paced.filter((time, i) => i === 0 || time - paced[i - 1] > 25)
      assert.isAtMost(bursts.length, 20)
    })
  )

  it.effect("hands over each message once with two workers", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const channel = new TestChannel()
      for (let i = 0; i < 30; i++) yield* queueText(organizationId, yield* newThread(organizationId), `${i}`)
      yield* startDelivery(channel)
      yield* startDelivery(channel)
      yield* delivered(organizationId)
      assert.strictEqual(new Set(channel.texts()).size, 30)
      assert.lengthOf(channel.handed, 30)
    })
  )

  it.effect("drops the queued messages of a contact that is erased", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const thread = yield* newThread(organizationId)
      for (let i = 0; i < 3; i++) yield* queueText(organizationId, thread, `${i}`)
      const found = yield* (yield* Conversations).find(organizationId, thread, 1, Date.now())
      yield* (yield* ContactErasure).erase(organizationId, found?.contact.id ?? "")
      assert.strictEqual(yield* left(organizationId), 0)
    })
  )
})

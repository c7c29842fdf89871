/** Alerts in a channel of a simulated Slack: what people should hear of at once is written there, each thing once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { botUserId } from "../../../simulators/team-chat/SlackWorkspace.ts"
import * as EventHub from "../../../src/actors/events/EventHub.ts"
import * as OutageWatch from "../../../src/actors/events/outages/OutageWatch.ts"
import * as AllowanceWatch from "../../../src/actors/voice/allowance/AllowanceWatch.ts"
import { AppConnections } from "../../../src/domain/apps/AppConnection.ts"
import { makeProviderHealth, ProviderHealth } from "../../../src/domain/events/ProviderHealth.ts"
import { Conversations } from "../../../src/domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../../src/domain/messaging/conversations/ConversationCommand.ts"
import { directCommands } from "../../support/directCommands.ts"
import { comesAbout } from "../../support/eventually.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { startTeamChat, type TeamChat } from "../../support/teamChat.ts"
import { newTextAgent } from "../../support/textAgents.ts"

playsInRealTime()

type Tenant = Awaited<ReturnType<TeamChat["tenant"]>>
const all = ["sla", "integrations", "usage", "providers"]

/** An organization whose channel #alerts is told of all. */
const furnished = async (chat: TeamChat) => {
  const us = await chat.tenant({ plan: "PREMIUM" })
  await chat.connectSlack(us)
  const channel = chat.slack.workspace.channel("alerts")
  const mapped = await chat.map(us, [{ channel: channel.id, target: { type: "nobody" }, alerts: all }])
  assert.strictEqual(mapped.status, 200, JSON.stringify(mapped.body))
  return { us, channel }
}

/** What the app has written in the channel. */
const told = (chat: TeamChat, channel: string) =>
  chat.slack.workspace.messages
    .filter((message) => message.channel === channel && message.user === botUserId)
    .map(({ text }) => text)

const comes = (chat: TeamChat, channel: string, words: RegExp) =>
  comesAbout(`#alerts is told ${words}`, () => told(chat, channel).find((text) => words.test(text)))

const note = (chat: TeamChat, { organizationId }: Tenant, problem: string | undefined) =>
  chat.run(
    Effect.flatMap(AppConnections, (connections) =>
      Effect.flatMap(connections.find(organizationId, "webhook"), (found) =>
        connections.note(
          organizationId,
          found?.id ?? "",
          problem === undefined ? null : { problem, final: false },
          Date.now()
        )
      )
    )
  )

/** A conversation in which a contact has waited for two hours. */
const overdue = async (chat: TeamChat, us: Tenant) => {
  const { organizationId } = us
  const policy = { firstResponseMinutes: 1, resolutionMinutes: null, businessHoursOnly: false }
  await chat.rows(us, `UPDATE organizations SET sla_policy = '${JSON.stringify(policy)}' RETURNING id`)
  const { id } = await chat.contact(us, "Asha <Rao>")
  await chat.run(
    Effect.gen(function* () {
      const conversationId = yield* (yield* Conversations).answering(organizationId, id, "messaging")
      const commands = yield* ConversationCommands
      const message = { organizationId, conversationId, type: "text", content: { text: "Hello?" } } as const
      yield* commands.receive({ ...message, channelMessageId: "wamid.1" }, Date.now() - 2 * 3_600_000)
      yield* commands.checkSla(organizationId, conversationId)
    }).pipe(Effect.provide(directCommands), Effect.orDie)
  )
}

describe("alerts of a team chat", () => {
  it.live("tell of a missed target, a stopped integration, used minutes and a provider that is down, each once", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const chat = yield* startTeamChat()
        const health = makeProviderHealth()
        const { us, channel } = yield* Effect.promise(() => furnished(chat))
        const them = yield* Effect.promise(() => chat.tenant())
        yield* Layer.build(
          Layer.merge(OutageWatch.layer({ every: "100 millis" }), AllowanceWatch.layer({ every: "100 millis" })).pipe(
            Layer.provide([EventHub.layer(), Layer.succeed(ProviderHealth, health)]),
            Layer.provide(Layer.succeedContext(chat.stores))
          )
        )
        yield* Effect.promise(async () => {
          await overdue(chat, us)
          const late = await comes(chat, channel.id, /waits too long for a first answer/)
          assert.match(late, /^⏰ The conversation with Asha &lt;Rao&gt; .* http\S+\/go\/cnv_\w+$/)

          await chat.connect(us, "/crm")
          await note(chat, us, "The key was revoked.")
          await comes(chat, channel.id, /⚠️ Webhook does not work\. The key was revoked\./)
          await note(chat, us, undefined)
          await comes(chat, channel.id, /✅ Webhook works again/)

          await chat.rows(
            us,
            `INSERT INTO voice_ledger (organization_id, call_id, voice_family, started_at, day, seconds, minutes, minutes_per_month,
              overage_micros_per_minute, speech_to_text_micros, language_model_micros, text_to_speech_micros)
            VALUES ('${us.organizationId}', 'call_1', 'english', now(), (now() AT TIME ZONE 'UTC')::date, 30060, 501, 500, 120000, 0, 0, 0)
            RETURNING call_id`
          )
          await chat.contact(us, "Somebody, so that something happens")
          await comes(chat, channel.id, /voice minutes of this month are used \(501 of 500\).*0\.12 USD/)

          await chat.run(Effect.orDie(newTextAgent(us.organizationId)))
          health.failed("reasoning/large", Date.now() - 60_000)
          health.failed("reasoning/large", Date.now() - 1_000)
          health.failed("telephony/twilio", Date.now())
          await comes(chat, channel.id, /🔴 The language model \(large\) has not answered since/)
          health.works("reasoning/large", Date.now())
          await comes(chat, channel.id, /🟢 The language model \(large\) answers again/)
          await chat.slack.delivery.flush()
          await chat.heard(us)
          assert.lengthOf(told(chat, channel.id), 6, "and nothing twice")
          assert.deepStrictEqual(
            await chat.rows(them, "SELECT type FROM events WHERE type LIKE 'provider.%'"),
            [],
            "who has no agents is not told of models"
          )
        })
      })
    )
  )

  it.live(
    "are written once although Slack's answer was lost, are left out without the alert, and keep nothing that is written",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const chat = yield* startTeamChat()
          yield* Effect.promise(async () => {
            const { us, channel } = await furnished(chat)
            const direct = await chat.map(us, [{ channel: "direct", target: { type: "nobody" } }])
            assert.strictEqual(direct.status, 400)
            await chat.connect(us, "/crm")
            chat.slack.behaviour.lostAnswers = 1
            await note(chat, us, "The key was revoked.")
            await comes(chat, channel.id, /does not work/)
            await chat.slack.delivery.flush()
            const done = () => chat.rows(us, "SELECT status, content FROM chat_posts")
            await comesAbout("the post is known to be there", async () => (await done())[0]?.status === "done")
            assert.deepStrictEqual(await done(), [{ status: "done", content: null }])
            assert.lengthOf(told(chat, channel.id), 1)

            const ben = chat.slack.workspace.person("Ben")
            chat.slack.workspace.say(ben.id, channel.id, "I look after it.")
            await chat.slack.delivery.flush()
            await chat.heard(us)
            assert.deepStrictEqual(await chat.messagesOf(us), [])

            await chat.map(us, [{ channel: channel.id, target: { type: "nobody" }, alerts: ["sla"] }])
            await note(chat, us, undefined)
            await overdue(chat, us)
            await comes(chat, channel.id, /waits too long/)
            assert.lengthOf(told(chat, channel.id), 2)
          })
        })
      )
  )
})

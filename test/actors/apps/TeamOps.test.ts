/** The agent of an organization's own people in a simulated Slack: it looks things up for them, proposes changes, and a summary comes every day. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Script } from "../../../simulators/language-model/Script.ts"
import { botUserId, type SlackMessage } from "../../../simulators/team-chat/SlackWorkspace.ts"
import { ChatPosts } from "../../../src/domain/apps/chat/ChatPost.ts"
import { nextSummary, summaryDay } from "../../../src/domain/apps/chat/DailySummary.ts"
import { Conversations } from "../../../src/domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../../src/domain/messaging/conversations/ConversationCommand.ts"
import type { Role } from "../../../src/domain/people/access/Access.ts"
import { Users } from "../../../src/domain/people/access/User.ts"
import { directCommands } from "../../support/directCommands.ts"
import { comesAbout } from "../../support/eventually.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { startTeamChat, type TeamChat } from "../../support/teamChat.ts"
import { newTextAgent, startModels } from "../../support/textAgents.ts"

playsInRealTime()

type Tenant = Awaited<ReturnType<TeamChat["tenant"]>>

let wanted = ""
const script: Script = [
  {
    when: /who waits/i,
    tool: { name: "list_conversations", arguments: { status: "OPEN" } },
    reply: (result) => (/Asha Rao/.test(result) ? "Asha Rao waits." : `I may not say. ${result.slice(0, 40)}`)
  },
  {
    when: /figures/i,
    tool: { name: "get_analytics", arguments: {} },
    reply: (result) => `Figures: ${result.slice(0, 60)}`
  },
  {
    when: /resolve it/i,
    decide: ({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? { _tag: "Reply", text: "It waits for an OWNER." }
        : {
            ...{ _tag: "Call", name: "propose_change" },
            arguments: JSON.stringify({ type: "resolve_conversation", conversationId: wanted })
          }
  }
]

const colleague = async (chat: TeamChat, us: Tenant, name: string, role: Role) => {
  const { organizationId } = us
  const email = `${name.toLowerCase()}@${organizationId.toLowerCase().replace("_", "-")}.example.com`
  const { id } = await chat.run(
    Effect.flatMap(Users, (users) => Effect.orDie(users.create({ organizationId, email, name, role })))
  )
  return { ...chat.slack.workspace.person(name, email), userId: id }
}

const asked = async (chat: TeamChat, user: string, channel: string, text: string) => {
  const message = chat.slack.workspace.say(user, channel, text)
  await chat.slack.delivery.flush()
  return message
}
const answerIn = (chat: TeamChat, root: SlackMessage, words: RegExp) =>
  comesAbout(`the thread says ${words}`, () =>
    chat.slack.workspace.messages.find(
      ({ user, threadTs, text }) => user === botUserId && threadTs === root.ts && words.test(text)
    )
  )

describe("the agent of the organization's own people", () => {
  it.live(
    "looks things up for users only, and what it proposes happens once, when an OWNER has confirmed it",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const models = yield* startModels({ script })
          const chat = yield* startTeamChat({ models })
          yield* Effect.promise(async () => {
            const us = await chat.tenant()
            await chat.connectSlack(us)
            const agent = await chat.run(Effect.orDie(newTextAgent(us.organizationId, { answers: "never" })))
            const team = chat.slack.workspace.channel("team")
            const target = { type: "ops", agentId: agent.id }
            const mapped = await chat.map(us, [{ channel: team.id, target }])
            assert.strictEqual(mapped.status, 200, JSON.stringify(mapped.body))
            const ben = await colleague(chat, us, "Ben", "AGENT")
            const ida = await colleague(chat, us, "Ida", "OWNER")
            const zoe = chat.slack.workspace.person("Zoe", "zoe@elsewhere.example.com")
            const { id: contactId } = await chat.contact(us, "Asha Rao")
            wanted = await chat.run(
              Effect.gen(function* () {
                const conversationId = yield* (yield* Conversations).answering(
                  us.organizationId,
                  contactId,
                  "messaging"
                )
                const message = { organizationId: us.organizationId, conversationId, type: "text" } as const
                const commands = yield* ConversationCommands
                yield* commands.receive(
                  { ...message, content: { text: "Hello?" }, channelMessageId: "wamid.1" },
                  Date.now()
                )
                return conversationId
              }).pipe(Effect.provide(directCommands), Effect.orDie)
            )

            await answerIn(chat, await asked(chat, ben.id, team.id, "Who waits?"), /Asha Rao waits\.$/)
            await answerIn(chat, await asked(chat, ben.id, team.id, "Show me figures"), /Figures: \d{4}-/)
            // The model would look it up if it could.
            const told = await answerIn(chat, await asked(chat, zoe.id, team.id, "Who waits?"), /./)
            assert.notMatch(told.text, /Asha/)

            const root = await asked(chat, ben.id, team.id, "Resolve it, please")
            const proposal = await answerIn(chat, root, new RegExp(`^❓ Resolve the conversation ${wanted}`))
            await answerIn(chat, root, /waits for an OWNER/)
            await chat.slack.press(ben.id, proposal, "parley_confirm")
            await comesAbout("Ben may not", () =>
              chat.slack.workspace.whispers.some(
                ({ user, text }) => user === ben.id && /Only an OWNER or ADMIN/.test(text)
              )
            )
            const status = async () =>
              (await chat.rows(us, `SELECT status FROM conversations WHERE id = '${wanted}'`))[0]?.status
            assert.strictEqual(await status(), "OPEN")
            await chat.slack.press(ida.id, proposal, "parley_confirm", 2)
            await comesAbout("it is resolved", async () => (await status()) === "RESOLVED")
            await answerIn(chat, root, /^✅ Resolve the conversation .*\nConfirmed by Ida\.$/s)
            const changed = await chat.rows(us, "SELECT actor_id FROM audit_log WHERE action = 'conversation.changed'")
            assert.deepStrictEqual(changed, [{ actorId: ida.userId }])
          })
        })
      ),
    240_000
  )
})

describe("the daily summary", () => {
  it.live("comes once a day at the chosen hour, by whichever process", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const chat = yield* startTeamChat()
        yield* Effect.promise(async () => {
          const us = await chat.tenant()
          await chat.connectSlack(us)
          const team = chat.slack.workspace.channel("team")
          const given = { channel: team.id, target: { type: "nobody" }, dailySummaryAt: "09:00" }
          const mapped = await chat.map(us, [given])
          assert.strictEqual(mapped.status, 200, JSON.stringify(mapped.body))
          assert.strictEqual((await chat.map(us, [{ ...given, dailySummaryAt: "25:00" }])).status, 400)
          await chat.rows(us, "UPDATE chat_mappings SET summary_due = now() - interval '1 minute' RETURNING place")
          const round = () => chat.run(Effect.flatMap(ChatPosts, (posts) => posts.summarize(Date.now())))
          await Promise.all([round(), round()])
          const told = () => chat.slack.workspace.messages.filter(({ channel }) => channel === team.id)
          await comesAbout("the summary is there", () => told().length > 0)
          await round()
          const [row] = await chat.rows(us, "SELECT summary_due > now() AS later FROM chat_mappings")
          assert.deepStrictEqual(row, { later: true })
          assert.lengthOf(told(), 1)
          assert.match(told()[0].text, /^📊 \*\d{4}-\d\d-\d\d\*\nConversations: 0 opened/)
        })
      })
    )
  )

  it("is due at the same time of day in the organization's time zone, also when the clocks change", () => {
    const zone = "America/New_York"
    const before = Date.parse("2026-10-31T15:00:00Z")
    const first = nextSummary("09:00", zone, before)
    assert.strictEqual(new Date(first).toISOString(), "2026-11-01T14:00:00.000Z")
    assert.strictEqual(new Date(nextSummary("09:00", zone, first)).toISOString(), "2026-11-02T14:00:00.000Z")
    const summer = nextSummary("09:00", zone, Date.parse("2026-10-30T20:00:00Z"))
    assert.strictEqual(new Date(summer).toISOString(), "2026-10-31T13:00:00.000Z")
    assert.strictEqual(summaryDay("09:00", zone, first), "2026-10-31")
    assert.strictEqual(summaryDay("18:30", zone, nextSummary("18:30", zone, before)), "2026-10-31")
  })
})

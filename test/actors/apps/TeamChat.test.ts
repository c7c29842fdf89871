/** A workspace of a simulated Slack: it is connected in a pop-up, its channels are mapped, what people write there becomes conversations, and answers go back. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import fc from "fast-check"
import { botUserId, type SlackMessage, teamId } from "../../../simulators/team-chat/SlackWorkspace.ts"
import { ConversationCommands } from "../../../src/domain/messaging/conversations/ConversationCommand.ts"
import { directCommands } from "../../support/directCommands.ts"
import { comesAbout } from "../../support/eventually.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { startTeamChat, type TeamChat } from "../../support/teamChat.ts"
import { newTextAgent, startModels } from "../../support/textAgents.ts"

playsInRealTime()

const story = (name: string, tell: (chat: TeamChat) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(startTeamChat(), (chat) => Effect.promise(() => tell(chat))).pipe(
      (told: Effect.Effect<void, unknown, Scope.Scope>) => Effect.scoped(Effect.orDie(told))
    )
  )

const people = { type: "people" }
type Tenant = Awaited<ReturnType<TeamChat["tenant"]>>

/** An organization with a channel that its people answer in. */
const furnished = async (chat: TeamChat) => {
  const us = await chat.tenant()
  const page = await chat.connectSlack(us)
  assert.strictEqual(page.status, 200, page.text)
  const channel = chat.slack.workspace.channel("support")
  const mapped = await chat.map(us, [{ channel: channel.id, target: people }])
  assert.strictEqual(mapped.status, 200, JSON.stringify(mapped.body))
  return { us, channel, page }
}

const answer = (chat: TeamChat, { organizationId }: Tenant, conversationId: string, text: string) =>
  chat.run(
    Effect.gen(function* () {
      const commands = yield* ConversationCommands
      return yield* commands.send(
        { organizationId, conversationId, type: "text", content: { text }, sentBy: "usr_ann" },
        Date.now()
      )
    }).pipe(Effect.provide(directCommands), Effect.orDie)
  )
const texts = (rows: ReadonlyArray<Record<string, unknown>>) =>
  rows.map(({ content }) => (content as { readonly text: string }).text)
const statusOf = async (chat: TeamChat, us: Tenant, at: number) => (await chat.messagesOf(us))[at]?.status
const flushed = async (chat: TeamChat, us: Tenant) => {
  await chat.slack.delivery.flush()
  await chat.heard(us)
}

describe("a workspace", () => {
  story("is connected in a pop-up that tells its opener, and says who answers in its channels", async (chat) => {
    const { us, channel, page } = await furnished(chat)
    assert.match(page.text, /postMessage/)
    assert.match(page.headers.get("content-security-policy") ?? "", /script-src 'sha256-/)
    assert.isTrue(await chat.slack.delivery.verifyUrl())
    const connection = await chat.connection(us, "slack")
    assert.deepInclude(connection, { state: "connected", account: { id: teamId, name: "Maple Books" } })
    assert.isTrue(channel.members.has(botUserId))
    chat.slack.workspace.channel("general")
    const hidden = chat.slack.workspace.channel("board", { isPrivate: true })
    const found = await chat.call(us, "GET", "/slack/channels?search=SUPP")
    assert.deepStrictEqual(found.body, {
      data: [{ id: channel.id, name: "support", isPrivate: false, isMember: true, isTaken: false }]
    })
    const uninvited = await chat.map(us, [{ channel: hidden.id, target: people }])
    assert.deepStrictEqual([uninvited.status, /invite it there/.test(String(uninvited.body.error))], [400, true])
    chat.slack.workspace.rename(channel, "help")
    chat.slack.workspace.archive(channel, true)
    await chat.slack.delivery.flush()
    const { body } = await chat.call(us, "GET", "/slack/mappings")
    const [mapping] = body.data as ReadonlyArray<Record<string, unknown>>
    assert.deepInclude(mapping, { channel: channel.id, name: "help", isArchived: true })
    assert.match(String(mapping.problem), /#help is archived/)
  })

  story("says why it is not connected when nobody is signed in, or the consent is not given", async (chat) => {
    const us = await chat.tenant()
    const stranger = await fetch(`${chat.world.base}/api/integrations/slack/connect`, { redirect: "manual" })
    assert.strictEqual(stranger.status, 401)
    chat.slack.behaviour.declines = true
    const page = await chat.connectSlack(us)
    assert.deepStrictEqual([page.status, /was not allowed into the workspace/.test(page.text)], [400, true])
    const poor = await chat.tenant({ plan: "STARTER" })
    const { status } = await chat.call(poor, "GET", "/slack/mappings")
    assert.strictEqual(status, 403)
    assert.strictEqual((await chat.call(us, "GET", "/slack/channels")).status, 404)
  })

  story("serves two organizations by channel, and neither sees what the other is told", async (chat) => {
    const { us, channel } = await furnished(chat)
    const them = await chat.tenant()
    await chat.connectSlack(them)
    const theirs = chat.slack.workspace.channel("orders")
    assert.strictEqual((await chat.map(them, [{ channel: channel.id, target: people }])).status, 409)
    assert.strictEqual((await chat.map(them, [{ channel: theirs.id, target: people }])).status, 200)
    const asha = chat.slack.workspace.person("Asha Rao", "asha@example.com")
    chat.slack.workspace.say(asha.id, channel.id, "for us")
    chat.slack.workspace.say(asha.id, theirs.id, "for them")
    await chat.slack.delivery.flush()
    await Promise.all([chat.heard(us), chat.heard(them)])
    assert.deepStrictEqual(texts(await chat.messagesOf(us)), ["for us"])
    assert.deepStrictEqual(texts(await chat.messagesOf(them)), ["for them"])
  })

  story(
    "renews its tokens, and disconnects with a sentence when the app is removed; connected again, its threads go on",
    async (chat) => {
      const { us, channel } = await furnished(chat)
      const asha = chat.slack.workspace.person("Asha Rao")
      const root = chat.slack.workspace.say(asha.id, channel.id, "Is my order there?")
      await flushed(chat, us)
      chat.slack.tokens.expireAll()
      assert.deepStrictEqual((await chat.call(us, "POST", "/slack/test")).body, { ok: true, problem: null })
      assert.strictEqual(chat.slack.tokens.refreshed, 1)
      chat.slack.uninstall()
      await chat.slack.delivery.flush()
      const failed = await comesAbout("it is disconnected", async () => {
        const connection = await chat.connection(us, "slack")
        return connection.state === "reconnect" && connection
      })
      assert.match(String(failed.problem), /Connect Slack again/)
      await chat.connectSlack(us)
      chat.slack.workspace.say(asha.id, channel.id, "Hello?", { threadTs: root.ts })
      await flushed(chat, us)
      assert.deepStrictEqual((await chat.connection(us, "slack")).state, "connected")
      assert.lengthOf(await chat.conversationsOf(us), 1)
      assert.deepStrictEqual(texts(await chat.messagesOf(us)), ["Is my order there?", "Hello?"])
    }
  )
})

describe("what is written there", () => {
  story(
    "becomes a conversation of its thread with who began it, found by the e-mail address; other authors are kept",
    async (chat) => {
      const { us, channel } = await furnished(chat)
      const { id: contactId } = await chat.contact(us, "Asha from WhatsApp")
      await chat.rows(us, `UPDATE contacts SET email = 'asha@example.com' WHERE id = '${contactId}' RETURNING id`)
      const asha = chat.slack.workspace.person("Asha Rao", "Asha@example.com")
      const ben = chat.slack.workspace.person("Ben")
      const root = chat.slack.workspace.say(asha.id, channel.id, `<@${botUserId}> the <https://a.example|shop> :tada:`)
      const reply = chat.slack.workspace.say(ben.id, channel.id, `<@${asha.id}> I look`, { threadTs: root.ts })
      chat.slack.workspace.edit(reply, "I looked")
      const gone = chat.slack.workspace.say(ben.id, channel.id, "wrong", { threadTs: root.ts })
      chat.slack.workspace.remove(gone)
      chat.slack.workspace.say(ben.id, channel.id, "another thread")
      await flushed(chat, us)
      const conversations = await chat.conversationsOf(us)
      assert.deepStrictEqual(
        conversations
          .map(({ channel: kind, name, channelId, threadId }) => ({ kind, name, channelId, threadId }))
          .slice(0, 1),
        [{ kind: "team_chat", name: "Asha from WhatsApp", channelId: channel.id, threadId: root.ts }]
      )
      const messages = await chat.messagesOf(us)
      assert.deepStrictEqual(texts(messages), [
        "@someone the shop (https://a.example) 🎉",
        "I looked",
        "",
        "another thread"
      ])
      const authors = messages.map(
        ({ content }) => (content as { readonly author: { readonly name: string } }).author.name
      )
      assert.deepStrictEqual(authors, ["Asha Rao", "Ben", "Ben", "Ben"])
      assert.strictEqual(chat.slack.received.filter(({ method }) => method.startsWith("conversations.re")).length, 0)
    }
  )

  story("is answered at once, refused with a wrong signature, and not kept where nobody has mapped", async (chat) => {
    const { us } = await furnished(chat)
    const elsewhere = chat.slack.workspace.channel("elsewhere", { withBot: true })
    chat.slack.workspace.say(chat.slack.workspace.person("Asha").id, elsewhere.id, "secret")
    const [{ body }] = chat.slack.delivery.waiting
    assert.strictEqual((await chat.slack.delivery.post(JSON.stringify(body), {}, Date.now(), "wrong"))?.status, 401)
    assert.strictEqual((await chat.slack.delivery.post(JSON.stringify(body), {}, Date.now() - 301_000))?.status, 401)
    await flushed(chat, us)
    assert.deepStrictEqual(await chat.rows(us, "SELECT id FROM app_arrivals"), [])
  })

  it.live("is one conversation with each message once, however its events are shuffled, doubled and late", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const chat = yield* startTeamChat()
        const { us, channel } = yield* Effect.promise(() => furnished(chat))
        const { workspace, delivery } = chat.slack
        const authors = [workspace.person("Asha"), workspace.person("Ben")]
        const action = fc.record({
          kind: fc.constantFrom("say", "say", "mention", "edit", "remove"),
          by: fc.nat(1),
          which: fc.nat(20)
        })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.array(action, { minLength: 1, maxLength: 8 }),
              fc.infiniteStream(fc.nat()),
              async (actions, dice) => {
                const roll = (below: number) => (dice.next().value ?? 0) % below
                const root = workspace.say(authors[0].id, channel.id, "root")
                const alive: Array<SlackMessage> = [root]
                for (const { kind, by, which } of actions) {
                  const text = kind === "mention" ? `<@${botUserId}> no ${which}` : `no ${which}`
                  const target = alive[which % alive.length]
                  if (kind === "edit") workspace.edit(target, `edited ${which}`)
                  else if (kind === "remove" && alive.length > 1 && target !== root) {
                    workspace.remove(target)
                    alive.splice(alive.indexOf(target), 1)
                  } else alive.push(workspace.say(authors[by].id, channel.id, text, { threadTs: root.ts }))
                }
                const events = delivery.waiting.splice(0)
                const doubled = [...events, ...events.filter(() => roll(3) === 0)]
                for (let at = doubled.length - 1; at > 0; at--) {
                  const other = roll(at + 1)
                  ;[doubled[at], doubled[other]] = [doubled[other], doubled[at]]
                }
                for (const event of doubled) assert.isTrue(await delivery.deliver(event))
                await chat.heard(us)
                const stored = (await chat.messagesOf(us)).filter(({ channelMessageId }) =>
                  alive.some(({ ts }) => channelMessageId === `${teamId}:${channel.id}:${ts}`)
                )
                const [conversation, another] = new Set(stored.map(({ conversationId }) => conversationId))
                assert.isUndefined(another)
                assert.lengthOf(stored, alive.length)
                assert.sameMembers(
                  texts(stored),
                  alive.map(({ text }) => text.replace(`<@${botUserId}>`, "@someone"))
                )
                const threads = (await chat.conversationsOf(us)).filter(({ threadId }) => threadId === root.ts)
                assert.deepStrictEqual(
                  threads.map(({ id, name }) => ({ id, name })),
                  [{ id: conversation, name: "Asha" }]
                )
                const all = (await chat.messagesOf(us)).filter(({ conversationId }) => conversationId === conversation)
                // What was deleted says nothing.
                const kept = new Set(stored.map(({ channelMessageId }) => channelMessageId))
                assert.deepStrictEqual(
                  texts(all.filter(({ channelMessageId }) => !kept.has(channelMessageId))).filter(
                    (text) => text !== ""
                  ),
                  []
                )
              }
            ),
            { numRuns: 8, endOnFailure: true }
          )
        )
      })
    )
  )
})

describe("an answer", () => {
  story("goes into the same thread once, is delivered by Slack's own word, and does not come back", async (chat) => {
    const { us, channel } = await furnished(chat)
    const asha = chat.slack.workspace.person("Asha")
    const root = chat.slack.workspace.say(asha.id, channel.id, "Is my order there?")
    await flushed(chat, us)
    const [{ id }] = await chat.conversationsOf(us)
    await answer(chat, us, String(id), "*Yes*, it is <here> & there.")
    await comesAbout("it is sent", async () => (await statusOf(chat, us, 1)) === "sent")
    const said = chat.slack.workspace.messages.at(-1)
    assert.deepStrictEqual([said?.text, said?.threadTs], ["*Yes*, it is &lt;here&gt; &amp; there.", root.ts])
    await flushed(chat, us)
    await comesAbout("it is delivered", async () => (await statusOf(chat, us, 1)) === "delivered")
    assert.lengthOf(await chat.messagesOf(us), 2)
  })

  story("of a colleague is sent to the conversation, and to no other that is none of team chat", async (chat) => {
    const { us, channel } = await furnished(chat)
    const root = chat.slack.workspace.say(chat.slack.workspace.person("Asha").id, channel.id, "Hello")
    await flushed(chat, us)
    const [{ id }] = await chat.conversationsOf(us)
    const send = (to: string) =>
      chat.call(us, "POST", "/api/messaging-api/send", { to, type: "text", text: "Hello Asha" })
    const sent = await send(String(id))
    assert.deepInclude(sent.body, { conversationId: id })
    await comesAbout("it is there", () => chat.slack.workspace.messages.at(-1)?.text === "Hello Asha")
    assert.strictEqual(chat.slack.workspace.messages.at(-1)?.threadTs, root.ts)
    const missing = await send("cnv_01KAJ300000000000000000000")
    assert.deepStrictEqual(
      [missing.status, /no conversation of team chat/.test(String(missing.body.error))],
      [404, true]
    )
  })

  story("whose answer was lost is not written twice: Slack tells that it is there", async (chat) => {
    const { us, channel } = await furnished(chat)
    chat.slack.workspace.say(chat.slack.workspace.person("Asha").id, channel.id, "Hello")
    await flushed(chat, us)
    const [{ id }] = await chat.conversationsOf(us)
    chat.slack.behaviour.lostAnswers = 1
    await answer(chat, us, String(id), "Hello Asha")
    const ours = () => chat.slack.workspace.messages.filter(({ user }) => user === botUserId)
    await comesAbout("it was written", () => ours().length === 1)
    await flushed(chat, us)
    await comesAbout("it is delivered", async () => (await statusOf(chat, us, 1)) === "delivered")
    assert.lengthOf(ours(), 1)
  })

  story("waits as long as Slack asks, and says why when Slack never takes it", async (chat) => {
    const { us, channel } = await furnished(chat)
    chat.slack.workspace.say(chat.slack.workspace.person("Asha").id, channel.id, "Hello")
    await flushed(chat, us)
    const [{ id }] = await chat.conversationsOf(us)
    chat.slack.limits.perMinute["chat.postMessage"] = 0
    chat.slack.limits.postsPerSecond = 0
    await answer(chat, us, String(id), "Hello Asha")
    await comesAbout("Slack was asked", () => chat.slack.received.some(({ method }) => method === "chat.postMessage"))
    chat.slack.limits.perMinute["chat.postMessage"] = 100
    chat.slack.limits.postsPerSecond = 100
    await comesAbout("it is sent", async () => (await statusOf(chat, us, 1)) === "sent", 60)
    const asked = chat.slack.received.filter(({ method }) => method === "chat.postMessage")
    assert.isAtLeast(asked[1].at - asked[0].at, 900)
    chat.slack.workspace.archive(channel, true)
    await answer(chat, us, String(id), "Are you there?")
    await comesAbout("it has failed", async () => (await statusOf(chat, us, 2)) === "failed")
    assert.match(String((await chat.messagesOf(us))[2].failureReason), /archived/)
  })

  it.live("of a text agent goes to a direct message and to the thread of its channel, and people take the others", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const models = yield* startModels({})
        const chat = yield* startTeamChat({ models })
        yield* Effect.promise(async () => {
          const us = await chat.tenant()
          await chat.connectSlack(us)
          const agent = await chat.run(Effect.orDie(newTextAgent(us.organizationId)))
          const channel = chat.slack.workspace.channel("questions")
          const desk = chat.slack.workspace.channel("desk")
          const target = { type: "agent", agentId: agent.id }
          const mapped = await chat.map(us, [
            { channel: channel.id, target },
            { channel: "direct", target },
            { channel: desk.id, target: people }
          ])
          assert.strictEqual(mapped.status, 200, JSON.stringify(mapped.body))
          const asha = chat.slack.workspace.person("Asha")
          const root = chat.slack.workspace.say(asha.id, channel.id, "What time do you open?")
          const direct = chat.slack.workspace.direct(asha.id)
          chat.slack.workspace.say(asha.id, direct.id, "stop")
          chat.slack.workspace.say(asha.id, desk.id, "Where is Ben?")
          await flushed(chat, us)
          const ours = () => chat.slack.workspace.messages.filter(({ user }) => user === botUserId)
          await comesAbout("both are answered", () => ours().length === 2)
          const shown = chat.slack.received.filter(({ method }) => method === "assistant.threads.setStatus")
          assert.deepInclude(shown[0]?.given, { channel_id: channel.id, thread_ts: root.ts })
          assert.sameDeepMembers(
            ours().map((message) => ({ channel: message.channel, threadTs: message.threadTs })),
            [
              { channel: channel.id, threadTs: root.ts },
              { channel: direct.id, threadTs: undefined }
            ]
          )
          await flushed(chat, us)
          assert.lengthOf(ours(), 2)
          const owners = await chat.conversationsOf(us)
          assert.strictEqual(owners.filter(({ assignedBotId }) => assignedBotId === agent.id).length, 2)
        })
      })
    )
  )
})

/** Conversations of WhatsApp and calls in a channel of a simulated Slack: each is one thread, in which people take, answer and resolve it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { botUserId, type SlackMessage, type SlackPerson } from "../../../simulators/team-chat/SlackWorkspace.ts"
import { ChannelRefused } from "../../../src/domain/messaging/channel/MessagingChannel.ts"
import { Conversations } from "../../../src/domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../../src/domain/messaging/conversations/ConversationCommand.ts"
import { Users } from "../../../src/domain/people/access/User.ts"
import { Calls } from "../../../src/domain/voice/calls/records/CallRecord.ts"
import { TestChannel } from "../../support/channel.ts"
import { directCommands } from "../../support/directCommands.ts"
import { comesAbout } from "../../support/eventually.ts"
import { png } from "../../support/mediaSamples.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { startTeamChat, type TeamChat } from "../../support/teamChat.ts"

playsInRealTime()

type Tenant = Awaited<ReturnType<TeamChat["tenant"]>>

const story = (name: string, tell: (chat: TeamChat, channel: TestChannel) => Promise<void>) =>
  it.live(name, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const channel = new TestChannel()
        const chat = yield* startTeamChat({ channel: channel.layer })
        yield* Effect.promise(() => tell(chat, channel))
      })
    )
  )

/** An organization with a channel for conversations that wait for people, two colleagues in it, and somebody else. */
const furnished = async (chat: TeamChat) => {
  const us = await chat.tenant()
  await chat.connectSlack(us)
  const { workspace } = chat.slack
  const place = workspace.channel("customers")
  const mapped = await chat.map(us, [{ channel: place.id, target: { type: "queue" } }])
  assert.strictEqual(mapped.status, 200, JSON.stringify(mapped.body))
  const colleague = async (name: string) => {
    const email = `${name.toLowerCase()}@${us.organizationId.toLowerCase().replace("_", "-")}.example.com`
    const { organizationId } = us
    const { id } = await chat.run(
      Effect.flatMap(Users, (users) => Effect.orDie(users.create({ organizationId, email, name, role: "AGENT" })))
    )
    return { ...workspace.person(name, email.toUpperCase()), userId: id }
  }
  const [ben, cleo] = [await colleague("Ben"), await colleague("Cleo")]
  return { us, place, ben, cleo, zoe: workspace.person("Zoe", "zoe@elsewhere.example.com") }
}

/** A contact writes to the organization's number. */
const writes = (chat: TeamChat, { organizationId }: Tenant, contactId: string, text: string) =>
  chat.run(
    Effect.gen(function* () {
      const conversationId = yield* (yield* Conversations).answering(organizationId, contactId, "messaging")
      const message = { organizationId, conversationId, type: "text", content: { text } } as const
      yield* (yield* ConversationCommands).receive({ ...message, channelMessageId: `wamid.${text}` }, Date.now())
      return conversationId
    }).pipe(Effect.provide(directCommands), Effect.orDie)
  )

const ours = (chat: TeamChat) => chat.slack.workspace.messages.filter(({ user }) => user === botUserId)
const cardOf = (chat: TeamChat) =>
  comesAbout("its card is there", () => ours(chat).find(({ threadTs }) => threadTs === undefined))
const cardSays = (chat: TeamChat, words: RegExp) =>
  comesAbout(`the card says ${words}`, () =>
    ours(chat).some(({ threadTs, text }) => threadTs === undefined && words.test(text))
  )
const lines = (chat: TeamChat, card: SlackMessage) =>
  ours(chat)
    .filter(({ threadTs }) => threadTs === card.ts)
    .map(({ text }) => text)
const buttons = (chat: TeamChat, card: SlackMessage) => {
  const shown = chat.slack.workspace.messages.find(({ ts }) => ts === card.ts)
  const blocks = (shown?.blocks ?? []) as ReadonlyArray<{
    readonly elements?: ReadonlyArray<{ readonly text: { readonly text: string } }>
  }>
  return blocks.flatMap(({ elements = [] }) => elements.map(({ text }) => text.text))
}
const whispered = (chat: TeamChat, to: SlackPerson, words: RegExp) =>
  comesAbout(`${to.name} is told ${words}`, () =>
    chat.slack.workspace.whispers.some(({ user, text }) => user === to.id && words.test(text))
  )
const conversation = async (chat: TeamChat, us: Tenant) =>
  (await chat.rows(us, "SELECT status, assigned_user_id FROM conversations WHERE channel = 'messaging'"))[0]

describe("a conversation of WhatsApp that waits for people", () => {
  story(
    "is one thread: taken by one of two who press at once, answered from there, seen there, resolved, and comes back into it",
    async (chat, channel) => {
      const { us, place, ben, cleo } = await furnished(chat)
      const { workspace } = chat.slack
      const asha = await chat.contact(us, "Asha Rao")
      await writes(chat, us, asha.id, "Where is my order?")
      const card = await cardOf(chat)
      assert.strictEqual(card.channel, place.id)
      assert.match(card.text, /^\*Asha Rao\* · WhatsApp · \+1415\d+\n“Where is my order\?”\n⏳ Waits for a colleague/)
      assert.deepStrictEqual(buttons(chat, card), ["Take", "Resolve"])
      await comesAbout("the thread has the question", () =>
        lines(chat, card).includes("*Asha Rao*: Where is my order?")
      )

      // Both press at the same moment, and Ben's is told twice.
      const taken = await Promise.all([
        chat.slack.press(ben.id, card, "parley_take", 2),
        chat.slack.press(cleo.id, card, "parley_take")
      ])
      assert.deepStrictEqual(taken.flat(), [true, true, true])
      const held = await comesAbout("somebody has it", async () => {
        const { assignedUserId: holder } = (await conversation(chat, us)) ?? {}
        return holder !== null && [ben, cleo].find(({ userId }) => userId === holder)
      })
      const other = held.id === ben.id ? cleo : ben
      await whispered(chat, other, new RegExp(`^${held.name} has this conversation`))
      await cardSays(chat, new RegExp(`👤 ${held.name} has it`))
      assert.deepStrictEqual(buttons(chat, card), ["Resolve"])

      const answer = workspace.say(held.id, place.id, "It comes *tomorrow* :truck:", { threadTs: card.ts })
      workspace.say(other.id, place.id, "Tell her about the weather", { threadTs: card.ts })
      workspace.say(other.id, place.id, "Lunch, anybody?")
      await chat.slack.delivery.flush()
      await comesAbout("the answer goes to the contact", () => channel.texts().includes("It comes *tomorrow* 🚚"))
      await whispered(chat, other, /has this conversation/)
      // WhatsApp changes no message: only who wrote it is told so.
      workspace.edit(answer, "It comes on Friday")
      await chat.slack.delivery.flush()
      await whispered(chat, held, /still has what you wrote first/)
      workspace.remove(answer)
      await chat.slack.delivery.flush()
      await whispered(chat, held, /still has what you deleted/)
      await writes(chat, us, asha.id, "Thank you!")
      await comesAbout("what she writes appears", () => lines(chat, card).includes("*Asha Rao*: Thank you!"))

      await chat.slack.press(held.id, card, "parley_resolve")
      await cardSays(chat, /✅ Resolved/)
      assert.strictEqual((await conversation(chat, us))?.status, "RESOLVED")
      workspace.say(held.id, place.id, "One more thing", { threadTs: card.ts })
      await chat.slack.delivery.flush()
      await whispered(chat, held, /is resolved: what you wrote was not sent/)

      await writes(chat, us, asha.id, "It did not come")
      await comesAbout("she is back in her thread", () => lines(chat, card).includes("*Asha Rao*: It did not come"))
      await comesAbout("the channel is told", () => lines(chat, card).includes("🔔 Asha Rao waits again."))
      await cardSays(chat, /⏳ Waits/)
      await chat.slack.delivery.flush()
      await chat.heard(us)
      assert.lengthOf(
        ours(chat).filter(({ threadTs }) => threadTs === undefined),
        1
      )
      assert.deepStrictEqual(channel.texts(), ["It comes *tomorrow* 🚚"])
      assert.deepStrictEqual(lines(chat, card), [
        ...["*Asha Rao*: Where is my order?", "*Asha Rao*: Thank you!"],
        ...["*Asha Rao*: It did not come", "🔔 Asha Rao waits again."]
      ])
    }
  )

  story(
    "gets what was written as it is now when Slack tells of an edit first, and nothing of what it tells was deleted",
    async (chat, channel) => {
      const { us, place, ben } = await furnished(chat)
      const { workspace, delivery } = chat.slack
      const asha = await chat.contact(us, "Asha Rao")
      await writes(chat, us, asha.id, "When does it come?")
      const card = await cardOf(chat)
      await chat.slack.press(ben.id, card, "parley_take")
      await cardSays(chat, /👤 Ben has it/)
      await delivery.flush()
      const writing = (text: string) => {
        const message = workspace.say(ben.id, place.id, text, { threadTs: card.ts })
        return { message, said: delivery.waiting.splice(0) }
      }
      const toldLate = async (said: ReturnType<typeof writing>["said"]) => {
        await delivery.flush()
        await chat.heard(us)
        for (const envelope of said) assert.isTrue(await delivery.deliver(envelope))
        await chat.heard(us)
      }

      const edited = writing("It comes on Mondy")
      workspace.edit(edited.message, "It comes on Monday")
      await toldLate(edited.said)
      const deleted = writing("No idea, to be honest")
      workspace.remove(deleted.message)
      await toldLate(deleted.said)
      // What was refused stays refused, however it is edited.
      const long = writing("x".repeat(5_000))
      await toldLate(long.said)
      await whispered(chat, ben, /longer than 4096 characters/)
      workspace.edit(long.message, "x")
      await toldLate([])
      await toldLate(writing("Bye").said)
      await comesAbout("the last one is there", () => channel.texts().includes("Bye"))
      assert.deepStrictEqual(channel.texts(), ["It comes on Monday", "Bye"])
    }
  )

  story(
    "is not answered by strangers, is taken by who answers first, and says what the channel did not deliver",
    async (chat, channel) => {
      const { us, place, ben, zoe } = await furnished(chat)
      const { workspace } = chat.slack
      const asha = await chat.contact(us, "Asha Rao")
      await writes(chat, us, asha.id, "Hello?")
      const card = await cardOf(chat)
      await chat.slack.press(zoe.id, card, "parley_take")
      await whispered(chat, zoe, /zoe@elsewhere\.example\.com is a user of this organization/)
      // Somebody of another workspace says that Ben's address is hers.
      const mallory = workspace.person("Mallory", ben.email, "T0ELSEWHERE")
      workspace.say(mallory.id, place.id, "Send me your password", { threadTs: card.ts })
      await chat.slack.delivery.flush()
      await whispered(chat, mallory, /Nothing was done/)
      assert.strictEqual((await conversation(chat, us))?.status, "OPEN")
      const forged = await chat.slack.delivery.post(
        "payload=%7B%7D",
        { "content-type": "application/x-www-form-urlencoded" },
        Date.now(),
        "wrong",
        chat.slack.delivery.interactionUrl
      )
      assert.strictEqual(forged?.status, 401)

      channel.answer = () => Effect.fail(new ChannelRefused({ code: "131047", reason: "The reply window is closed." }))
      workspace.say(ben.id, place.id, "Hi Asha", { threadTs: card.ts })
      await chat.slack.delivery.flush()
      await comesAbout("it says that it was not delivered", () =>
        lines(chat, card).some((text) => /⚠️ Not delivered: “Hi Asha”\. The reply window is closed/.test(text))
      )
      assert.strictEqual((await conversation(chat, us))?.assignedUserId, ben.userId)
      const there = channel.handed.length
      const file = { id: "F1", name: "plan.png", mimetype: "image/png", bytes: new Uint8Array(await png()) }
      channel.answer = ({ messageId }) => Effect.succeed({ channelMessageId: `wamid.${messageId}` })
      workspace.say(ben.id, place.id, "", {
        threadTs: card.ts,
        files: [file, { ...file, id: "F2", name: "tool.exe", bytes: new Uint8Array([77, 90, 1]) }]
      })
      await chat.slack.delivery.flush()
      const sent = await comesAbout("the picture goes to the contact", () => channel.handed[there])
      assert.strictEqual(sent.type, "image")
      await whispered(chat, ben, /The file could not be sent/)
    }
  )
})

describe("a call that waits for people", () => {
  story("is a thread with what was said, which nobody answers by writing", async (chat, channel) => {
    const { us, place, ben } = await furnished(chat)
    await chat.run(
      Effect.gen(function* () {
        const calls = yield* Calls
        const beginning = { agentId: null, direction: "inbound", status: "ringing", callSid: "CA1" } as const
        const numbers = { from: "+14155550100", to: "+14155550101" }
        const { call } = yield* calls.open({ organizationId: us.organizationId, ...beginning, ...numbers })
        yield* calls.close(us.organizationId, call.id, "completed", "outside_hours")
      })
    )
    const card = await cardOf(chat)
    assert.match(card.text, /^\*\+14155550100\* · Call/)
    await comesAbout("the thread has the call", () =>
      lines(chat, card).some((text) => /📞 Called .* · outside hours/.test(text))
    )
    chat.slack.workspace.say(ben.id, place.id, "I call her", { threadTs: card.ts })
    await chat.slack.delivery.flush()
    await whispered(chat, ben, /This was a call/)
    assert.deepStrictEqual(channel.handed, [])
  })
})

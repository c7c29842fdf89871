/**
 * `parley demo --team-chat`: a (simulated) Slack workspace is connected in a pop-up. Somebody asks in a channel, and a text agent answers in the thread; somebody
 * writes to people, and a colleague answers. A customer writes on WhatsApp: a colleague takes that in a channel of Slack, and answers from its thread.
 */
import { randomInt } from "node:crypto"
import { Console, Effect, Option, Redacted } from "effect"
import type { Script } from "../../../simulators/language-model/Script.ts"
import {
  type SlackSimulator,
  signingSecret,
  slackClient,
  start as startSlack
} from "../../../simulators/team-chat/Slack.ts"
import { botUserId } from "../../../simulators/team-chat/SlackWorkspace.ts"
import type { Settings } from "../../config/Environment.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { ApiKeys } from "../../domain/people/access/ApiKey.ts"
import { Users } from "../../domain/people/access/User.ts"
import { UserSessions } from "../../domain/people/access/UserSession.ts"
import { tokenHash } from "../../integrations/secrets/TokenHash.ts"
import { connectNumber } from "./channelNumber.ts"
import { type DemoOptions, keepRunning } from "./converse.ts"
import { type Stage, setStage } from "./stage.ts"
import { type Access, ask, DemoFailed, made } from "./support/rest.ts"
import { until } from "./support/until.ts"

const facts = "We open at nine, and close at six."
const colleague = "I look after it, Ben."
const wish = "Can you put The Overstory aside for me?"
const promise = "It is at the desk under your name."
const script: Script = [{ when: /open/i, reply: facts }]

const addressOf = (organizationId: string) => `ann@${organizationId.toLowerCase().replace("_", "-")}.example.com`

/** An OWNER of the organization, signed in: the cookie of the browser. */
const signedIn = Effect.fnUntraced(function* (organizationId: string) {
  const email = addressOf(organizationId)
  const person = { organizationId, email, name: "Ann", role: "OWNER" as const }
  const { id } = yield* Effect.orDie((yield* Users).create(person))
  const session = yield* (yield* UserSessions).start({ user: { ...person, id }, passwordMark: tokenHash("") })
  return session === undefined ? yield* new DemoFailed({ message: "Nobody could sign in." }) : session.cookie
})

/** Opens an address in the person's browser, and follows it to the provider and back. Gives the last page. */
const popUp = (baseUrl: string, cookie: string) =>
  Effect.promise(async () => {
    const browse = (url: string) =>
      fetch(url, { redirect: "manual", headers: url.startsWith(baseUrl) ? { cookie: `parley_session=${cookie}` } : {} })
    let answer = await browse(`${baseUrl}/api/integrations/slack/connect`)
    for (let location = answer.headers.get("location"); location !== null; location = answer.headers.get("location"))
      answer = await browse(location)
    return { status: answer.status, text: await answer.text() }
  })

interface Desk extends Access {
  readonly say: (line: string) => Effect.Effect<void>
  readonly slack: SlackSimulator
  /** The channel that shows who waits. */
  readonly channelId: string
  readonly stage: Pick<Stage, "world">
  /** Of Ann, in Slack as here. */
  readonly email: string
}

/** A customer writes on WhatsApp, and Ann answers from the thread in Slack. */
const answerCustomer = Effect.fnUntraced(function* ({ say, slack, channelId, stage, email, ...access }: Desk) {
  const { channel } = stage.world
  const phoneNumberId = yield* connectNumber({ ...access, channel })
  const asha = { waId: `1415555${String(randomInt(10_000)).padStart(4, "0")}`, name: "Asha Rao" }
  const write = (body: string) => channel.write(phoneNumberId, asha, { type: "text", text: { body } })
  const { workspace } = slack
  const ann = workspace.person("Ann", email)
  const ours = () => workspace.messages.filter((message) => message.channel === channelId && message.user === botUserId)
  const comes = <A>(what: string, find: () => A | undefined) => until(what, 60, Effect.sync(find))
  write(wish)
  const card = yield* comes("The conversation did not come into #customers", () =>
    ours().find(({ threadTs }) => threadTs === undefined)
  )
  yield* say(`#customers\n  ${card.text.split("\n").slice(0, 3).join("\n  ")}\n    [Take] [Resolve]`)
  yield* Effect.promise(() => slack.press(ann.id, card, "parley_take"))
  yield* comes("Ann could not take the conversation", () => ours().find(({ text }) => /Ann has it/.test(text)))
  workspace.say(ann.id, channelId, promise, { threadTs: card.ts })
  yield* comes("The answer did not reach WhatsApp", () =>
    channel.sent.find((message) => JSON.stringify(message).includes(promise))
  )
  yield* say(`    ↳ Ann: ${promise}`)
  write("Thank you!")
  const thanks = yield* comes("The customer's answer did not come into the thread", () =>
    ours().find(({ threadTs, text }) => threadTs === card.ts && text.includes("Thank you!"))
  )
  yield* say(`    ↳ Parley: ${thanks.text}`)
  yield* Effect.promise(() => slack.press(ann.id, card, "parley_resolve"))
  yield* comes("Ann could not resolve the conversation", () => ours().find(({ text }) => /✅ Resolved/.test(text)))
  yield* say("  ✅ Resolved\n")
})

export const teamChat = traced("Demo.teamChat")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service, and a Slack workspace …")
  const slack = yield* Effect.acquireRelease(
    Effect.promise(() => startSlack()),
    ({ close }) => Effect.promise(close)
  )
  const app = {
    ...settings.slack,
    baseUrl: slack.url,
    clientId: Option.some(slackClient.id),
    clientSecret: Option.some(Redacted.make(slackClient.secret)),
    signingSecret: Option.some(Redacted.make(signingSecret))
  }
  const stage = yield* setStage({ ...settings, slack: app }, {}, {}, script)
  const { organizationId } = stage.tenant
  yield* Effect.gen(function* () {
    const scopes = ["admin", "agents:write", "conversations:read", "messages:read", "messages:send"] as const
    const { secret } = yield* (yield* ApiKeys).create({ organizationId, name: "set-up", scopes })
    const access = { baseUrl: stage.baseUrl, key: secret }
    const page = yield* popUp(stage.baseUrl, yield* signedIn(organizationId))
    if (page.status !== 200) return yield* new DemoFailed({ message: `Slack was not connected: ${page.text}` })
    slack.delivery.requestUrl = `${stage.baseUrl}/api/integrations/slack/events`
    slack.delivery.interactionUrl = `${stage.baseUrl}/api/integrations/slack/interactions`
    slack.delivery.live = true
    const agentId = yield* made(access, "/api/ai-agents", {
      name: "Opening hours",
      systemPrompt: "You answer questions of colleagues. Be short.",
      answers: "never"
    })
    const { workspace } = slack
    const [questions, help, customers] = ["questions", "help", "customers"].map((name) => workspace.channel(name))
    yield* ask(access, "PUT", "/api/integrations/slack/mappings", {
      mappings: [
        { channel: questions.id, target: { type: "agent", agentId } },
        { channel: help.id, target: { type: "people" } },
        { channel: customers.id, target: { type: "queue" }, alerts: ["sla", "integrations", "usage", "providers"] }
      ]
    })
    yield* say(
      "Maple Books is connected: #questions is answered by an agent, #help by people, and #customers shows who waits on WhatsApp.\n"
    )
    const [asha, ben] = [workspace.person("Asha", "asha@example.com"), workspace.person("Ben")]
    const question = workspace.say(asha.id, questions.id, `<@${botUserId}> when do you open tomorrow?`)
    const answerIn = (threadTs: string) =>
      Effect.sync(() =>
        workspace.messages.find((message) => message.user === botUserId && message.threadTs === threadTs)
      )
    const answer = yield* until("The agent did not answer in the thread", 60, answerIn(question.ts))
    yield* say(`#questions\n  Asha: when do you open tomorrow?\n    ↳ Parley: ${answer.text}\n`)

    const plea = workspace.say(ben.id, help.id, "The printer is on fire :fire:")
    const find = Effect.map(ask(access, "GET", "/api/messaging-api/messages?limit=50"), ({ data }) =>
      (data as ReadonlyArray<{ readonly conversationId: string; readonly content: { readonly text: string } }>).find(
        ({ content }) => content.text === "The printer is on fire 🔥"
      )
    )
    const { conversationId } = yield* until("What was written in #help did not come", 60, find)
    yield* ask(access, "POST", "/api/messaging-api/send", { to: conversationId, type: "text", text: colleague })
    const reply = yield* until("The colleague's answer did not reach the thread", 60, answerIn(plea.ts))
    yield* say(`#help\n  Ben: The printer is on fire 🔥\n    ↳ Parley: ${reply.text}\n`)
    const delivered = Effect.map(ask(access, "GET", "/api/messaging-api/messages?limit=50"), ({ data }) => {
      const seen = data as ReadonlyArray<{
        readonly channel: string
        readonly direction: string
        readonly status: string
      }>
      const ours = seen.filter(({ channel, direction }) => channel === "team_chat" && direction === "outbound")
      return ours.length > 0 && ours.every(({ status }) => status === "delivered") ? seen : undefined
    })
    const seen = yield* until("Slack has not told that the answers are there", 60, delivered)
    const theirs = seen.filter(({ channel, direction }) => channel === "team_chat" && direction === "inbound")
    if (theirs.length !== 2)
      return yield* new DemoFailed({ message: `There are ${theirs.length} messages of people, and not two.` })
    yield* answerCustomer({ ...access, say, slack, channelId: customers.id, stage, email: addressOf(organizationId) })
    yield* options.json
      ? Console.log(JSON.stringify({ messages: seen }))
      : say("Each message is there once. All is well.")
    if (options.keep) yield* keepRunning(access, [{ path: "/api/messaging-api/chats" }, { path: "/api/events" }])
  }).pipe(Effect.provide(stage.services))
})

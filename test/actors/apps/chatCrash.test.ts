/** The process that reads and writes a team chat is killed between any two of its steps: every message is there once, in both directions. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { slackClient, start } from "../../../simulators/team-chat/Slack.ts"
import { botUserId, teamId } from "../../../simulators/team-chat/SlackWorkspace.ts"
import { AppConnections } from "../../../src/domain/apps/AppConnection.ts"
import { ArrivalQueue } from "../../../src/domain/apps/ArrivalQueue.ts"
import { ChatMappings } from "../../../src/domain/apps/chat/ChatMapping.ts"
import { ChatPosts } from "../../../src/domain/apps/chat/ChatPost.ts"
import { Conversations } from "../../../src/domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../../src/domain/messaging/conversations/ConversationCommand.ts"
import { Messages } from "../../../src/domain/messaging/conversations/Message.ts"
import { Contacts } from "../../../src/domain/people/contacts/Contact.ts"
import { type Step, startChat, steps, store } from "../../support/chatService.ts"
import { directCommands } from "../../support/directCommands.ts"
import { eventually } from "../../support/eventually.ts"
import { killedAtSteps } from "../../support/killedAtSteps.ts"
import { newStores, storesOf, variablesOf } from "../../support/stores.ts"
import { newOrganization } from "../../support/tenants.ts"

const wishes = ["Hello?", "Is somebody there?", "Where is my order?"]
const questions = ["Who has the key?", "It is not on the hook", "Found it"]

/** A token of the simulated workspace, without an end. */
const tokenOf = async (url: string) => {
  const scope = "chat:write,users:read,channels:read,files:write"
  const query = new URLSearchParams({
    client_id: slackClient.id,
    scope,
    redirect_uri: "https://parley.example/cb",
    state: "s"
  })
  const agreed = await fetch(`${url}/oauth/v2/authorize?${query}`, { redirect: "manual" })
  const code = new URL(agreed.headers.get("location") ?? "").searchParams.get("code") ?? ""
  const form = {
    client_id: slackClient.id,
    client_secret: slackClient.secret,
    code,
    redirect_uri: "https://parley.example/cb"
  }
  const answer = await fetch(`${url}/api/oauth.v2.access`, { method: "POST", body: new URLSearchParams(form) })
  return String(((await answer.json()) as { access_token?: string }).access_token)
}

/** A connected workspace in which everything was written before anybody reads or tells it. */
const office = Effect.gen(function* () {
  const slack = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  slack.behaviour.rotates = false
  const accessToken = yield* Effect.promise(() => tokenOf(slack.url))
  const { workspace, delivery } = slack
  const [team, customers] = ["team", "customers"].map((name) => workspace.channel(name, { withBot: true }))
  const environment = yield* newStores
  const connection = yield* Effect.gen(function* () {
    const { id: organizationId } = yield* newOrganization({ plan: "PRO" })
    const connections = yield* AppConnections
    const credentials = { teamId, botUserId, accessToken }
    const given = { credentials, settings: {}, webhookToken: null, account: { id: teamId, name: "Maple Books" } }
    const { id } = yield* connections.save(organizationId, "slack", given, Date.now())
    const channel = ({ id: place, name }: typeof team) => ({
      id: place,
      name,
      isPrivate: false,
      isArchived: false,
      isMember: true
    })
    const mapping = (of: typeof team, type: "people" | "queue") => ({
      ...{ place: of.id, channel: channel(of), target: { type }, alerts: [], dailySummaryAt: null }
    })
    yield* (yield* ChatMappings).replace(
      organizationId,
      teamId,
      [mapping(team, "people"), mapping(customers, "queue")],
      Date.now() - 1_000
    )
    const asha = yield* (yield* Contacts).create(organizationId, { phone: "+14155550100", name: "Asha" }, "key_test")
    const conversationId = yield* (yield* Conversations).answering(organizationId, asha.id, "messaging")
    const commands = yield* ConversationCommands
    for (const text of wishes)
      yield* commands.receive(
        { organizationId, conversationId, type: "text", content: { text }, channelMessageId: `wamid.${text}` },
        Date.now()
      )
    const ben = workspace.person("Ben")
    const root = workspace.say(ben.id, team.id, questions[0])
    for (const text of questions.slice(1)) workspace.say(ben.id, team.id, text, { threadTs: root.ts })
    yield* store({ organizationId, id }, delivery.waiting)
    return { organizationId, id }
  }).pipe(Effect.provide(directCommands), Effect.provide(storesOf(environment)), Effect.orDie)
  return { slack, environment, connection, customers, variables: { ...variablesOf(environment), SLACK_URL: slack.url } }
})
type Office = Effect.Success<typeof office>

const what: Readonly<Record<Step, string>> = {
  heard: "has each message once when it is killed before it has read what was written",
  absorbed: "has each message once when it is killed with what it has stored not known to be stored",
  read: "writes each line once when it is killed after it has read the events",
  claimed: "writes each line once when it is killed before it has asked Slack",
  written: "writes each line once when it is killed with the answer of Slack not stored",
  settled: "writes each line once when it is killed after it has stored an answer"
}

describe("a team chat", () =>
  killedAtSteps<Step, Office, Office>(steps, {
    ...{ program: "chatProcess.ts", what, make: () => office, variables: ({ variables }) => variables },
    begin: Effect.succeed,
    tell: Effect.fnUntraced(function* ({ slack, environment, connection, customers }) {
      const { organizationId } = connection
      const ours = () => slack.workspace.messages.filter(({ user }) => user === botUserId)
      /** Slack tells everything, and what it has told before once more. */
      const tellAll = store(connection, slack.delivery.waiting)
      const stores = storesOf(environment)
      const written = Effect.flatMap(Messages, (messages) => messages.list(organizationId, {}, { page: 1, limit: 50 }))
      yield* Effect.provide(tellAll, stores)
      yield* startChat(environment, slack.url, { in: true, out: false })
      const waiting = Effect.flatMap(ArrivalQueue, (queue) => queue.due(Date.now() + 60_000, [], 10))
      yield* eventually(
        "all is read",
        Effect.map(Effect.provide(waiting, stores), (due) => due.length === 0),
        60
      )
      yield* startChat(environment, slack.url, { in: false, out: true })
      yield* eventually("all is written", async () => ours().length >= 1 + wishes.length, 60)
      const unwritten = Effect.flatMap(ChatPosts, (posts) => posts.due(Date.now() + 3_600_000, [], 10))
      yield* eventually(
        "nothing is left",
        Effect.map(Effect.provide(unwritten, stores), (due) => due.length === 0),
        60
      )
      const [card, ...lines] = ours()
      assert.strictEqual(card?.channel, customers.id)
      assert.deepStrictEqual(
        lines.map(({ text, threadTs }) => [text, threadTs]),
        wishes.map((text) => [`*Asha*: ${text}`, card?.ts])
      )
      const { data } = yield* Effect.provide(written, stores)
      const said = data.filter(({ channel }) => channel === "team_chat").map(({ content }) => String(content.text))
      assert.sameMembers(said, questions)
      assert.lengthOf(said, questions.length)
    })
  }))

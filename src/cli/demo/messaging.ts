/**
 * `parley demo --messaging`: a contact writes and speaks, and an agent answers with what its tool and its knowledge base say. Then a colleague writes over REST, and
 * the status of that message changes until it is read. The channel is simulated.
 */
import { randomInt } from "node:crypto"
import { join } from "node:path"
import { Console, Effect, Layer, Option } from "effect"
import { start as startChannel } from "../../../simulators/channel/CloudApi.ts"
import type { Script } from "../../../simulators/language-model/Script.ts"
import { speak } from "../../../simulators/voice/Voice.ts"
import { voiceNote } from "../../../simulators/voice/VoiceNote.ts"
import { start as startSimulators } from "../../../simulators/World.ts"
import type { Settings } from "../../config/Environment.ts"
import { traced } from "../../domain/basics/Traced.ts"
import type { Message } from "../../domain/messaging/conversations/Message.ts"
import { ApiKeys } from "../../domain/people/access/ApiKey.ts"
import { Organizations } from "../../domain/people/organizations/Organization.ts"
import { freePort } from "../../integrations/web/FreePort.ts"
import * as Server from "../../wiring/Server.ts"
import { connectNumber } from "./channelNumber.ts"
import { type DemoOptions, keepRunning } from "./converse.ts"
import { createKnowledge } from "./knowledge.ts"
import { orderTool } from "./organization.ts"
import { answering, onLoopback } from "./simulated.ts"
import { orderService } from "./stage.ts"
import { ask, DemoFailed, made } from "./support/rest.ts"
import { until } from "./support/until.ts"

const lines = {
  order: "Hi! Where is my order 427?",
  returns: "And can I return a book?",
  colleague: "I have put a note into your parcel, Asha. Ben"
} as const

/** What the agent can only know from its tool, and from its knowledge base. */
const facts = { order: /on its way/, returns: /within 30 days with the receipt/ }

const script: Script = [
  {
    when: /order/i,
    tool: { name: "order_status", arguments: { order: "427" } },
    reply: (result) =>
      result.includes("in transit") ? "It is on its way, and arrives on Tuesday." : "I cannot find that order just now."
  },
  {
    when: /return/i,
    tool: { name: "search_knowledge", arguments: { query: "Can I return a book?" } },
    reply: (result) =>
      facts.returns.test(result) ? "Yes, within 30 days with the receipt." : "I am sorry, I do not know that."
  }
]

const scoped = <A>(make: () => Promise<A>, close: (made: A) => Promise<void>) =>
  Effect.acquireRelease(Effect.promise(make), (made) => Effect.promise(() => close(made)))

/** What the contact does not write, but says in a voice message. */
const spoken = Effect.promise(() => speak(lines.returns, "en-US"))

/** Starts the service on loopback with a simulated channel, and creates an organization with an API key. */
const setStage = Effect.fnUntraced(function* (settings: Settings) {
  const bank = [yield* spoken]
  const world = yield* scoped(
    () => startSimulators({ script, bank }),
    (simulators) => simulators.close()
  )
  const channel = yield* scoped(
    () => startChannel({ statuses: ["sent", "delivered", "read"], statusEveryMs: 150, enforceWindow: true }),
    (simulator) => simulator.close()
  )
  const [port, telephonePort] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
  const own = onLoopback(settings, world, port, telephonePort)
  const services = yield* Layer.build(
    Server.all({
      ...own,
      dataDir: join(settings.dataDir, "demo"),
      messaging: { ...settings.messaging, baseUrl: Option.some(channel.url) }
    })
  )
  const baseUrl = `http://127.0.0.1:${port}`
  const { organization, key } = yield* Effect.gen(function* () {
    const made = yield* (yield* Organizations).create({
      ...{ name: "Maple Books", plan: "PREMIUM", timeZone: "America/Los_Angeles" }
    })
    const scopes = [
      "admin",
      "contacts:read",
      "conversations:read",
      "messages:read",
      "messages:send",
      "status:read",
      "knowledge:read",
      "knowledge:write",
      "agents:write"
    ] as const
    const { secret } = yield* (yield* ApiKeys).create({ organizationId: made.id, name: "demo", scopes })
    return { organization: made, key: secret }
  }).pipe(Effect.provide(services))
  const { url: orders } = yield* orderService
  const access = { baseUrl, key }
  yield* made(access, "/api/ai-agents", {
    name: "Maple Books assistant",
    systemPrompt: "You answer messages for Maple Books, a bookshop. Be short and friendly.",
    answers: "always",
    tools: [orderTool(orders)],
    knowledgeBases: [yield* createKnowledge(access)]
  })
  return { channel, organization, ...access }
})

type Stage = Effect.Success<ReturnType<typeof setStage>>

/** The organization's messages, oldest first, once `good` accepts them. */
const messages = (stage: Stage, what: string, good: (seen: ReadonlyArray<Message>) => boolean) =>
  until(
    what,
    20,
    Effect.map(ask(stage, "GET", "/api/messaging-api/messages?limit=50"), ({ data }) => {
      const seen = (data as ReadonlyArray<Message>).toReversed()
      return good(seen) ? seen : undefined
    })
  )

const clock = (time: string | null) => (time === null ? "-" : time.slice(11, 23))

/** One row per message; each column is as wide as its longest cell. */
const table = (seen: ReadonlyArray<Message>): string => {
  const rows = seen.map(({ direction, content, status, createdAt, sentAt, deliveredAt, readAt }) => [
    direction === "inbound" ? "Asha" : "Maple Books",
    String(content.text ?? `(voice) ${content.transcript}`).replaceAll(/\s+/g, " "),
    status,
    ...[createdAt, sentAt, deliveredAt, readAt].map(clock)
  ])
  const all = [["from", "text", "status", "stored", "sent", "delivered", "read"], ...rows]
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

export const messaging = traced("Demo.messaging")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service and a simulated messaging channel …")
  const stage = yield* setStage(settings)
  const phoneNumberId = yield* connectNumber(stage)
  const status = yield* ask(stage, "GET", "/api/messaging-api/status")
  yield* say(`${stage.organization.name} is connected as ${status.phoneNumber}.\n`)
  const asha = { waId: `1415555${String(randomInt(10_000)).padStart(4, "0")}`, userId: "US.1349", name: "Asha Rao" }
  const write = (body: string) => stage.channel.write(phoneNumberId, asha, { type: "text", text: { body } })
  const answered = (fact: RegExp) => (all: ReadonlyArray<Message>) =>
    all.some(({ direction, content }) => direction === "outbound" && fact.test(String(content.text)))
  write(lines.order)
  yield* messages(stage, "The agent did not answer with what its tool says", answered(facts.order))
  const bytes = voiceNote(yield* spoken)
  stage.channel.writeFile(phoneNumberId, asha, "audio", { mimeType: "audio/ogg; codecs=opus", bytes })
  yield* messages(stage, "The agent did not answer with what its knowledge base says", answered(facts.returns))
  const colleague = { to: `+${asha.waId}`, type: "text", text: lines.colleague }
  const { messageId } = yield* ask(stage, "POST", "/api/messaging-api/send", colleague)
  const seen = yield* messages(stage, "The colleague's message was not read", (all) =>
    all.some((message) => message.id === messageId && message.status === "read")
  )
  if (seen.length !== 5) return yield* new DemoFailed({ message: `There are ${seen.length} messages, and not five.` })
  const times = stage.channel.timesSent(String(messageId))
  if (times !== 1) return yield* new DemoFailed({ message: `The colleague's message was handed over ${times} times.` })
  yield* options.json ? Console.log(JSON.stringify({ messages: seen })) : say(`${table(seen)}\n\nAll is well.`)
  if (!options.keep) return
  yield* Effect.forkScoped(answering(stage.channel))
  yield* keepRunning(stage, [
    { path: "/api/messaging-api/chats" },
    { path: "/api/messaging-api/messages?limit=5" },
    { path: "/api/messaging-api/send", body: { to: `+${asha.waId}`, type: "text", text: "We close at six today." } },
    { path: "/api/events" }
  ])
})

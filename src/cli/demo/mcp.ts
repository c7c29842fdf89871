/**
 * `parley demo --mcp`: MCP in both directions. An agent answers a caller with what an external MCP server says, which a person has approved before. Then an
 * assistant finds an unhappy caller over our own MCP server, and writes to that person.
 */
import { Clock, Console, Effect, Schema } from "effect"
import type { Script } from "../../../simulators/language-model/Script.ts"
import * as McpServer from "../../../simulators/mcp/McpServer.ts"
import type { Settings } from "../../config/Environment.ts"
import { ShownMcpServer } from "../../domain/ai/tools/McpServer.ts"
import { dayAt } from "../../domain/basics/Calendar.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { ApiKeys } from "../../domain/people/access/ApiKey.ts"
import { Calls } from "../../domain/voice/calls/records/CallRecord.ts"
import { apology, assist, assistantRule, taskOf } from "./assistant.ts"
import { connectNumber } from "./channelNumber.ts"
import { aboutCalls, converse, type DemoOptions, type Expectation, keepRunning, speaks } from "./converse.ts"
import { complaintsOf, unlessHeard } from "./report.ts"
import { type Stage, setStage } from "./stage.ts"
import { ask, DemoFailed } from "./support/rest.ts"
import { until } from "./support/until.ts"

const lines = {
  parcel: "Where is my parcel, please?",
  thanks: "Thank you, that is very helpful.",
  late: "My order is three days late and nobody calls me back."
} as const

const unhappyCaller = "+14155550177"

const tool: McpServer.SimulatedTool = {
  name: "track_parcel",
  description: "Says where a parcel is.",
  inputSchema: {
    type: "object",
    properties: { parcel: { type: "object", properties: { number: { type: "string" } }, required: ["number"] } },
    required: ["parcel"]
  },
  run: () => McpServer.text("In Oakland, and delivered tomorrow.")
}

const script: Script = [
  assistantRule,
  {
    when: /parcel/i,
    tool: { name: "parcels_track_parcel", arguments: { parcel: { number: "42" } } },
    reply: (result) =>
      result.includes("Oakland") ? "Your parcel is in Oakland, and comes tomorrow." : "I cannot find your parcel now."
  },
  { when: /late/i, reply: "I am sorry. I will tell a colleague." },
  { when: /thank you/i, reply: "You are welcome. Goodbye." }
]

const expected: Expectation = {
  complaints: (report) =>
    complaintsOf(report, [
      unlessHeard(report, [lines.parcel, lines.thanks]),
      [report.toolCalls === 1, `${report.toolCalls} tools were called`],
      [report.transcript.some(({ text }) => text.includes("Oakland")), "the agent did not say what the server said"]
    ]),
  ending: "The agent answered with what the MCP server said."
}

const parcels = Effect.acquireRelease(
  Effect.promise(() => McpServer.start({ tools: [tool], token: "parcels-token" })),
  ({ close }) => Effect.promise(close)
)

type Lines = keyof typeof lines

/** An agent uses a tool of an external server while it speaks with a caller. */
const useExternal = Effect.fnUntraced(function* (stage: Stage<Lines>, options: DemoOptions, admin: string) {
  const say = options.json ? () => Effect.void : Console.log
  const { agentId, calledNumber } = stage.tenant
  const server = yield* parcels
  const access = { baseUrl: stage.baseUrl, key: admin }
  const added = yield* ask(access, "POST", "/api/mcp-servers", {
    name: "Parcels",
    url: server.url,
    auth: { type: "token", token: "parcels-token" }
  })
  const { id, tools } = yield* Effect.orDie(Schema.decodeUnknownEffect(ShownMcpServer)(added))
  yield* say(`An MCP server is added. It offers: ${tools.map(({ name, status }) => `${name} (${status})`).join(", ")}.`)
  const chosen = tools.map(({ name, hash }) => ({ name, hash }))
  yield* ask(access, "POST", `/api/mcp-servers/${id}/approve`, { tools: chosen })
  yield* ask(access, "PUT", `/api/voice-agents/${agentId}`, {
    tools: tools.map(({ name, agentToolName }) => ({
      name: agentToolName,
      handler: { type: "mcp", serverId: id, tool: name }
    }))
  })
  yield* say(`A person approves it, and the agent may use it. A caller phones ${calledNumber}.\n`)
  const call = stage.call(speaks(stage, ["parcel", "thanks"]))
  yield* converse(stage, { ...options, keep: false }, call, expected)
}, Effect.scoped)

/** Somebody who wrote this morning phones, and is not happy. */
const complain = Effect.fnUntraced(function* (stage: Stage<Lines>, admin: string) {
  const access = { baseUrl: stage.baseUrl, key: admin }
  const phoneNumberId = yield* connectNumber({ ...access, channel: stage.world.channel })
  const asha = { waId: unhappyCaller.slice(1), name: "Asha Rao" }
  stage.world.channel.write(phoneNumberId, asha, { type: "text", text: { body: "I will phone you about my order." } })
  yield* until(
    "What the contact wrote did not arrive",
    20,
    Effect.map(ask(access, "GET", "/api/messaging-api/messages?limit=1"), ({ total }) =>
      total === 1 ? true : undefined
    )
  )
  yield* stage.call(speaks(stage, ["late"]), unhappyCaller)
  const { organizationId, agentId } = stage.tenant
  const calls = yield* Calls
  const newest = Effect.map(calls.list(organizationId, 1, 1, { agentId }), ({ data: [call] }) =>
    call.from === unhappyCaller && call.endReason !== null ? true : undefined
  )
  yield* until("The end of the second call was not recorded", 5, newest)
})

/** An assistant finds the call, reads it, and writes to the caller. */
const writeToCaller = Effect.fnUntraced(function* (stage: Stage<Lines>, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  const { organizationId, organization } = stage.tenant
  const { secret: key } = yield* (yield* ApiKeys).create({
    organizationId,
    name: "assistant",
    scopes: ["mcp", "voice:read", "messages:send"]
  })
  const task = taskOf(dayAt(yield* Clock.currentTimeMillis, organization.timeZone))
  yield* say(`\nA person tells an assistant: ${task}`)
  const said = yield* assist({
    ...{ key, task },
    model: stage.world.languageModel.url,
    mcp: `${stage.baseUrl}/api/mcp`,
    shows: (name, args, result) => say(`  ${name}(${args})\n${result.replace(/^/gm, "    ")}`)
  })
  yield* say(`The assistant: ${said}`)
  yield* until(
    "The message of the assistant did not reach the caller",
    20,
    Effect.sync(() => (stage.world.channel.sent.some(({ to }) => `+${to}` === unhappyCaller) ? true : undefined))
  )
  const sent = stage.world.channel.sent.map(({ to, body }) => [to, JSON.stringify(body)] as const)
  const [message] = sent
  if (sent.length !== 1 || !message[1].includes(apology))
    return yield* new DemoFailed({ message: `The channel got other messages than the assistant's: ${sent.join("; ")}` })
  yield* say(`\nThe caller has the message: "${apology}" All is well.`)
}, Effect.scoped)

export const mcp = traced("Demo.mcp")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service and the world around it …")
  const stage = yield* setStage(settings, lines, {}, script)
  const { organizationId, agentId, key } = stage.tenant
  yield* Effect.gen(function* () {
    const { secret: admin } = yield* (yield* ApiKeys).create({
      organizationId,
      name: "set-up",
      scopes: ["admin", "voice:write", "messages:read"]
    })
    yield* useExternal(stage, options, admin)
    yield* say(`\nSomebody else phones, and is not happy: "${lines.late}"`)
    yield* complain(stage, admin)
    yield* writeToCaller(stage, options)
    if (options.keep) yield* keepRunning({ baseUrl: stage.baseUrl, key }, aboutCalls(agentId))
  }).pipe(Effect.provide(stage.services))
})

/**
 * Plays conversations of an evaluation as telephone calls (`parley eval --voice`): what the contact says is spoken over the media stream, and recognised, and what the
 * agent says is synthesized, by the simulators. The model and the filter are those of the settings. Everything between is the real service.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Layer, Schema, Semaphore } from "effect"
import { readBody } from "../../../simulators/support/Loopback.ts"
import type { CallerApi } from "../../../simulators/telephone/Caller.ts"
import { speak } from "../../../simulators/voice/Voice.ts"
import { start as startSimulators } from "../../../simulators/World.ts"
import type { Settings } from "../../config/Environment.ts"
import type { ToolDefinition } from "../../domain/ai/tools/Tool.ts"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import type { TextAgentSettings } from "../../domain/messaging/agents/TextAgent.ts"
import {
  type EvalConversation,
  type EvalStep,
  type GivenAnswers,
  textsOf
} from "../../domain/messaging/rehearsal/EvalConversation.ts"
import { Calls, type Utterance } from "../../domain/voice/calls/records/CallRecord.ts"
import { freePort } from "../../integrations/web/FreePort.ts"
import * as Server from "../../wiring/Server.ts"
import { createTenant, humanNumber } from "./organization.ts"
import { onLoopback, telephoneNetwork } from "./simulated.ts"
import { until } from "./support/until.ts"

/** A conversation that cannot be spoken. */
export class Unspeakable extends Schema.TaggedError<Unspeakable>()("Unspeakable", { message: Schema.String }) {}

interface Called {
  readonly turn: number
  readonly name: string
  readonly arguments: string
  readonly result: string
}

/** The call that is being played: which turn is spoken, and what tools were called. */
class Playing {
  turn = -1
  readonly called: Array<Called> = []
  readonly answers: GivenAnswers
  constructor(answers: GivenAnswers) {
    this.answers = answers
  }
}

const longestCallMs = 240_000
/** Nobody is kept waiting, so a busy machine turns no call away. Milliseconds. */
const maxLatenessMs = 10_000
const textOf = ({ contact }: EvalStep): string => textsOf(contact).join(" ")

/** A server that answers tools with what the file says. `lookUp` answers `search_knowledge` where the file does not. */
const toolServer = (current: () => Playing | undefined, lookUp: (question: string) => Promise<string | undefined>) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer(async (request, response) => {
        const playing = current()
        const name = decodeURIComponent(request.url?.slice(1) ?? "")
        const input = await readBody(request)
        const given = playing?.answers[name]
        const answer =
          given === undefined && name === "search_knowledge" ? await lookUp(String(JSON.parse(input).query)) : given
        const result = typeof answer === "string" ? answer : JSON.stringify(answer)
        playing?.called.push({ turn: playing.turn, name, arguments: input, result: result ?? "" })
        response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" })
        response.end(answer === undefined ? "" : JSON.stringify(answer))
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** Tools that would ask somebody outside get their answer from the file; the others are those of chats. */
const spokenTools = (tools: ReadonlyArray<ToolDefinition>, url: string) =>
  tools.flatMap((tool) =>
    tool.handler?.type === "builtin" && tool.handler.name !== "search_knowledge"
      ? []
      : [{ ...tool, handler: { type: "http", method: "POST", url: `${url}/${encodeURIComponent(tool.name)}` } }]
  )

/** The voice agent with these settings. */
const agentOf = (settings: TextAgentSettings, toolsUrl: string) => {
  const isEnglish = settings.language.startsWith("en")
  return {
    name: settings.name,
    welcomeMessage: "Hello.",
    ...(isEnglish ? {} : { voiceFamily: "indic", voiceId: "anushka" }),
    primaryLanguage: settings.language,
    systemPrompt: settings.systemPrompt,
    escalationPhrases: settings.escalationPhrases,
    fallbackLine: settings.fallbackLine,
    humanDestination: humanNumber,
    silence: { promptAfterSeconds: 30, maxPrompts: 2, promptText: "Are you still there?", goodbyeText: "Goodbye." },
    tools: spokenTools(settings.tools, toolsUrl)
  }
}

/** What the agent said after each turn. Their order tells it: on a busy machine the clocks of the line and of the call differ. */
const answersIn = (utterances: ReadonlyArray<Utterance>): ReadonlyArray<ReadonlyArray<string>> => {
  const answers: Array<Array<string>> = []
  let isCaller = false
  for (const { role, text } of utterances) {
    // The recogniser may divide what was said at a pause.
    if (role === "caller" && !isCaller) answers.push([])
    if (role === "agent") answers.at(-1)?.push(text)
    isCaller = role === "caller"
  }
  return answers
}

const handedOver: ReadonlySet<string | null> = new Set(["transferred", "queued_for_human", "moderation"])

/** Starts the service and the world around it, for the life of the scope. Gives a function that plays one conversation; they are played one after the other. */
export const makeSpokenRehearsal = Effect.fnUntraced(function* (
  settings: Settings,
  lookUp?: (question: string) => Effect.Effect<string>
) {
  const world = yield* Effect.acquireRelease(
    Effect.promise(() => startSimulators({})),
    (started) => Effect.promise(() => started.close())
  )
  let playing: Playing | undefined
  const tools = yield* toolServer(
    () => playing,
    (question) => (lookUp === undefined ? Promise.resolve(undefined) : Effect.runPromise(lookUp(question)))
  )
  const [port, telephonePort] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
  const { reasoning, moderation } = settings
  const own = { ...onLoopback(settings, world, port, telephonePort), reasoning, moderation, maxLatenessMs }
  const services = yield* Effect.mapError(
    Layer.build(Server.all(own)),
    (cause) => new Unspeakable({ message: `The service for the calls does not start: ${messageOf(cause)}` })
  )
  const baseUrl = `http://127.0.0.1:${port}`
  const oneCall = yield* Semaphore.make(1)

  const spoken = Effect.fnUntraced(function* (text: string, language: string) {
    const speech = yield* Effect.promise(() => speak(text, language))
    world.speechToText.learn(speech)
    return speech.samples
  })

  const play = Effect.fnUntraced(
    function* (agent: TextAgentSettings, given: GivenAnswers, conversation: EvalConversation) {
      const { name, turns } = conversation
      if (turns.some((step) => textOf(step) === ""))
        return yield* new Unspeakable({ message: `"${name}": in a call only turns of the contact can be played.` })
      const lines = yield* Effect.forEach(turns, (step) => spoken(textOf(step), agent.language))
      const current = new Playing({ ...given, ...conversation.tools })
      playing = current
      const tenant = yield* createTenant(baseUrl, tools.url, agentOf(agent, tools.url))
      const network = yield* telephoneNetwork(baseUrl, tenant, telephonePort)
      const caller = async (line: CallerApi) => {
        await line.waitForAgentToFinish()
        for (const samples of lines) {
          current.turn++
          await line.say(samples)
          await line.waitForAgentToFinish(1_200, 30_000)
        }
        line.hangUp()
      }
      yield* Effect.tryPromise({
        try: () => network.call({ from: "+14155550100", to: tenant.calledNumber, caller, maxMs: longestCallMs }),
        catch: (cause) => new Unspeakable({ message: `"${name}": the call failed: ${cause}` })
      })
      const calls = yield* Calls
      const call = yield* until(
        `"${name}": the call's end was not recorded`,
        20,
        Effect.map(calls.list(tenant.organizationId, 1, 1, { agentId: tenant.agentId }), ({ data: [one] }) =>
          one === undefined || one.endReason === null ? undefined : one
        )
      )
      const utterances = yield* calls.utterances(tenant.organizationId, call.id)
      playing = undefined
      const answers = answersIn(utterances)
      return turns.map((step, turn) => {
        const said = answers[turn] ?? []
        const isLast = turn === current.turn
        const outcome =
          isLast && handedOver.has(call.endReason) ? "handed_over" : said.length === 0 ? "silent" : "answered"
        const called = current.called.filter((one) => one.turn === turn)
        return { step, said, tools: called, outcome, spokeOver: false } as const
      })
    },
    (effect) => oneCall.withPermits(1)(Effect.scoped(Effect.provide(effect, services)))
  )
  return play
})

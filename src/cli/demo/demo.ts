/** `parley demo`: the main job on embedded defaults. A caller who speaks phones an agent; everything between is the real service. */
import { mkdir, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { Console, Effect, Layer } from "effect"
import { freePort } from "../../../simulators/Loopback.ts"
import type { CallResult } from "../../../simulators/telephone/CallResult.ts"
import * as Telephone from "../../../simulators/telephone/TelephoneNetwork.ts"
import { speak } from "../../../simulators/voice/Voice.ts"
import { start as startSimulators } from "../../../simulators/World.ts"
import * as Mulaw from "../../audio/Mulaw.ts"
import { encodeWav } from "../../audio/Wav.ts"
import type { Settings } from "../../Config.ts"
import { Calls } from "../../domain/CallRecord.ts"
import * as Server from "../../Server.ts"
import { script as callerScript, type Speech } from "./caller.ts"
import { language, lines, script } from "./dialogue.ts"
import { createTenant, DemoFailed, humanNumber } from "./organization.ts"
import { complaints, liveLine, makeReport, summary } from "./report.ts"
import { onLoopback } from "./simulated.ts"

export interface DemoOptions {
  readonly json: boolean
  readonly keep: boolean
}

/** The shop's order service: what the agent's tool asks. */
const orderService = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ order: "427", status: "in transit", arrives: "Tuesday" }))
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/orders`, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const synthesizeCaller = Effect.promise(async () => {
  const entries = Object.entries(lines).map(async ([name, text]) => [name, await speak(text, language)] as const)
  return Object.fromEntries(await Promise.all(entries)) as Speech
})

const startWorld = (speech: Speech) =>
  Effect.acquireRelease(
    Effect.promise(() => startSimulators({ bank: Object.values(speech), script })),
    (world) => Effect.promise(() => world.close())
  )

/** Prints the conversation as it is recorded. */
const follow = Effect.fnUntraced(function* (organizationId: string, agentId: string) {
  const calls = yield* Calls
  let printed = 0
  let callerEndedMs: number | undefined
  while (true) {
    yield* Effect.sleep("250 millis")
    const call = (yield* calls.listByAgent(organizationId, agentId, 1, 1)).data[0]
    if (call === undefined) continue
    const utterances = yield* calls.utterances(organizationId, call.id)
    for (const utterance of utterances.slice(printed)) {
      yield* Console.log(liveLine(utterance, utterance.role === "agent" ? callerEndedMs : undefined))
      callerEndedMs = utterance.role === "caller" ? utterance.endMs : undefined
      printed++
    }
  }
})

const saveRecording = (dataDir: string, callId: string, result: CallResult) =>
  Effect.promise(async () => {
    const folder = join(dataDir, "recordings")
    await mkdir(folder, { recursive: true })
    const file = join(folder, `${callId}.wav`)
    await writeFile(file, encodeWav([Mulaw.decode(result.said), Mulaw.decode(result.heard)], 8_000))
    return file
  })

/** The call's record once its end has been stored. */
const finishedCall = Effect.fnUntraced(function* (organizationId: string, agentId: string) {
  const calls = yield* Calls
  for (let attempt = 0; attempt < 50; attempt++) {
    const call = (yield* calls.listByAgent(organizationId, agentId, 1, 1)).data[0]
    if (call !== undefined && call.endReason !== null)
      return { call, utterances: yield* calls.utterances(organizationId, call.id) }
    yield* Effect.sleep("100 millis")
  }
  return yield* new DemoFailed({ message: "The call's end was not recorded within 5 seconds." })
})

const keepRunning = (baseUrl: string, key: string, agentId: string) =>
  Console.log(
    [
      "",
      `The service keeps running at ${baseUrl} (Ctrl-C ends it). API reference: ${baseUrl}/docs`,
      "Try:",
      `  curl -s ${baseUrl}/healthz`,
      `  curl -s -H 'Authorization: Bearer ${key}' ${baseUrl}/api/voice-agents`,
      `  curl -s -H 'Authorization: Bearer ${key}' ${baseUrl}/api/voice-agents/${agentId}/calls`
    ].join("\n")
  ).pipe(Effect.andThen(Effect.never))

export const demo = Effect.fn("Demo.run")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service and the world around it …")
  const speech = yield* synthesizeCaller
  const world = yield* startWorld(speech)
  const orders = yield* orderService
  const port = yield* Effect.promise(freePort)
  const telephonePort = yield* Effect.promise(freePort)
  const own: Settings = {
    ...onLoopback(settings, world, port, telephonePort),
    dataDir: join(settings.dataDir, "demo")
  }
  const baseUrl = `http://127.0.0.1:${port}`
  const services = yield* Layer.build(Server.all(own))

  yield* Effect.gen(function* () {
    const { organizationId, agentId, key, accountSid, authToken, organization, calledNumber } = yield* createTenant(
      baseUrl,
      orders.url
    )
    const network = yield* Effect.acquireRelease(
      Effect.promise(() =>
        Telephone.start({
          accountSid,
          authToken,
          webhookUrl: `${baseUrl}/api/webhooks/telephony/voice`,
          dial: (url) => url.replace(/^wss:/, "ws:"),
          port: telephonePort
        })
      ),
      (telephone) => Effect.promise(() => telephone.close())
    )
    yield* say(`A caller phones ${calledNumber}.\n`)
    if (!options.json) yield* Effect.forkScoped(follow(organizationId, agentId))
    const result = yield* Effect.tryPromise({
      try: () => network.call({ from: "+14155550100", to: calledNumber, caller: callerScript(speech), maxMs: 90_000 }),
      catch: (cause) => new DemoFailed({ message: `The call failed: ${cause}` })
    })
    const { call, utterances } = yield* finishedCall(organizationId, agentId)
    yield* Effect.sleep("300 millis")
    const recording = yield* saveRecording(own.dataDir, call.id, result)
    const report = makeReport(call, utterances, result, organization.disclosureText, recording)
    yield* options.json ? Console.log(JSON.stringify(report)) : say(summary(report, call))
    const wrong = complaints(report, Object.values(lines))
    if (wrong.length > 0) return yield* new DemoFailed({ message: `The call went wrong: ${wrong.join("; ")}.` })
    yield* say(`\nTransferred to ${humanNumber}. All is well.`)
    if (options.keep) yield* keepRunning(baseUrl, key, agentId)
  }).pipe(Effect.provide(services))
})

/** `demo --survive`: the engine of a call is killed in mid-sentence, and the caller goes on talking. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { Console, Effect, Layer, Option, Schedule } from "effect"
import { speak } from "../../../simulators/voice/Voice.ts"
import { start as startSimulators } from "../../../simulators/World.ts"
import type { Settings } from "../../config/Environment.ts"
import { environmentOf } from "../../config/EnvironmentOf.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { Calls } from "../../domain/voice/calls/records/CallRecord.ts"
import * as EmbeddedPostgres from "../../integrations/postgres/database/EmbeddedPostgres.ts"
import { freePort } from "../../integrations/web/FreePort.ts"
import { storage } from "../../wiring/Storage.ts"
import { language } from "./dialogue.ts"
import { createTenant } from "./organization.ts"
import { onLoopback, telephoneNetwork } from "./simulated.ts"
import { DemoFailed } from "./support/rest.ts"
import { until } from "./support/until.ts"

const lines = { hours: "What are your opening hours?", friday: "And what about next Friday?" }
const script = [
  {
    when: /opening hours/i,
    reply:
      "We are open from nine to six, Monday to Saturday. On Sundays we open at ten. During the holidays our hours change."
  },
  { when: /friday/i, reply: "On Friday we are open from nine to six, as usual." }
]

/** Quiet after which the caller believes that the agent has finished, of an agent that has just begun anew. Milliseconds. */
const patientMs = 2_000

/** The service in processes of its own, of which one can be killed. */
const startService = (settings: Settings) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [...process.execArgv, process.argv[1], "serve", "--sound", "process"], {
        env: { ...process.env, ...environmentOf(settings), NODE_ENV: "development" },
        stdio: ["ignore", "pipe", "pipe"]
      })
      const output: Array<string> = []
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => output.push(chunk.toString()))
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
      return { child, ended, log: () => stripVTControlCharacters(output.join("")) }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        if (isRunning(child)) child.kill("SIGTERM")
        return ended
      })
  )

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

/** The process ids of the engines that were started, in order. */
const engines = (log: string): ReadonlyArray<number> =>
  [...log.matchAll(/worker started\D+1\D+(\d+)/g)].map(([, pid]) => Number(pid))

const answers = (baseUrl: string) =>
  Effect.promise(() =>
    fetch(`${baseUrl}/readyz`).then(
      ({ status }) => (status === 200 ? true : undefined),
      () => undefined
    )
  )

export const survive = traced("Demo.survive")(function* (settings: Settings, options: { readonly json: boolean }) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service and the world around it …")
  const [hours, friday] = yield* Effect.promise(() =>
    Promise.all([speak(lines.hours, language), speak(lines.friday, language)])
  )
  const world = yield* Effect.acquireRelease(
    Effect.promise(() => startSimulators({ bank: [hours, friday], script })),
    ({ close }) => Effect.promise(close)
  )
  const dataDir = join(settings.dataDir, "demo")
  const database = yield* Layer.build(EmbeddedPostgres.layer({ dataDir: join(dataDir, "postgres") }))
  const { url } = yield* Effect.provide(EmbeddedPostgres.EmbeddedPostgres, database)
  const [port, mediaPort, telephonePort] = yield* Effect.promise(() =>
    Promise.all([freePort(), freePort(), freePort()])
  )
  const own: Settings = {
    ...onLoopback(settings, world, port, telephonePort),
    dataDir,
    databaseUrl: Option.some(url),
    mediaPort: Option.some(mediaPort),
    streamUrl: Option.some(`wss://127.0.0.1:${mediaPort}/media`)
  }
  const baseUrl = `http://127.0.0.1:${port}`
  const service = yield* startService(own)
  yield* until("The service did not start", 60, answers(baseUrl))
  const services = yield* Layer.build(storage(own))
  const tenant = yield* createTenant(baseUrl, `${baseUrl}/healthz`, {
    silence: { promptAfterSeconds: 30, maxPrompts: 1, promptText: "Are you still there?", goodbyeText: "Goodbye." }
  }).pipe(Effect.provide(services))
  const network = yield* telephoneNetwork(baseUrl, tenant, telephonePort)

  yield* say(`A caller phones ${tenant.calledNumber}.\n`)
  let killedAt = 0
  let answeredAt = 0
  const phone = Effect.tryPromise({
    try: () =>
      network.call({
        from: "+14155550100",
        to: tenant.calledNumber,
        maxMs: 150_000,
        caller: async (caller) => {
          await caller.waitForAgentToFinish()
          await caller.say(hours.samples)
          await caller.waitForAgentToSpeak()
          await caller.sleep(1_500)
          const [engine] = engines(service.log())
          process.kill(engine, "SIGKILL")
          killedAt = performance.now()
          await caller.waitForAgentToFinish()
          await caller.say(friday.samples)
          await caller.waitForAgentToSpeak(60_000)
          answeredAt = performance.now()
          await caller.waitForAgentToFinish(patientMs)
          caller.hangUp()
        }
      }),
    catch: (cause) => new DemoFailed({ message: `The call failed: ${cause}` })
  })
  // An engine takes no calls for some seconds after its start, which makes it late.
  const result = yield* Effect.repeat(phone, {
    until: ({ endedBy }) => endedBy !== "reject",
    schedule: Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(20)])
  })
  const { organizationId, agentId } = tenant
  const told = Effect.gen(function* () {
    const calls = yield* Calls
    const [call] = (yield* calls.list(organizationId, 1, 1, { agentId })).data
    if (call === undefined || call.endReason === null) return undefined
    return { call, utterances: yield* calls.utterances(organizationId, call.id) }
  })
  const { call, utterances } = yield* until("The call's end was not recorded", 20, Effect.provide(told, services))
  const transcript = utterances.map(({ role, text }) => `${role === "agent" ? "agent " : "caller"} ${text}`)
  const [killed, next] = engines(service.log())
  const heard = transcript.join(" ")
  const once = [lines.hours, lines.friday, "During the holidays our hours change.", "as usual."].filter(
    (text) => heard.split(text).length !== 2
  )
  if (options.json) yield* Console.log(JSON.stringify({ transcript, killed, next, endReason: call.endReason }))
  else
    yield* Console.log(
      [
        ...transcript,
        "",
        `The engine (process ${killed}) was killed in the middle of the first answer; process ${next} took the call.`,
        `The second question was answered ${((answeredAt - killedAt) / 1_000).toFixed(1)} s after that. The call ended by: ${result.endedBy}.`
      ].join("\n")
    )
  if (result.endedBy !== "caller" || call.endReason !== "caller_hangup" || once.length > 0)
    return yield* new DemoFailed({
      message: `The call did not survive: it ended by ${result.endedBy} (${call.endReason}). Not said exactly once: ${once.join(" | ")}\n${service.log().slice(-3_000)}`
    })
})

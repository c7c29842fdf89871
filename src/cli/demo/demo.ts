/** `parley demo`: the main job on embedded defaults. A caller who speaks phones an agent; everything between is the real service. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Console, Effect } from "effect"
import type { CallResult } from "../../../simulators/telephone/CallResult.ts"
import * as Mulaw from "../../audio/Mulaw.ts"
import type { Settings } from "../../Config.ts"
import { Calls } from "../../domain/CallRecord.ts"
import { encodeWav } from "../../domain/Wav.ts"
import { script as callerScript } from "./caller.ts"
import { lines } from "./dialogue.ts"
import { DemoFailed, humanNumber } from "./organization.ts"
import { complaintsOf, type DemoReport, liveLine, makeReport, summary, unlessHeard } from "./report.ts"
import { type Stage, setStage } from "./stage.ts"

export interface DemoOptions {
  readonly json: boolean
  readonly keep: boolean
}

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

/** What a call should have been, and what is said when it was. */
export interface Expectation {
  readonly complaints: (report: DemoReport) => ReadonlyArray<string>
  readonly ending: string
}

/** Follows one call on the stage from its beginning to its report. `call` has it made. */
export const converse = Effect.fn("Demo.converse")(function* <E, R>(
  stage: Stage,
  options: DemoOptions,
  call: Effect.Effect<CallResult, E, R>,
  { complaints, ending }: Expectation
) {
  const say = options.json ? () => Effect.void : Console.log
  const { organizationId, agentId, key, organization } = stage.tenant
  if (!options.json) yield* Effect.forkScoped(follow(organizationId, agentId))
  const result = yield* call
  const { call: record, utterances } = yield* finishedCall(organizationId, agentId)
  yield* Effect.sleep("300 millis")
  const recording = yield* saveRecording(stage.dataDir, record.id, result)
  const report = makeReport(record, utterances, result, organization.disclosureText, recording)
  yield* options.json ? Console.log(JSON.stringify(report)) : say(summary(report, record))
  const wrong = complaints(report)
  if (wrong.length > 0) return yield* new DemoFailed({ message: `The call went wrong: ${wrong.join("; ")}.` })
  yield* say(`\n${ending}`)
  if (options.keep) yield* keepRunning(stage.baseUrl, key, agentId)
})

const expected: Expectation = {
  complaints: (report) =>
    complaintsOf(report, [
      unlessHeard(report, Object.values(lines)),
      [report.bargeInStopMs !== null && report.bargeInStopMs < 1_000, "the interruption did not stop the agent"],
      [report.toolCalls >= 1, "no tool was called"],
      [report.endReason === "transferred", `the call ended with ${report.endReason}`]
    ]),
  ending: `Transferred to ${humanNumber}. All is well.`
}

export const demo = Effect.fn("Demo.run")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service and the world around it …")
  const stage = yield* setStage(settings, lines)
  yield* say(`A caller phones ${stage.tenant.calledNumber}.\n`)
  yield* converse(stage, options, stage.call(callerScript(stage.speech)), expected).pipe(Effect.provide(stage.services))
})

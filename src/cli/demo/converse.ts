/** Shared by the demos of calls: follows one call while it is recorded, and reports it when it is over. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Console, Effect } from "effect"
import type { CallerApi } from "../../../simulators/telephone/Caller.ts"
import type { CallResult } from "../../../simulators/telephone/CallResult.ts"
import * as Mulaw from "../../audio/frames/Mulaw.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { encodeWav } from "../../domain/basics/Wav.ts"
import { Calls } from "../../domain/voice/calls/records/CallRecord.ts"
import { type DemoReport, liveLine, makeReport, summary } from "./report.ts"
import type { Stage } from "./stage.ts"
import { type Access, DemoFailed } from "./support/rest.ts"
import { until } from "./support/until.ts"

export interface DemoOptions {
  readonly json: boolean
  readonly keep: boolean
}

/** A caller who says these lines, one after the other, and hangs up after the last answer. */
export const speaks =
  <Name extends string>({ speech }: Pick<Stage<Name>, "speech">, said: ReadonlyArray<Name>) =>
  async (caller: CallerApi) => {
    await caller.waitForAgentToFinish()
    for (const line of said) {
      await caller.say(speech[line].samples)
      await caller.waitForAgentToFinish()
    }
    caller.hangUp()
  }

/** Prints the conversation as it is recorded. */
const follow = Effect.fnUntraced(function* (organizationId: string, agentId: string) {
  const calls = yield* Calls
  let printed = 0
  let callerEndedMs: number | undefined
  while (true) {
    yield* Effect.sleep("250 millis")
    const call = (yield* calls.list(organizationId, 1, 1, { agentId })).data[0]
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
  const ended = Effect.map(calls.list(organizationId, 1, 1, { agentId }), ({ data: [call] }) =>
    call === undefined || call.endReason === null ? undefined : call
  )
  const call = yield* until("The call's end was not recorded", 5, ended)
  return { call, utterances: yield* calls.utterances(organizationId, call.id) }
})

/** A request to try: a GET of the path, or a POST of the body. */
export interface Trial {
  readonly path: string
  readonly body?: object
}

/** Prints the key and requests to try, and leaves the service running. */
export const keepRunning = ({ baseUrl, key }: Access, trials: ReadonlyArray<Trial>) =>
  Console.log(
    [
      "",
      `The service keeps running at ${baseUrl} (Ctrl-C ends it). API reference: ${baseUrl}/docs`,
      `API key: ${key}`,
      "Try:",
      `  curl -s ${baseUrl}/healthz`,
      ...trials.map(({ path, body }) => {
        const sent = body === undefined ? "" : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
        return `  curl -s -H 'Authorization: Bearer ${key}'${sent} '${baseUrl}${path}'`
      })
    ].join("\n")
  ).pipe(Effect.andThen(Effect.never))

/** The requests to try after a call. */
export const aboutCalls = (agentId: string): ReadonlyArray<Trial> => [
  { path: "/api/voice-agents" },
  { path: `/api/voice-agents/${agentId}/calls` }
]

/** What a call of the demo must have been: `complaints` lists what was wrong, `ending` is printed when nothing was. */
export interface Expectation {
  readonly complaints: (report: DemoReport) => ReadonlyArray<string>
  readonly ending: string
}

/** Makes one call by `call` and follows it to its report. Fails with `DemoFailed` when something was wrong with it. */
export const converse = traced("Demo.converse")(function* <E, R, E2 = never, R2 = never>(
  stage: Stage,
  options: DemoOptions,
  call: Effect.Effect<CallResult, E, R>,
  { complaints, ending }: Expectation,
  atLast?: Effect.Effect<void, E2, R2>
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
  if (!options.keep) return
  if (atLast !== undefined) yield* atLast
  yield* keepRunning({ baseUrl: stage.baseUrl, key }, aboutCalls(agentId))
})

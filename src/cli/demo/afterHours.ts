/** `parley demo --after-hours`: a caller phones a closed shop, hears that it is closed, and leaves a message. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Console, DateTime, Effect } from "effect"
import type { CallerApi } from "../../../simulators/telephone/Caller.ts"
import type { CallResult } from "../../../simulators/telephone/CallResult.ts"
import type { Settings } from "../../config/Environment.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { decodeWav } from "../../domain/basics/Wav.ts"
import { type BusinessHours, openingState, weekdays } from "../../domain/people/organizations/BusinessHours.ts"
import { Organizations } from "../../domain/people/organizations/Organization.ts"
import { type CallRecord, Calls, type Utterance } from "../../domain/voice/calls/records/CallRecord.ts"
import { aboutCalls, type DemoOptions, keepRunning } from "./converse.ts"
import { liveLine } from "./report.ts"
import { setStage } from "./stage.ts"
import { DemoFailed } from "./support/rest.ts"
import { until } from "./support/until.ts"

const lines = {
  who: "Hello, this is Maria Lopez, and I am calling about my order.",
  callBack: "Please call me back tomorrow morning, thank you."
} as const

const message = "Maple Books is closed today. Please leave a message after the tone, and we will call you back."

export interface AfterHoursReport {
  readonly opensAt: string | null
  readonly heard: ReadonlyArray<string>
  readonly transcript: ReadonlyArray<{ readonly role: string; readonly text: string; readonly atMs: number }>
  readonly endReason: string | null
  readonly recording: { readonly url: string; readonly file: string; readonly seconds: number }
  readonly leftAtProvider: number
}

/** Open on every day but this one. */
const closedToday = (timeZone: string, now: number): BusinessHours => ({
  weekly: weekdays.map((day) => ({ day, opens: "09:00", closes: "18:00" })),
  holidays: [
    { date: DateTime.formatIsoDate(DateTime.makeZonedUnsafe(now, { timeZone })), name: "Stocktaking", hours: [] }
  ]
})

const script =
  (speech: Readonly<Record<keyof typeof lines, { readonly samples: Int16Array }>>) => async (caller: CallerApi) => {
    await caller.waitForTone()
    await caller.sleep(400)
    await caller.say(speech.who.samples)
    await caller.sleep(1_200)
    await caller.say(speech.callBack.samples)
    await caller.sleep(600)
    await caller.press("#")
  }

/** The call's record once its message is transcribed. */
const understood = Effect.fnUntraced(function* (organizationId: string, agentId: string) {
  const calls = yield* Calls
  const look = Effect.gen(function* () {
    const call = (yield* calls.list(organizationId, 1, 1, { agentId })).data[0]
    const utterances = call === undefined ? [] : yield* calls.utterances(organizationId, call.id)
    return call !== undefined && utterances.length === Object.keys(lines).length ? { call, utterances } : undefined
  })
  return yield* until("The message was not understood", 30, look)
})

/** Downloads the recording over the REST interface, as a customer does. */
const download = Effect.fnUntraced(function* (url: string, key: string, dataDir: string, callId: string) {
  return yield* Effect.tryPromise({
    try: async () => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
      if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
      const wav = new Uint8Array(await response.arrayBuffer())
      const folder = join(dataDir, "recordings")
      await mkdir(folder, { recursive: true })
      const file = join(folder, `${callId}.wav`)
      await writeFile(file, wav)
      return { file, samples: decodeWav(wav).channels[0].length }
    },
    catch: (cause) => new DemoFailed({ message: `The recording cannot be had: ${cause}` })
  })
})

const complaints = (report: AfterHoursReport, { call, result }: { call: CallRecord; result: CallResult }) => {
  const understood = report.transcript.map(({ text }) => text)
  const wanted: ReadonlyArray<readonly [boolean, string]> = [
    [result.warnings.length === 0, result.warnings.join("; ")],
    [result.events.filter(({ type }) => type === "played").length === 2, "the agent's voice was not heard twice"],
    [Object.values(lines).every((line) => understood.includes(line)), `understood was: ${understood.join(" | ")}`],
    [call.endReason === "outside_hours", `the call ended with ${call.endReason}`],
    [report.leftAtProvider === 0, "the provider still has the recording"]
  ]
  return wanted.flatMap(([good, complaint]) => (good ? [] : [complaint]))
}

const summary = ({ recording, endReason, leftAtProvider }: AfterHoursReport, utterances: ReadonlyArray<Utterance>) =>
  [
    "The message, as it is in the conversation:",
    ...utterances.map((utterance) => liveLine(utterance, undefined)),
    "",
    `ended            ${endReason}`,
    `recording        ${recording.seconds} s, ${recording.url}`,
    `                 ${recording.file}`,
    `at the provider  ${leftAtProvider} recordings left`
  ].join("\n")

export const afterHours = traced("Demo.afterHours")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service and the world around it …")
  const stage = yield* setStage(settings, lines, { voicemail: { message } })
  const { organizationId, agentId, organization, key, calledNumber } = stage.tenant
  yield* Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const hours = closedToday(organization.timeZone, now)
    yield* (yield* Organizations).setBusinessHours(organizationId, organization.timeZone, hours)
    const { opensAt } = openingState(hours, organization.timeZone, now)
    const heard = [organization.disclosureText, message]
    yield* say(`A caller phones ${calledNumber}. The shop is closed until ${opensAt} (${organization.timeZone}).\n`)

    const result = yield* stage.call(script(stage.speech))
    yield* say([...heard, "(tone)"].map((line) => `         agent   ${line}`).join("\n"))
    yield* say("")
    const { call, utterances } = yield* understood(organizationId, agentId)
    const url = `${stage.baseUrl}/api/calls/${call.id}/recording`
    const { file, samples } = yield* download(url, key, stage.dataDir, call.id)
    const report: AfterHoursReport = {
      opensAt,
      heard,
      transcript: utterances.map(({ role, text, startMs }) => ({ role, text, atMs: startMs })),
      endReason: call.endReason,
      recording: { url, file, seconds: Math.round(samples / 800) / 10 },
      leftAtProvider: stage.network.provider.recordings.size
    }
    yield* options.json ? Console.log(JSON.stringify(report)) : say(summary(report, utterances))
    const wrong = complaints(report, { call, result })
    if (wrong.length > 0) return yield* new DemoFailed({ message: `The call went wrong: ${wrong.join("; ")}.` })
    yield* say("\nNobody has to be there. All is well.")
    if (options.keep) yield* keepRunning({ baseUrl: stage.baseUrl, key }, aboutCalls(agentId))
  }).pipe(Effect.provide(stage.services))
})

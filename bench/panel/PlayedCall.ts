/** Plays one call of the panel: the real actor of a call on a clock of its own, which runs as fast as the processor allows. */
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Bank } from "../../simulators/speech-to-text/Bank.ts"
import type { Spoken } from "../../simulators/voice/Voice.ts"
import * as Call from "../../src/actors/voice/call/Call.ts"
import { open } from "../../src/actors/voice/call/OpenCall.ts"
import { Moderation } from "../../src/domain/ai/providers/Moderation.ts"
import { Reasoning } from "../../src/domain/ai/providers/Reasoning.ts"
import { SpeechToText, TextToSpeech } from "../../src/domain/ai/providers/Speech.ts"
import { SpeechCache } from "../../src/domain/ai/providers/SpeechCache.ts"
import { fillers, fixedPhrases } from "../../src/domain/voice/dialogue/FixedPhrases.ts"
import { CallJournal } from "../../src/domain/voice/engine/CallJournal.ts"
import { AppCallbacks } from "../../src/domain/voice/engine/EnginePorts.ts"
import { Recordings } from "../../src/domain/voice/engine/Recordings.ts"
import { Telephony } from "../../src/domain/voice/telephony/Telephony.ts"
import { agentOf } from "../../test/support/agent.ts"
import type { Judge } from "../eot/Judge.ts"
import { longReply, makeEar, makeModel, type makeVoice, shortReply, type Truth } from "./Providers.ts"
import { type Kind, roomDb, type Script, type Step } from "./Script.ts"
import type { Telephone } from "./Telephone.ts"

const frameMs = 20
export const longestCallMs = 150_000
/** A caller takes the agent for finished after so much quiet. */
const finishedMs = 1_200
/** An event comes so long after the agent began, or after the one before, and only while so much is left to say. */
const betweenMs = 1_800
const leftMs = 3_000
const patienceMs = 8_000
/** So long after an event in silence the next one may come. Who asked for a moment is away for longer. */
const listenMs = 4_500
const awayMs = 6_000
/** Samples quieter than this are the silence around speech. */
const voicedLevel = 300

export interface Played {
  readonly kind: Kind
  readonly over: boolean
  /** First and last voiced sample of the whole, and of each part. */
  readonly startMs: number
  readonly endMs: number
  readonly parts: ReadonlyArray<{ readonly startMs: number; readonly endMs: number }>
}

export interface PlayedCall {
  readonly name: string
  readonly events: ReadonlyArray<Played>
  /** The agent as the caller heard it, 8 kHz. */
  readonly telephone: Pick<Telephone, "agent">
  readonly lengthMs: number
}

const agent = agentOf({
  disclosureText: "This call is answered by an assistant.",
  welcomeMessage: "Welcome to Maple Books.",
  silence: { promptAfterSeconds: 60, maxPrompts: 1, promptText: "Are you there?", goodbyeText: "Goodbye then." }
})
/** All that the agent may have to say. */
export const agentLines = [
  agent.disclosureText,
  agent.welcomeMessage,
  agent.silence.promptText,
  agent.silence.goodbyeText,
  longReply,
  shortReply,
  ...Object.values(fixedPhrases("en-US")).filter((phrase) => typeof phrase === "string"),
  ...fillers("en-US")
]

const nothing = Layer.mergeAll(
  Layer.succeed(CallJournal, { leave: () => Effect.void, record: () => Effect.void, delivered: Effect.void }),
  Layer.succeed(AppCallbacks, {
    runTool: () => Effect.succeed({ outcome: "ok", result: "" } as const),
    notices: () => Effect.succeed({ notices: [] }),
    lookUp: () => Effect.die("the panel's agent looks nothing up"),
    deliver: () => Effect.void
  }),
  Layer.succeed(Moderation, {
    check: (texts) => Effect.succeed(texts.map(() => ({ flagged: false, categories: [] })))
  }),
  Layer.succeed(SpeechCache, { get: () => Effect.succeed(undefined), set: () => Effect.void }),
  Layer.succeed(Recordings, {
    open: () => Effect.succeed({ write: () => undefined }),
    fileElsewhere: () => undefined,
    finish: () => Effect.void,
    delivered: Effect.void
  }),
  Layer.succeed(Telephony, { redirect: () => Effect.void })
)

const spanOf = (samples: Int16Array) => {
  const loud = (sample: number) => Math.abs(sample) > voicedLevel
  return { from: Math.max(0, samples.findIndex(loud)) / 8, to: (samples.findLastIndex(loud) + 1 || samples.length) / 8 }
}

export interface Cast {
  readonly script: Script
  readonly telephone: Telephone
  readonly bank: Bank
  readonly judge: Judge
  /** Speech-to-text understands the caller as if there were no noise. */
  readonly understands: boolean
  readonly voice: Awaited<ReturnType<typeof makeVoice>>
  readonly sound: (script: Script, step: Step, text: string) => Pick<Spoken, "samples">
}

const playing = Effect.fnUntraced(function* ({ script, telephone, bank, judge, understands, voice, sound }: Cast) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  let truth: Truth = "finished"
  let longAnswer = false
  const call = open({
    setup: {
      callId: "call_1",
      agentId: agent.agentId,
      agentVersion: agent.version,
      accountSid: "AC1",
      callSid: "CA1",
      authToken: "token",
      direction: "inbound",
      from: "+14155550100",
      to: "+14155550101",
      contactName: null
    },
    agent,
    streamSid: "MZ1",
    line: { send: telephone.send, close: () => undefined },
    now
  })
  const { audio } = call
  const running = yield* Call.run(call).pipe(
    Effect.provideService(SpeechToText, {
      open: () => makeEar(bank, understands ? telephone.takeCaller : undefined)
    }),
    Effect.provideService(TextToSpeech, voice),
    Effect.provideService(
      Reasoning,
      makeModel(
        judge,
        script.name,
        () => truth,
        () => (longAnswer ? longReply : shortReply)
      )
    ),
    Effect.provide(nothing),
    Effect.forkChild({ startImmediately: true })
  )
  /** Since when the caller hears the agent, and since when not. */
  let [speakingSince, quietSince] = [Number.NaN, 0]
  const frame = Effect.suspend(() => {
    const mediaMs = telephone.nowMs
    audio.media(telephone.next(), mediaMs)
    audio.tick(now())
    for (const name of telephone.takeMarks()) audio.speech.mark(name)
    if (audio.speech.audible) {
      if (Number.isNaN(speakingSince)) speakingSince = telephone.nowMs
      quietSince = telephone.nowMs
    } else speakingSince = Number.NaN
    return TestClock.adjust(frameMs)
  })
  /** Plays on until `holds`, at most so long; whether it did hold. */
  const until = Effect.fnUntraced(function* (holds: () => boolean, limitMs = patienceMs) {
    const endMs = telephone.nowMs + limitMs
    while (!holds() && telephone.nowMs < endMs) yield* frame
    return holds()
  })
  const wait = (ms: number) => until(() => false, ms)
  const utter = Effect.fnUntraced(function* (step: Step) {
    const parts: Array<{ readonly startMs: number; readonly endMs: number }> = []
    for (const part of step.parts) {
      if (typeof part === "number") {
        yield* until(() => telephone.nowMs >= (parts.at(-1)?.endMs ?? 0) + part)
        continue
      }
      const { samples } = sound(script, step, part)
      const { from, to } = spanOf(samples)
      const atMs = telephone.nowMs
      telephone.say(samples, step.kind === "room" ? 10 ** (roomDb / 20) : 1)
      yield* wait(Math.ceil(to / frameMs) * frameMs)
      parts.push({ startMs: atMs + from, endMs: atMs + to })
    }
    return parts
  })
  const events: Array<Played> = []
  let lastEventMs = 0
  const play = Effect.fnUntraced(function* (step: Step) {
    const isTurn = step.kind === "turn" || step.kind === "interruption"
    if (step.over) {
      const inMiddle = () =>
        telephone.plays &&
        telephone.nowMs - Math.max(speakingSince, lastEventMs) >= betweenMs &&
        !audio.speech.nearlyDone(leftMs)
      if (!(yield* until(inMiddle))) return
    } else {
      yield* until(() => audio.speech.audible, step.kind === "turn" ? 2_000 : 0)
      if (!(yield* until(() => telephone.nowMs - quietSince >= finishedMs, 40_000))) return
    }
    longAnswer = step.kind === "turn"
    const whole: Truth = step.kind === "away" ? "time" : step.kind === "vocal" ? "unfinished" : "finished"
    truth = step.parts.length > 1 ? "unfinished" : whole
    const first = step.parts.length > 1 ? { ...step, parts: step.parts.slice(0, 2) } : step
    const parts = [...(yield* utter(first))]
    truth = whole
    if (step.parts.length > 1) parts.push(...(yield* utter({ ...step, parts: step.parts.slice(2) })))
    const { endMs } = parts[parts.length - 1]
    lastEventMs = endMs
    events.push({ kind: step.kind, over: step.over, startMs: parts[0].startMs, endMs, parts })
    if (isTurn) yield* until(() => speakingSince > endMs, 6_000)
    else if (!step.over) yield* wait(step.kind === "away" ? awayMs : listenMs)
  })
  yield* until(() => audio.speech.audible, 2_000)
  for (const step of script.steps) yield* play(step)
  yield* wait(4_000)
  const lengthMs = telephone.nowMs
  call.offer({ _tag: "LineClosed" })
  yield* TestClock.adjust(5_000)
  running.interruptUnsafe()
  return { name: script.name, events, telephone, lengthMs }
})

export const playCall = (cast: Cast): Promise<PlayedCall> =>
  Effect.runPromise(Effect.scoped(playing(cast)).pipe(Effect.provide(TestClock.layer())))

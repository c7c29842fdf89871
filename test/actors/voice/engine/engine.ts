/** An engine whose providers are in memory: speech is 0.1 s of silence, speech-to-text hears no words, and the model says nothing. */
import { Context, Effect, Layer, Stream } from "effect"
import * as ActorSystem from "../../../../src/actors/voice/engine/ActorSystem.ts"
import { CallStreams } from "../../../../src/actors/voice/engine/CallStreams.ts"
import { RunningCalls } from "../../../../src/actors/voice/engine/RunningCalls.ts"
import type { Line, LiveCall } from "../../../../src/actors/voice/sound/Line.ts"
import { StreamRefused, type StreamStart } from "../../../../src/actors/voice/sound/StreamRefused.ts"
import { Moderation } from "../../../../src/domain/ai/providers/Moderation.ts"
import { Reasoning } from "../../../../src/domain/ai/providers/Reasoning.ts"
import { SpeechError, SpeechToText, TextToSpeech } from "../../../../src/domain/ai/providers/Speech.ts"
import { SpeechCache } from "../../../../src/domain/ai/providers/SpeechCache.ts"
import { Draining } from "../../../../src/domain/basics/Draining.ts"
import type { CallEvent } from "../../../../src/domain/voice/engine/CallEvent.ts"
import { CallJournal } from "../../../../src/domain/voice/engine/CallJournal.ts"
import { CallLeases } from "../../../../src/domain/voice/engine/CallLeases.ts"
import type { CallSetup } from "../../../../src/domain/voice/engine/CallSetup.ts"
import { AppCallbacks, Engine } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import { Recordings } from "../../../../src/domain/voice/engine/Recordings.ts"
import { ReservationBoard } from "../../../../src/domain/voice/engine/ReservationBoard.ts"
import { Telephony } from "../../../../src/domain/voice/telephony/Telephony.ts"
import { twilioSignature } from "../../../../src/domain/voice/telephony/twilio/TwilioSignature.ts"

export const streamUrl = "wss://engine.example.test/media"

export const setupOf = (callId: string, changes: Partial<CallSetup> = {}): CallSetup => ({
  callId,
  agentId: "agt_1",
  agentVersion: "v1",
  accountSid: "AC1",
  callSid: `CA of ${callId}`,
  authToken: "auth token",
  direction: "inbound",
  from: "+14155550100",
  to: "+14155550101",
  contactName: null,
  ...changes
})

/** The provider's `start` message for a call placed with `setupOf`. */
export const startOf = (callId: string, token: string, changes: Partial<StreamStart> = {}) => ({
  streamSid: "MZ1",
  accountSid: "AC1",
  callSid: `CA of ${callId}`,
  callId,
  token,
  upgradeSignature: twilioSignature("auth token", streamUrl, {}),
  ...changes
})

export class FakeLine implements Line {
  readonly sent: Array<string> = []
  closes = 0
  readonly send = (message: string | Uint8Array) => void this.sent.push(Buffer.from(message).toString())
  readonly close = () => void this.closes++
}

/** Providers, journal and app in memory, and what they received. */
export const inMemory = () => {
  const recorded: Array<CallEvent> = []
  const cached = new Map<string, Uint8Array>()
  const synthesized: Array<string> = []
  const ports = Layer.mergeAll(
    Layer.succeed(CallJournal, {
      leave: () => Effect.void,
      record: (event) => Effect.sync(() => void recorded.push(event)),
      delivered: Effect.void
    }),
    Layer.succeed(AppCallbacks, {
      runTool: () => Effect.succeed({ outcome: "ok", result: "" }),
      lookUp: () => Effect.succeed({ text: "", sources: [] }),
      notices: () => Effect.succeed({ notices: [] }),
      deliver: () => Effect.void
    }),
    Layer.succeed(Moderation, {
      check: (texts) => Effect.succeed(texts.map(() => ({ flagged: false, categories: [] })))
    }),
    Layer.succeed(Reasoning, { stream: () => Stream.make({ _tag: "End", finishReason: "stop" } as const) }),
    Layer.succeed(SpeechToText, {
      open: () => Effect.succeed({ push: () => undefined, flush: () => undefined, transcripts: Stream.never })
    }),
    Layer.succeed(TextToSpeech, {
      validate: ({ voiceId }) =>
        voiceId === "nobody"
          ? Effect.fail(new SpeechError({ provider: "fake", reason: "rejected", message: "There is no voice nobody." }))
          : Effect.void,
      synthesize: ({ text }) =>
        Stream.suspend(() => {
          synthesized.push(text)
          return Stream.make(new Uint8Array(800).fill(0xff))
        })
    }),
    Layer.succeed(SpeechCache, {
      get: (key) => Effect.sync(() => cached.get(key)),
      set: (key, audio) => Effect.sync(() => void cached.set(key, audio))
    }),
    Layer.succeed(Recordings, {
      open: () => Effect.succeed({ write: () => undefined }),
      fileElsewhere: () => undefined,
      finish: () => Effect.void,
      delivered: Effect.void
    }),
    Layer.succeed(Telephony, { redirect: () => Effect.void })
  )
  const utterances = () => recorded.flatMap((event) => (event.type === "transcript" ? [event.text] : []))
  return { ports, recorded, utterances, synthesized }
}

/** `leases`: the leases that organizations hold on other engines; none by default. */
export const makeEngine = Effect.fnUntraced(function* (
  capacity = 2,
  leases: Layer.Layer<CallLeases> = CallLeases.layerAlone,
  board: Layer.Layer<ReservationBoard> = ReservationBoard.layerAlone
) {
  const { ports, recorded, synthesized } = inMemory()
  const context = yield* Layer.build(
    ActorSystem.layer({ streamUrl, secret: "engine secret", capacity }).pipe(
      Layer.provideMerge(Layer.mergeAll(ports, leases, board, Draining.layer))
    )
  )
  const engine = Context.get(context, Engine)
  const streams = Context.get(context, CallStreams)
  const { connect } = streams
  return {
    engine,
    connect,
    streams,
    recorded,
    synthesized,
    draining: Context.get(context, Draining),
    running: Context.get(context, RunningCalls),
    ended: () => recorded.filter((event) => event.type === "call_end"),
    /** Connects a stream and asserts that it is accepted. */
    join: (start: StreamStart, line: Line): LiveCall => {
      const call = connect(start, line)
      if (call instanceof StreamRefused) throw new Error(`refused: ${call.reason}`)
      return call
    }
  }
})

/**
 * What one 20 ms frame costs: incoming, from the provider's message to the turn decision, beside the bare JSON.parse of its text; outgoing,
 * from the play-out to the provider's message.
 */
import { performance } from "node:perf_hooks"
import { Effect } from "effect"
import { AudioQueue } from "../src/audio/frames/AudioQueue.ts"
import { BYTES_PER_MS, FRAME_BYTES, FRAME_MS } from "../src/audio/frames/Frame.ts"
import { Framer } from "../src/audio/frames/Framer.ts"
import { decodeInto, encode } from "../src/audio/frames/Mulaw.ts"
import { Ambience } from "../src/audio/playout/Ambience.ts"
import { Playout } from "../src/audio/playout/Playout.ts"
import { Turn, type TurnRules } from "../src/audio/turn/Turn.ts"
import { Vad } from "../src/audio/vad/Vad.ts"
import { MediaWriter, readFrame } from "../src/domain/voice/telephony/twilio/MediaMessage.ts"
import { onLine } from "../test/support/telephoneLine.ts"
import { conversation } from "../test/support/vad-trial.ts"
import { parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import type { Table } from "./support/Table.ts"

/** Microseconds of one core per frame. */
const LIMIT = 8
const ROUNDS = 40

interface MediaMessage {
  readonly media: { readonly timestamp: string; readonly payload: string }
}

/** The frames of a noisy conversation as the provider sends them. */
const messages = async (): Promise<ReadonlyArray<string>> => {
  const { clean } = await conversation()
  const bytes = Buffer.from(encode(await onLine(clean, "pink", 15, 1)))
  return Array.from({ length: Math.floor(bytes.length / FRAME_BYTES) }, (_, i) =>
    JSON.stringify({
      event: "media",
      sequenceNumber: String(i + 2),
      streamSid: "MZ0123456789abcdef0123456789abcdef",
      media: {
        track: "inbound",
        chunk: String(i + 1),
        timestamp: String(i * 20),
        payload: bytes.subarray(i * FRAME_BYTES, (i + 1) * FRAME_BYTES).toString("base64")
      }
    })
  )
}

/**
 * Runs every pass once per round, so that all see the same moments of a machine that may be shared, and gives the µs per frame of
 * each: of all rounds, their median, and what the best quarter stayed under.
 */
const measure = (frames: number, passes: ReadonlyArray<() => void>) => {
  const times = passes.map((): Array<number> => [])
  // The first rounds are for the compiler.
  for (let round = -2; round < ROUNDS; round++) {
    passes.forEach((pass, index) => {
      const started = performance.now()
      pass()
      if (round >= 0) times[index].push(((performance.now() - started) * 1_000) / frames)
    })
  }
  return times.map((all) => {
    const sorted = all.toSorted((a, b) => a - b)
    return { rounds: all, median: sorted[Math.floor(ROUNDS / 2)], best: sorted[ROUNDS / 4 - 1] }
  })
}

/** What the path is compared with. */
const parse = (texts: ReadonlyArray<string>) => (): void => {
  let last = ""
  for (const text of texts) {
    const { media }: MediaMessage = JSON.parse(text)
    last = media.payload
  }
  if (last === "") throw new Error("nothing was read")
}

/** The synchronous path of one call; `step` says how far it goes. */
const path = (messages: ReadonlyArray<Uint8Array>, step: "read" | "mulaw" | "vad" | "all") => (): void => {
  const vad = new Vad()
  const rules: TurnRules = {
    patienceMs: () => 400,
    likelyAfterMs: () => 0,
    overAgent: () => "interruption",
    paused: () => undefined
  }
  const turn = new Turn({ maxSilenceMs: 2_500, minSpeechMs: 200, pausesAfterMs: 650, rules })
  const preRoll = new AudioQueue(400 * BYTES_PER_MS)
  const pcm = new Int16Array(FRAME_BYTES)
  const framer = new Framer((frame, mediaMs) => {
    if (step === "read") return
    decodeInto(frame, pcm)
    if (step === "mulaw") return
    const event = vad.step(pcm)
    if (step === "vad") return
    turn.step(event, vad.voiced, mediaMs)
    if (!vad.speaking) preRoll.push(frame)
  })
  const heard = new Uint8Array(FRAME_BYTES)
  for (const message of messages) framer.push(heard, readFrame(message, heard))
}

const steps = [
  ["message to bytes", "read"],
  ["+ mu-law", "mulaw"],
  ["+ voice activity", "vad"],
  ["+ turn, pre-roll", "all"]
] as const

/** Ten minutes of what the agent says, sent as the media clock does: one frame every 20 ms. */
const outgoing = (speech: Uint8Array, frames: number, step: "text" | "playout" | "ambience") => (): void => {
  const playout = new Playout()
  const ambience = new Ambience(0)
  const out = new Uint8Array(FRAME_BYTES)
  const writer = new MediaWriter("MZ0123456789abcdef0123456789abcdef")
  let sent = 0
  for (let frame = 0; frame < frames; frame++) {
    if (step !== "text") {
      if (playout.drained) {
        playout.clear(frame * FRAME_MS)
        playout.begin("A sentence.")
        playout.append(speech)
        playout.end()
      }
      playout.next(out, frame * FRAME_MS)
    }
    if (step === "ambience") ambience.mixInto(out)
    sent += writer.write(out).length
  }
  if (sent === 0) throw new Error("nothing was sent")
}

const outgoingSteps = [
  ["bytes to message", "text"],
  ["+ play-out", "playout"],
  ["+ ambience", "ambience"]
] as const

type Cost = ReturnType<typeof measure>[number]
type Named = Cost & { readonly name: string }

const named = (names: ReadonlyArray<string>, costs: ReadonlyArray<Cost>): ReadonlyArray<Named> =>
  costs.map((cost, index) => ({ ...cost, name: names[index] }))

const tableOf = (title: string, costs: ReadonlyArray<Named>): Table => ({
  title,
  columns: ["", "median µs", "best quarter µs"],
  rows: costs.map(({ name, median, best }) => [name, median.toFixed(2), best.toFixed(2)])
})

const barsOf = (title: string, costs: ReadonlyArray<Named>, limit?: number): Plot => ({
  _tag: "Bars",
  title,
  unit: "µs",
  bars: costs.map(({ name, median }) => [name, median]),
  ...(limit === undefined ? {} : { limit })
})

const measureIncoming = async () => {
  const texts = await messages()
  const bytes = texts.map((text) => new TextEncoder().encode(text))
  const costs = measure(texts.length, [parse(texts), ...steps.map(([, step]) => path(bytes, step))])
  return { frames: texts.length, costs: named(["JSON.parse alone", ...steps.map(([name]) => name)], costs) }
}

const measureOutgoing = async () => {
  const { clean } = await conversation()
  const speech = encode(clean.subarray(0, 10_000 * BYTES_PER_MS))
  const frames = (10 * 60_000) / FRAME_MS
  const costs = measure(
    frames,
    outgoingSteps.map(([, step]) => outgoing(speech, frames, step))
  )
  const names = outgoingSteps.map(([name]) => name)
  return { frames, costs: named(names, costs) }
}

export const taken = { numbers: {} } as const

/** Publishes the tables; 1 when the median of the whole incoming path is over the limit, else 0. */
export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const { json } = parseOptions(args, taken)
      const line = progress("frame")
      line.say("incoming")
      const incoming = yield* Effect.promise(measureIncoming)
      line.say("outgoing")
      const outgoing = yield* Effect.promise(measureOutgoing)
      line.done()
      const [parsed, whole] = [incoming.costs[0], incoming.costs[incoming.costs.length - 1]]
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "frame",
            about: `An incoming frame costs ${(whole.median / parsed.median).toFixed(1)} times the bare JSON.parse of its text.`,
            options: { rounds: ROUNDS },
            tables: [
              tableOf(
                `One incoming frame of 20 ms: ${incoming.frames} frames of speech in pink noise, ${ROUNDS} rounds`,
                incoming.costs
              ),
              tableOf(`One outgoing frame of 20 ms: ${outgoing.frames} frames of speech`, outgoing.costs)
            ],
            plots: [
              barsOf("One incoming frame, median", incoming.costs, LIMIT),
              barsOf("One outgoing frame, median", outgoing.costs),
              {
                _tag: "Histogram",
                title: "One incoming frame, by round",
                unit: "µs",
                values: whole.rounds,
                limit: LIMIT
              }
            ],
            limits: [{ name: "one incoming frame, median", value: whole.median, unit: "µs", most: LIMIT }],
            generator: null,
            details: { incoming, outgoing }
          },
          json
        )
      )
    })
  )

/**
 * What Parley itself adds between the end of a turn and the first frame of the answer. The simulated providers take known times, which
 * are subtracted as they were set (where a timer was late, that counts against Parley).
 *
 * Seen from outside, the turn ends when its transcript leaves speech-to-text: that is set to take longer than the caller's silence
 * has to last, so the transcript is what the decision waits for.
 */
import { Effect } from "effect"
import type { CallerApi } from "../simulators/telephone/Caller.ts"
import { type Spoken, speak } from "../simulators/voice/Voice.ts"
import { enginePlots, engineTable, failureLimit, load } from "./support/Load.ts"
import { parseOptions } from "./support/Options.ts"
import { startParley } from "./support/Parley.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"

const speechToTextMs = 500
const modelMs = 100
const textToSpeechMs = 60
/** Between the decision and the first frame, without Parley. Moderation answers at once: its two round trips are Parley's. */
const knownMs = modelMs + textToSpeechMs
const limits = { p50: 10, p99: 30 }

const limitsOf = (seenFrom: string, values: ReadonlyArray<number>): ReadonlyArray<Limit> => {
  const { p50, p99 } = summarize(values)
  return [
    { name: `added latency p50, ${seenFrom}`, value: p50, unit: "ms", most: limits.p50 },
    { name: `added latency p99, ${seenFrom}`, value: p99, unit: "ms", most: limits.p99 }
  ]
}

const things = ["cards", "lamps", "shoes", "tickets", "tables", "bottles", "garden chairs", "winter coats"]
const verbs = ["sell", "repair", "deliver", "rent out", "take back"]
const lines = verbs.flatMap((verb) => things.map((thing) => `Do you ${verb} ${thing}?`))

/** Milliseconds between turns of one caller, so that callers do not fall into step. */
const pauseOf = (index: number, turn: number): number => 200 + ((index * 137 + turn * 211) % 600)

/** A caller who has spoken: waits for its transcript, then for the answer's first frame. */
class Waiting {
  transcriptAt: number | undefined
  readonly answered: (addedMs: number) => void
  constructor(answered: (addedMs: number) => void) {
    this.answered = answered
  }
}

/** Who waits for which text, in the order in which they spoke. */
const makeWaitingRoom = () => {
  const byText = new Map<string, Array<Waiting>>()
  return {
    add: (text: string, waiting: Waiting) => void byText.set(text, [...(byText.get(text) ?? []), waiting]),
    /** Does nothing for a text nobody waits for. */
    transcript: (text: string, clockMs: number) => {
      const waiting = byText.get(text)?.shift()
      if (waiting !== undefined) waiting.transcriptAt = clockMs
    }
  }
}

export const taken = { numbers: { seconds: 60, calls: 200, ramp: 20 } } as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const line = progress("latency")
      line.say("synthesizing and starting")
      const bank = yield* Effect.promise(() => Promise.all(lines.map((text) => speak(text, "en-US"))))
      const room = makeWaitingRoom()
      const parley = yield* startParley({
        bank,
        defaultReply: "Certainly.",
        languageModel: { firstTokenMs: modelMs, perTokenMs: 0 },
        textToSpeech: { firstByteMs: textToSpeechMs },
        speechToText: { onTranscript: room.transcript },
        disclosureText: "This is an AI.",
        agents: [
          {
            name: "latency",
            voiceFamily: "english",
            voiceId: "aura-2-thalia-en",
            primaryLanguage: "en-US",
            welcomeMessage: "Hello.",
            systemPrompt: "Answer in a word."
          }
        ],
        calls: options.calls
      })
      parley.world.speechToText.faults.latencyMs = speechToTextMs
      const outside: Array<number> = []

      const loaded = yield* Effect.promise(() =>
        load(parley, options, line, (index, untilMs) => {
          const spoken: Spoken = bank[index % bank.length]
          let waiting: Waiting | undefined
          return {
            tap: {
              received: (clockMs) => {
                if (waiting?.transcriptAt === undefined) return
                waiting.answered(clockMs - waiting.transcriptAt - knownMs)
                waiting = undefined
              }
            },
            caller: async (caller: CallerApi) => {
              await caller.waitForAgentToFinish(400)
              for (let turn = 0; performance.now() < untilMs; turn++) {
                await caller.sleep(pauseOf(index, turn))
                await caller.say(spoken.samples)
                waiting = new Waiting((addedMs) => outside.push(addedMs))
                room.add(spoken.text, waiting)
                await caller.waitForAgentToFinish(400, 20_000)
              }
            }
          }
        })
      )
      const turns = loaded.calls.flatMap(({ stored }) => stored.turns)
      const inside = turns.flatMap(({ firstFrameMs, decisionMs }) =>
        firstFrameMs === null || decisionMs === null ? [] : [firstFrameMs - decisionMs - knownMs]
      )
      const figures = (name: string, values: ReadonlyArray<number>) => {
        const { count, p50, p90, p99, max } = summarize(values)
        return [name, count, ...[p50, p90, p99, max].map((value) => value.toFixed(1))]
      }
      const decisions = turns.flatMap(({ decisionMs }) => (decisionMs === null ? [] : [decisionMs]))
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "latency",
            about: `Milliseconds from the end of a turn to the first frame of its answer, without the ${knownMs} ms that model and speech are set to take.`,
            options: { ...options, switches: undefined, speechToTextMs, modelMs, textToSpeechMs },
            tables: [
              {
                title: "Added latency, ms",
                columns: ["", "turns", "p50", "p90", "p99", "max"],
                rows: [
                  figures("inside: decision to first frame, as stored", inside),
                  figures("outside: transcript sent to first frame received", outside),
                  figures("for comparison: last voiced frame to decision", decisions)
                ]
              },
              engineTable(loaded)
            ],
            plots: [
              { _tag: "Histogram", title: "Added, inside", unit: "ms", values: inside, limit: limits.p99 },
              { _tag: "Histogram", title: "Added, outside", unit: "ms", values: outside, limit: limits.p99 },
              ...enginePlots(loaded)
            ],
            limits: [...limitsOf("inside", inside), ...limitsOf("outside", outside), failureLimit(loaded)],
            generator: loaded.generator,
            details: { inside, outside, engine: loaded.engine, failures: loaded.failures }
          },
          options.json
        )
      )
    })
  )

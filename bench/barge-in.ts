/**
 * How soon the agent gives way when the caller speaks into its answer: from the first voiced frame on the media socket to the first `clear`, after
 * which the agent is softer, and to the last frame of the agent. What the provider has buffered is thrown away by `clear`; the telephone does not
 * count here.
 */
import { Effect } from "effect"
import type { CallerApi } from "../simulators/telephone/Caller.ts"
import { decodeTable, frameBytes } from "../simulators/telephone/Mulaw.ts"
import { activeLevel } from "../simulators/voice/Noise.ts"
import { speak } from "../simulators/voice/Voice.ts"
import { enginePlots, engineTable, failureLimit, load } from "./support/Load.ts"
import { parseOptions } from "./support/Options.ts"
import { startParley } from "./support/Parley.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"

/** What the agent is set to, how much longer than that a listening noise may be, and what Parley may take beyond them. */
const minSpeechMs = 200
const listeningNoiseMs = 450
const beyondMs = 40
/** Gaps between two words are no voice, so the time until so much voice was heard differs. */
const gapsMs = 250
/** A frame is voiced when it is within this of the level of the caller's speech. */
const voicedDb = 25
/** An answer cannot begin so soon after the caller's last sample; frames until then are of the answer interrupted. */
const windowMs = 200
/** Frames later than this after the first voiced one: the agent did not stop for it. */
const missedMs = 1_500

const question = "Tell me about your opening hours."
const interruptions = ["No, tell me about next Friday.", "Do you deliver on Mondays?", "Can I pay at the door instead?"]
const reply =
  "We are open from nine to six, Monday to Saturday, on Sundays we open at ten, and during the holidays our hours change, so please check our page before you visit, or call us on the day before and one of us will tell you what you need to know."

/** Watches the socket while the caller interrupts. */
class Watch {
  private readonly leastPower: number
  private firstVoicedAt: number | undefined
  private lastFrameAt: number | undefined
  private clearedAt: number | undefined
  constructor(level: number) {
    this.leastPower = (level * 10 ** (-voicedDb / 20)) ** 2
  }
  sent(bytes: Uint8Array, at: number, clockMs: number): void {
    if (this.firstVoicedAt !== undefined) return
    let sum = 0
    for (let i = at; i < at + frameBytes; i++) sum += decodeTable[bytes[i]] ** 2
    if (sum / frameBytes >= this.leastPower) this.firstVoicedAt = clockMs
  }
  received(clockMs: number): void {
    if (this.firstVoicedAt !== undefined) this.lastFrameAt = clockMs
  }
  cleared(clockMs: number): void {
    if (this.firstVoicedAt !== undefined) this.clearedAt ??= clockMs
  }
  /** Undefined when nothing was said, or nothing happened. */
  get softMs(): number | undefined {
    return this.firstVoicedAt === undefined || this.clearedAt === undefined
      ? undefined
      : this.clearedAt - this.firstVoicedAt
  }
  /** 0 when no frame came after the first voiced one; undefined when nothing was said. */
  get stopMs(): number | undefined {
    if (this.firstVoicedAt === undefined) return undefined
    return this.lastFrameAt === undefined ? 0 : this.lastFrameAt - this.firstVoicedAt
  }
}

/** How far into the answer the caller speaks, ms: different each time, always in the middle of it. */
const intoAnswer = (index: number, turn: number): number => 900 + ((index * 173 + turn * 269) % 1_600)

export const taken = { numbers: { seconds: 60, calls: 50, ramp: 10 } } as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const line = progress("barge-in")
      line.say("synthesizing and starting")
      const [first, ...others] = yield* Effect.promise(() =>
        Promise.all([question, ...interruptions].map((text) => speak(text, "en-US")))
      )
      const parley = yield* startParley({
        bank: [first, ...others],
        defaultReply: reply,
        disclosureText: "This is an AI.",
        agents: [
          {
            name: "barge-in",
            voiceFamily: "english",
            voiceId: "aura-2-thalia-en",
            primaryLanguage: "en-US",
            welcomeMessage: "Hello.",
            systemPrompt: "Answer at length.",
            interruption: { enabled: true, minSpeechMs, minWords: 0 }
          }
        ],
        calls: options.calls
      })
      const softens: Array<number> = []
      const stops: Array<number> = []
      let missed = 0

      const loaded = yield* Effect.promise(() =>
        load(parley, options, line, (index, untilMs) => {
          let watch: Watch | undefined
          return {
            tap: {
              sent: (bytes, at, clockMs) => watch?.sent(bytes, at, clockMs),
              received: (clockMs) => watch?.received(clockMs),
              cleared: (clockMs) => watch?.cleared(clockMs)
            },
            caller: async (caller: CallerApi) => {
              await caller.waitForAgentToFinish(400)
              await caller.say(first.samples)
              for (let turn = 0; performance.now() < untilMs; turn++) {
                await caller.waitForAgentToSpeak(20_000)
                await caller.sleep(intoAnswer(index, turn))
                const { samples } = others[(index + turn) % others.length]
                watch = new Watch(activeLevel(samples))
                await caller.say(samples)
                await caller.sleep(windowMs)
                const { softMs, stopMs } = watch
                watch = undefined
                if (stopMs === undefined) continue
                if (softMs === undefined || stopMs > missedMs) missed++
                else {
                  softens.push(softMs)
                  stops.push(stopMs)
                }
              }
            }
          }
        })
      )
      const soft = summarize(softens)
      const silent = summarize(stops)
      const row = (name: string, { count, p50, p90, p99, max }: typeof soft) => [
        name,
        count,
        ...[p50, p90, p99, max].map((value) => value.toFixed(1))
      ]
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "barge-in",
            about:
              "Milliseconds from the caller's first voiced frame until the agent is softer, and to its last frame, on the media socket.",
            options: { ...options, switches: undefined, minSpeechMs },
            tables: [
              {
                title: `From the first voiced frame, ms; ${missed} missed`,
                columns: ["", "interruptions", "p50", "p90", "p99", "max"],
                rows: [row("softer", soft), row("silent", silent)]
              },
              engineTable(loaded)
            ],
            plots: [
              {
                _tag: "Histogram",
                title: "From the first voiced frame until the agent is softer",
                unit: "ms",
                values: softens,
                limit: minSpeechMs + beyondMs
              },
              ...enginePlots(loaded)
            ],
            limits: [
              { name: "agent softer, p99", value: soft.p99, unit: "ms", most: minSpeechMs + beyondMs },
              {
                name: "agent silent, p99",
                value: silent.p99,
                unit: "ms",
                most: minSpeechMs + listeningNoiseMs + gapsMs + beyondMs
              },
              { name: "interruptions missed", value: missed, unit: "times", most: 0 },
              failureLimit(loaded)
            ],
            generator: loaded.generator,
            details: { softens, stops, missed, engine: loaded.engine, failures: loaded.failures }
          },
          options.json
        )
      )
    })
  )

/** Measures how well the agent takes turns: scripted calls in two languages and four levels of noise, judged by what the caller heard. */
import { Effect } from "effect"
import type { Bank } from "../simulators/speech-to-text/Bank.ts"
import { recognise } from "../simulators/speech-to-text/Recogniser.ts"
import { delay } from "../simulators/support/Loopback.ts"
import { audible, decode, encode, frameBytes } from "../simulators/telephone/Mulaw.ts"
import { variantOf } from "../simulators/text-to-speech/Dialects.ts"
import { babble, noise as makeNoise, toPcm } from "../simulators/voice/Noise.ts"
import { type Spoken, speak } from "../simulators/voice/Voice.ts"
import { type Dialogue, type Level, levelName, levels, linesOf } from "./dialogues/Dialogue.ts"
import { english } from "./dialogues/english.ts"
import { hindi } from "./dialogues/hindi.ts"
import { type ModelAnswer, makeModel, promptOf, type Run, wasHeard } from "./dialogues/Model.ts"
import type { Happening, ObservedCall, Span } from "./dialogues/Observed.ts"
import { makePlayer, type Played } from "./dialogues/Player.ts"
import { score } from "./dialogues/Score.ts"
import { limitsOf, type ScoredCall, tally, wrongTable } from "./dialogues/Tally.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { letIn } from "./support/Load.ts"
import { chosen, parseOptions } from "./support/Options.ts"
import { type Parley, startParley } from "./support/Parley.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { inTurn, runBench } from "./support/Run.ts"

/** Level of a caller's speech while speaking, and seconds of noise before it repeats. */
const speechLevel = 3_000
const noiseSeconds = 10
const longestCallMs = 120_000
const slowRecogniserMs = 1_600

interface Planned extends Run {
  readonly dialogue: Dialogue
  readonly level: Level
  readonly seed: number
}

const agents = {
  "en-US": { voiceFamily: "english", voiceId: "aura-2-thalia-en", welcomeMessage: "Maple Books, hello." },
  "hi-IN": { voiceFamily: "indic", voiceId: "anushka", welcomeMessage: "मेपल बुक्स, नमस्ते।" }
} as const

const agentOf = (run: Planned) => ({
  ...agents[run.dialogue.language],
  name: run.name,
  primaryLanguage: run.dialogue.language,
  systemPrompt: promptOf(run),
  silence: { promptAfterSeconds: 6, maxPrompts: 2, promptText: "Hello?", goodbyeText: "Goodbye." }
})

/** Every dialogue that holds one of the words, at one level, the levels in rotation; or at all of them. */
const plan = (everyLevel: boolean, words: ReadonlyArray<string>): ReadonlyArray<Planned> =>
  chosen([...english, ...hindi], ({ id }) => id, words).flatMap((dialogue, index) =>
    (everyLevel ? levels : [levels[index % levels.length]]).map((level) => ({
      name: `${dialogue.id}@${levelName(level).replace(" ", "-")}`,
      language: dialogue.language,
      long: dialogue.steps.some(({ _tag }) => _tag === "Interrupt" || _tag === "Over"),
      dialogue,
      level,
      seed: index + 1
    }))
  )

/** What lies under the call; nothing on a clean line. */
const lineNoise = async ({ dialogue, level, seed }: Planned): Promise<Int16Array | undefined> => {
  if (level === null) return undefined
  const samples = noiseSeconds * 8_000
  const made = dialogue.noise === "babble" ? await babble(samples, seed) : makeNoise(dialogue.noise, samples, seed)
  return toPcm(made, speechLevel / 10 ** (level / 20))
}

const spanSamples = (said: Uint8Array, startMs: number, endMs: number): Int16Array =>
  decode(said.subarray(Math.max(0, Math.floor((startMs - 400) * 8)), Math.ceil((endMs + 400) * 8)))

/** All that a caller needs, made before the first call: synthesis would keep the callers from being on time. */
const prepare = async (run: Planned) => {
  const { dialogue } = run
  const spoken = new Map<string, Spoken>()
  for (const line of linesOf(dialogue))
    spoken.set(line, await speak(line, dialogue.language, { voice: dialogue.voice }))
  return { spoken, noise: await lineNoise(run), player: makePlayer(dialogue, (text) => spoken.get(text)!) }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

const play = async (parley: Parley, { noise, player }: Prepared, index: number) => {
  const agent = parley.agents[index]
  const answered = await parley.call(agent, {
    caller: player.script,
    onEvent: player.onEvent,
    maxMs: longestCallMs,
    ...(noise === undefined ? {} : { lineNoise: noise })
  })
  const result = letIn(answered)
  const { utterances } = await parley.stored(agent, result.callSid)
  return { result, utterances }
}
type PlayedCall = Awaited<ReturnType<typeof play>>

const observe = async (
  { world }: Parley,
  { dialogue }: Planned,
  { player }: Prepared,
  { result, utterances }: PlayedCall,
  answers: ReadonlyArray<ModelAnswer>
): Promise<ObservedCall> => {
  const agentWords = utterances.filter(({ role }) => role === "agent").map(({ text }) => text)
  return {
    happenings: player.played.map((it) => happeningOf(world.speechToText.bank, it, result.said)),
    answers: await Promise.all(
      answers.map(async ({ number, atMs, said, text }) => ({
        atMs,
        said,
        soundsMs: await soundsMs(text, dialogue.language),
        heard: wasHeard(number, agentWords)
      }))
    ),
    audible: audibleFrames(result.heard),
    clearsMs: result.events.flatMap((event) => (event.type === "clear" ? [event.atMs] : []))
  }
}

/** Adds whether anybody could have understood a turn as the line carried it. */
const happeningOf = (bank: Bank, played: Played, said: Uint8Array): Happening => {
  if (played._tag !== "Turn") return played
  const understood = ({ startMs, endMs }: Span) => recognise(bank, spanSamples(said, startMs, endMs)) !== ""
  return { ...played, intelligible: played.parts.every(understood) }
}

const audibleFrames = (heard: Uint8Array): ReadonlyArray<boolean> =>
  Array.from({ length: Math.floor(heard.length / frameBytes) }, (_, frame) => audible(heard, frame * frameBytes))

/** How long the agent's voice sounds in a text. */
const soundsMs = async (text: string, language: Dialogue["language"]): Promise<number> => {
  const { samples } = await speak(text, language, { voice: variantOf(agents[language].voiceId) })
  const whole = samples.subarray(0, samples.length - (samples.length % frameBytes))
  return audibleFrames(encode(whole)).filter(Boolean).length * 20
}

export const taken = {
  numbers: { calls: 8, ramp: 4 },
  switches: ["all-levels", "slow-recogniser"],
  words: { shown: "[NAME…]", mean: "only dialogues whose names hold one of these, e.g. numbers hi-" }
} as const

/**
 * Plays the set; `--all-levels` plays every dialogue at every level of noise; words choose
 * dialogues whose names hold one of them. `--calls` at a time. `--slow-recogniser`: speech-to-text
 * signals no activity, and its transcripts come after 1.6 s.
 */
export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const runs = plan(options.switches.has("all-levels"), options.words)
      const line = progress("dialogues")
      line.say("synthesizing and starting")
      const prepared = yield* Effect.promise(() => inTurn(runs, 1, prepare))
      const model = makeModel(runs, (run) => prepared[runs.findIndex(({ name }) => name === run.name)].player.now())
      const parley = yield* startParley({
        bank: prepared.flatMap(({ spoken }) => [...spoken.values()]),
        script: model.script,
        disclosureText: "This is an AI.",
        agents: runs.map(agentOf),
        calls: options.calls
      })
      if (options.switches.has("slow-recogniser")) {
        parley.world.speechToText.faults.unsignalled = true
        parley.world.speechToText.faults.latencyMs = slowRecogniserMs
      }
      const generator = watchGenerator()
      const began = performance.now()
      let done = 0
      const failures: Array<string> = []
      const played = yield* Effect.promise(() =>
        inTurn(prepared, options.calls, async (ready, index) => {
          // The first calls begin spread over the ramp.
          if (index < options.calls) await delay((index * options.ramp * 1_000) / options.calls)
          const call = await play(parley, ready, index).catch((cause) => {
            failures.push(`${runs[index].name}: ${cause instanceof Error ? cause.message : cause}`)
            return undefined
          })
          line.say(`${++done} of ${runs.length} calls`)
          return call
        })
      )
      const seconds = Math.round((performance.now() - began) / 1_000)
      const watched = generator()
      line.done()
      const judged = yield* Effect.promise(() =>
        inTurn(runs, 1, async (run, index) => {
          const call = played[index]
          if (call === undefined) return []
          const observed = await observe(parley, run, prepared[index], call, model.answersOf(run.name))
          return [{ run, call, observed, verdicts: score(observed) }]
        })
      )
      const calls = judged.flat()
      const scored = calls.map(
        ({ run: { dialogue, level }, verdicts }): ScoredCall => ({
          id: dialogue.id,
          category: dialogue.category,
          level,
          verdicts
        })
      )
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "dialogues",
            about:
              "Scripted calls with hesitations, numbers, noise and interruptions, judged by what the caller heard.",
            options: { ...options, switches: [...options.switches], runs: runs.length },
            tables: [tally(scored), wrongTable(scored)],
            plots: [
              {
                _tag: "Histogram",
                title: "From the end of a turn to the answer",
                unit: "ms",
                values: scored.flatMap(({ verdicts }) =>
                  verdicts.flatMap((it) => (it._tag === "Turn" && it.answerMs !== null ? [it.answerMs] : []))
                )
              }
            ],
            limits: [
              ...limitsOf(scored),
              { name: "calls that failed", value: failures.length, unit: "calls", most: 0 }
            ],
            generator: watched,
            details: {
              seconds,
              failures,
              calls: calls.map(({ run, call: { result, utterances }, observed, verdicts }) => ({
                name: run.name,
                endedBy: result.endedBy,
                verdicts,
                happenings: observed.happenings,
                answers: observed.answers,
                utterances: utterances.map(({ role, text, interrupted, startMs, endMs }) => ({
                  role,
                  text,
                  interrupted,
                  startMs,
                  endMs
                }))
              }))
            }
          },
          options.json
        )
      )
    })
  )

/** Measures who holds the floor in calls in noise, by the panel of tau-voice: eight numbers from two tracks. */
import { Effect } from "effect"
import { Bank } from "../simulators/speech-to-text/Bank.ts"
import { activeLevel, babble, noise } from "../simulators/voice/Noise.ts"
import { type Spoken, speak } from "../simulators/voice/Voice.ts"
import { soundOf } from "./dialogues/Sounds.ts"
import { goodJudge, type Judge, weakJudge } from "./eot/Judge.ts"
import { type Panel, panelOf } from "./panel/Panel.ts"
import { agentLines, longestCallMs, type PlayedCall, playCall } from "./panel/PlayedCall.ts"
import { makeVoice } from "./panel/Providers.ts"
import { readRecordings } from "./panel/Recordings.ts"
import { cough, listeningRate, makeScripts, roomVoice, type Script, type Step } from "./panel/Script.ts"
import { Telephone } from "./panel/Telephone.ts"
import { OptionsInvalid, parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { inTurn, runBench } from "./support/Run.ts"
import type { Table } from "./support/Table.ts"

const seed = 26
const snrDb = 10
const noiseMs = 30_000
const speechLevel = 3_277
const callsOfLine = 16
const leastEvents = 40
const quietDb = -60

/**
 * `television`: one voice that never stops. The simulated recogniser understands nothing over it, which real ones do, so there it gets the caller's
 * sound alone. The goals are over the lines in noise.
 */
const lines = ["cafe", "street", "television", "clean"] as const
type Line = (typeof lines)[number]
const lineOf = (name: string): Line => lines.find((line) => name.startsWith(line)) ?? "clean"

const isNoisy = (name: string): boolean => lineOf(name) !== "clean"

/** Every other call has the agent's own echo on its line. */
const echo = { gainDb: -30, delayMs: 180 }

const backgroundOf = async (line: Line): Promise<Float64Array> => {
  const samples = noiseMs * 8
  const made =
    line === "street"
      ? noise("street", samples, seed)
      : line === "clean"
        ? noise("pink", samples, seed)
        : await babble(samples, seed, line === "television" ? 1 : 7)
  const level = line === "clean" ? 32_768 * 10 ** (quietDb / 20) : speechLevel / 10 ** (snrDb / 20)
  return made.map((sample) => sample * level)
}

const voiceOf = (script: Script, step: Step) =>
  step.kind === "room"
    ? { voice: roomVoice }
    : { voice: script.voice, ...(step.kind === "listening" ? { rate: listeningRate } : {}) }
const keyOf = (script: Script, step: Step, text: string) => `${JSON.stringify(voiceOf(script, step))} ${text}`

/** All that is said, at one level. */
const speakAll = async (scripts: ReadonlyArray<Script>): Promise<ReadonlyMap<string, Spoken>> => {
  const said = new Map<string, Spoken>()
  for (const script of scripts)
    for (const step of script.steps)
      for (const text of step.parts) {
        if (typeof text === "number" || text === cough) continue
        const spoken = await speak(text, "en-US", voiceOf(script, step))
        const factor = speechLevel / activeLevel(spoken.samples)
        said.set(keyOf(script, step, text), { ...spoken, samples: spoken.samples.map((sample) => sample * factor) })
      }
  return said
}

const play = async (judge: Judge, chosen: ReadonlyArray<Line>, say: (text: string) => void) => {
  const scripts = makeScripts(chosen, callsOfLine, seed)
  say("the callers' voices")
  const said = await speakAll(scripts)
  const bank = new Bank(said.values())
  const voice = await makeVoice(agentLines)
  const backgrounds = new Map<Line, Float64Array>()
  for (const line of chosen) backgrounds.set(line, await backgroundOf(line))
  const barks = { samples: soundOf("cough") }
  let done = 0
  return inTurn(scripts, 1, async (script, index) => {
    const background = backgrounds.get(lineOf(script.name)) ?? new Float64Array(1)
    const call = await playCall({
      script,
      bank,
      judge,
      understands: lineOf(script.name) === "television",
      voice,
      telephone: new Telephone({
        longestMs: longestCallMs + 20_000,
        background,
        ...(index % 2 === 0 ? {} : { echo })
      }),
      sound: (of, step, text) => (text === cough ? barks : (said.get(keyOf(of, step, text)) ?? barks))
    })
    say(`${judge.name}: ${++done} of ${scripts.length} calls`)
    return call
  })
}

const two = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(2))
const rowOf = (name: string, panel: Panel) => [
  name,
  ...[panel.LR, panel.LY, panel.RR, panel.RY, panel.IA, panel.SBC, panel.SVT, panel.SND].map(two),
  panel.deadAir
]
const columns = ["L_R s", "L_Y s", "R_R", "R_Y", "I_A", "S_BC", "S_VT", "S_ND", "dead air"]

const tablesOf = (judged: ReadonlyArray<readonly [Judge, ReadonlyArray<PlayedCall>]>): ReadonlyArray<Table> => {
  const rows = judged.flatMap(([judge, calls]) => [
    [`in noise, judge ${judge.name}`, calls.filter(({ name }) => isNoisy(name))] as const,
    ...lines.map((line) => [line, calls.filter(({ name }) => lineOf(name) === line)] as const)
  ])
  const panels = rows.filter(([, calls]) => calls.length > 0).map(([name, calls]) => [name, panelOf(calls)] as const)
  return [
    { title: `Who holds the floor, at ${snrDb} dB`, columns: ["", ...columns], rows: panels.map((it) => rowOf(...it)) },
    {
      title: "The same, by what it consists of",
      columns: [
        "",
        "vocal over the agent",
        "in silence",
        "said away",
        "in the room",
        "not meant, over the agent",
        "in silence"
      ],
      rows: panels.map(([name, { parts }]) => [
        name,
        ...[
          parts.vocalOver,
          parts.vocalInSilence,
          parts.away,
          parts.room,
          parts.notMeantOver,
          parts.notMeantInSilence
        ].map(two)
      ])
    },
    {
      title: "Events",
      columns: ["", "turns", "interruptions", "listening noises", "vocal", "not meant"],
      rows: panels.map(([name, { counts }]) => [name, ...Object.values(counts)])
    }
  ]
}

/** The most that is allowed; of what is to be at least so much, what is missing to it. */
const limitsOf = ({ IA, RY, LY, SBC, SVT, SND, counts }: Panel): ReadonlyArray<Limit> => {
  const missing = (name: string, value: number, least: number): Limit => ({
    name: `${name} (${two(value)}): missing to ${least}`,
    value: Math.max(0, least - value),
    unit: "",
    most: 0
  })
  return [
    { name: "I_A", value: IA, unit: "", most: 0.05 },
    missing("R_Y", RY, 0.98),
    { name: "L_Y", value: LY, unit: "s", most: 0.4 },
    missing("S_BC", SBC, 0.95),
    missing("S_VT", SVT, 0.9),
    missing("S_ND", SND, 0.6),
    missing("events of the rarest kind", Math.min(...Object.values(counts)), leastEvents)
  ]
}

/** The panel of recorded calls. They have no limits: what was said in them decides what is possible. */
const judgeRecordings = async (folder: string, json: boolean): Promise<number> => {
  const calls = await readRecordings(folder)
  const rows = [["all", calls] as const, ...calls.map((call) => [call.name, [call]] as const)]
  const panels = rows.map(([name, some]) => [name, panelOf(some)] as const)
  return publish(
    {
      bench: "panel",
      about: `Who holds the floor in the recordings of ${folder}: eight numbers from two tracks.`,
      options: { recordings: folder },
      tables: [
        { title: "Who holds the floor", columns: ["", ...columns], rows: panels.map((it) => rowOf(...it)) },
        {
          title: "Events",
          columns: ["", "turns", "interruptions", "listening noises", "vocal", "not meant"],
          rows: panels.map(([name, { counts }]) => [name, ...Object.values(counts)])
        }
      ],
      plots: [],
      limits: [],
      generator: null,
      details: panels.map(([name, { outcomes }]) => ({ name, outcomes }))
    },
    json
  )
}

const chosenLines = (words: ReadonlyArray<string>): ReadonlyArray<Line> => {
  const unknown = words.find((word) => !lines.some((line) => line === word))
  if (unknown !== undefined) throw new OptionsInvalid(`no line is called ${unknown}: ${lines.join(", ")}`)
  return words.length === 0 ? lines : lines.filter((line) => words.includes(line))
}

export const taken = {
  numbers: {},
  texts: ["recordings"],
  words: { shown: "[LINE…]", mean: "only these lines: cafe, street, television, clean" }
} as const

/** Publishes the tables; 0 when all goals are met, else 1. */
export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const { json, words, texts } = parseOptions(args, taken)
      const chosen = chosenLines(words)
      const { recordings } = texts
      if (recordings !== undefined) return yield* Effect.promise(() => judgeRecordings(recordings, json))
      const line = progress("panel")
      const judged = yield* Effect.promise(() =>
        inTurn([goodJudge, weakJudge], 1, async (judge) => [judge, await play(judge, chosen, line.say)] as const)
      )
      line.done()
      const goals = panelOf(judged[0][1].filter(({ name }) => isNoisy(name)))
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "panel",
            about: "Who holds the floor in calls in noise: eight numbers from two tracks.",
            options: { lines: chosen },
            tables: tablesOf(judged),
            plots: [],
            limits: limitsOf(goals),
            generator: null,
            details: judged.map(([judge, calls]) => ({
              judge: judge.name,
              outcomes: panelOf(calls).outcomes
            }))
          },
          json
        )
      )
    })
  )

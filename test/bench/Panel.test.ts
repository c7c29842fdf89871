import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { panelOf } from "../../bench/panel/Panel.ts"
import type { Played, PlayedCall } from "../../bench/panel/PlayedCall.ts"
import { readRecordings } from "../../bench/panel/Recordings.ts"
import { makeScripts } from "../../bench/panel/Script.ts"
import { Telephone } from "../../bench/panel/Telephone.ts"
import { speak } from "../../simulators/voice/Voice.ts"
import { encode } from "../../src/audio/frames/Mulaw.ts"
import { encodeWav } from "../../src/domain/basics/Wav.ts"

const lengthMs = 20_000

/** A call in which the agent is heard in these spans, at the level of a softened agent. */
const callOf = (agent: ReadonlyArray<readonly [number, number]>, events: ReadonlyArray<Played>): PlayedCall => {
  const telephone = new Telephone({ longestMs: lengthMs, background: new Float64Array(1) })
  for (const [fromMs, untilMs] of agent) telephone.agent.fill(800, fromMs * 8, untilMs * 8)
  return { name: "clean 1", events, telephone, lengthMs }
}
const event = (kind: Played["kind"], over: boolean, startMs: number, endMs: number): Played => ({
  kind,
  over,
  startMs,
  endMs,
  parts: [{ startMs, endMs }]
})

describe("The panel", () => {
  it("counts an answer from the end of the turn, and one that begins in the middle of it as a collision", () => {
    const turn = event("turn", false, 1_000, 3_000)
    const good = panelOf([callOf([[4_000, 8_000]], [turn])])
    expect([good.LR, good.RR, good.IA]).toEqual([1, 1, 0])
    expect(panelOf([callOf([[2_000, 2_400]], [turn])])).toMatchObject({ RR: 0, IA: 1 })
    // Both began at once.
    expect(panelOf([callOf([[1_100, 1_500]], [turn])]).IA).toBe(0)
  })

  it("counts an interruption as yielded to when the agent is silent within 2 s and stays so, softened is not silent", () => {
    const interruption = event("interruption", true, 5_000, 7_000)
    const yields = panelOf([callOf([[1_000, 5_600]], [interruption])])
    expect([yields.RY, yields.LY]).toEqual([1, expect.closeTo(0.6, 5)])
    // A pause between two clauses is no end.
    const pauses = [
      [1_000, 5_200],
      [5_600, 9_000]
    ] as const
    expect(panelOf([callOf(pauses, [interruption])]).RY).toBe(0)
  })

  it("takes what is no turn as talked through unless the agent stops within a second, or answers it within two", () => {
    const over = (untilMs: number) =>
      panelOf([callOf([[1_000, untilMs]], [event("listening", true, 5_000, 5_400)])]).SBC
    expect([over(5_700), over(6_100), over(9_000)]).toEqual([0, 1, 1])
    const silent = (answerMs: number) =>
      panelOf([callOf([[answerMs, answerMs + 1_000]], [event("room", false, 5_000, 6_000)])]).SND
    expect([silent(7_500), silent(8_100)]).toEqual([0, 1])
  })
})

describe("A recorded call", () => {
  /** Caller left, agent right; the caller speaks in these spans. */
  const write = async (
    folder: string,
    caller: ReadonlyArray<readonly [number, number]>,
    agent: ReadonlyArray<readonly [number, number]>
  ) => {
    const { samples } = await speak(
      "I would like to move my appointment to Friday, and then I want to know what it costs.",
      "en-US"
    )
    const tracks = [new Int16Array(lengthMs * 8), new Int16Array(lengthMs * 8)]
    for (const [fromMs, untilMs] of caller) tracks[0].set(samples.subarray(0, (untilMs - fromMs) * 8), fromMs * 8)
    for (const [fromMs, untilMs] of agent) tracks[1].fill(800, fromMs * 8, untilMs * 8)
    await writeFile(join(folder, "call.wav"), encodeWav(tracks, 8_000))
  }
  const inFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
    const folder = await mkdtemp(join(tmpdir(), "panel-"))
    return use(folder).finally(() => rm(folder, { recursive: true }))
  }

  it("has turns and interruptions by its sound alone", () =>
    inFolder(async (folder) => {
      await write(
        folder,
        [
          [2_000, 4_500],
          [8_000, 10_500]
        ],
        [[5_500, 8_900]]
      )
      const panel = panelOf(await readRecordings(folder))
      expect(panel.counts).toMatchObject({ turns: 1, interruptions: 1, listening: 0 })
      expect([panel.RR, panel.RY]).toEqual([1, 1])
      expect(Math.abs(panel.LR - 1)).toBeLessThan(0.2)
      expect(Math.abs(panel.LY - 0.9)).toBeLessThan(0.2)
    }))

  it("has what a person says of it, also what is not to be answered", () =>
    inFolder(async (folder) => {
      await write(folder, [[6_000, 6_400]], [[5_000, 9_000]])
      await writeFile(join(folder, "call.json"), '[{ "kind": "listening", "startMs": 6000, "endMs": 6400 }]')
      expect(panelOf(await readRecordings(folder))).toMatchObject({ SBC: 1, counts: { listening: 1, turns: 0 } })
    }))

  it("is refused with a sentence when it cannot be used", () =>
    inFolder(async (folder) => {
      await expect(readRecordings(folder)).rejects.toThrow("there is no WAV file")
      await writeFile(join(folder, "call.wav"), encodeWav([new Int16Array(160)], 8_000))
      await expect(readRecordings(folder)).rejects.toThrow("has 1 tracks, not two")
      await write(folder, [], [])
      await writeFile(join(folder, "call.json"), '[{ "kind": "sneeze", "startMs": 1, "endMs": 2 }]')
      await expect(readRecordings(folder)).rejects.toThrow("event 1 of call.json needs kind")
    }))
})

describe("The telephone of the panel", () => {
  it("lets the caller hear what was sent and not cleared, and gives marks back when it was played or cleared", () => {
    const telephone = new Telephone({ longestMs: 2_000, background: new Float64Array(1) })
    const payload = Buffer.from(encode(new Int16Array(160).fill(1_000))).toString("base64")
    for (let i = 0; i < 5; i++) telephone.send(JSON.stringify({ event: "media", media: { payload } }))
    telephone.send(JSON.stringify({ event: "mark", mark: { name: "one" } }))
    expect(telephone.takeMarks()).toEqual([])
    telephone.next()
    telephone.send(JSON.stringify({ event: "clear" }))
    for (let i = 0; i < 3; i++) telephone.next()
    expect(telephone.takeMarks()).toEqual(["one"])
    const heardMs = telephone.agent.findLastIndex((sample) => sample !== 0) / 8
    expect(heardMs).toBeGreaterThan(40)
    expect(heardMs).toBeLessThanOrEqual(60)
  })

  it("gives back the agent's echo, softer and later", () => {
    const telephone = new Telephone({
      longestMs: 2_000,
      background: new Float64Array(1),
      echo: { gainDb: -20, delayMs: 100 }
    })
    telephone.agent.fill(10_000, 0, 160)
    const loudest = Array.from({ length: 10 }, () => Math.max(...telephone.next().map((byte) => ~byte & 0x7f)))
    expect(loudest.map((level) => level > 0)).toEqual(loudest.map((_, frame) => frame === 5))
  })
})

describe("The scripts of the panel", () => {
  it("are the same for the same seed, and have every kind of event in each call", () => {
    const scripts = makeScripts(["cafe", "clean"], 4, 26)
    expect(makeScripts(["cafe", "clean"], 4, 26)).toEqual(scripts)
    for (const { steps } of scripts) expect(new Set(steps.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(5)
  })
})

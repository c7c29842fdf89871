import { describe, expect, it } from "vitest"
import { panelOf } from "../../bench/panel/Panel.ts"
import type { Played, PlayedCall } from "../../bench/panel/PlayedCall.ts"
import { makeScripts } from "../../bench/panel/Script.ts"
import { Telephone } from "../../bench/panel/Telephone.ts"
import { encode } from "../../src/audio/frames/Mulaw.ts"

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

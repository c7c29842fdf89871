import { beforeAll, describe, expect, it } from "vitest"
import { activeLevel } from "../../../simulators/voice/Noise.ts"
import { speak } from "../../../simulators/voice/Voice.ts"
import { encode, powerOf } from "../../../src/audio/frames/Mulaw.ts"
import { OwnEcho } from "../../../src/audio/vad/OwnEcho.ts"
import { Vad } from "../../../src/audio/vad/Vad.ts"
import { agentSpeech, alone, withEcho } from "../../support/telephoneLine.ts"
import { startsOver } from "../../support/vad-trial.ts"

const callMs = 12_000
const speaksAtMs = 9_000
let agent: Int16Array
let interruption: Int16Array
beforeAll(async () => {
  agent = await agentSpeech(callMs)
  interruption = (await speak("No, tell me about next Friday.", "en-US")).samples
})

const quiet = new Int16Array(callMs * 8)
const hiss = () => alone("pink", callMs, -60, 4)

/** A line on which the caller speaks at `speaksAtMs`, dB of full scale. */
const interrupted = (line: Int16Array, level: number): Int16Array => {
  const factor = (32_768 * 10 ** (level / 20)) / activeLevel(interruption)
  return line.map((sample, i) => sample + factor * (interruption[i - speaksAtMs * 8] ?? 0))
}

describe("The agent's own echo", () => {
  it.each([
    { gainDb: -40, delayMs: 130 },
    { gainDb: -30, delayMs: 40 },
    { gainDb: -25, delayMs: 250 },
    { gainDb: -20, delayMs: 420 }
  ])("is no speech of the caller, from the first word on: $gainDb dB after $delayMs ms", async (path) => {
    for (const line of [quiet, await hiss()]) expect(startsOver(withEcho(line, agent, path), agent)).toEqual([])
  })

  it("is learned within two seconds of the agent's speech where it is louder than usual", async () => {
    for (const delayMs of [90, 350]) {
      const starts = startsOver(withEcho(await hiss(), agent, { gainDb: -14, delayMs }), agent)
      expect(starts.filter((ms) => ms > 2_000)).toEqual([])
    }
  })

  it("does not hide a caller who interrupts, loud or soft", async () => {
    for (const [level, withinMs] of [
      [-20, 80],
      [-30, 160]
    ]) {
      for (const delayMs of [40, 250]) {
        const line = withEcho(interrupted(await hiss(), level), agent, { gainDb: -25, delayMs })
        const start = startsOver(line, agent).find((ms) => ms >= speaksAtMs)
        expect(start, `${level} dB, ${delayMs} ms`).toBeLessThanOrEqual(speaksAtMs + withinMs)
      }
    }
  })

  it("does not keep the line's noise from being learned: who answers right after a greeting is heard whole", async () => {
    const greetingMs = 2_400
    for (const gapMs of [200, 500, 800]) {
      const line = Int16Array.from(await hiss())
      const from = (greetingMs + gapMs) * 8
      interruption.forEach((sample, i) => {
        line[from + i] += sample
      })
      const vad = new Vad()
      let heard = 0
      for (let at = 0; at + 160 <= from + interruption.length; at += 160) {
        if (at < greetingMs * 8) vad.echo.plays(powerOf(encode(agent.subarray(at, at + 160))), 0)
        vad.step(line.subarray(at, at + 160))
        if (at >= from && vad.speaking) heard++
      }
      expect(heard / (interruption.length / 160), `${gapMs} ms after the greeting`).toBeGreaterThan(0.85)
    }
  })
})

describe("OwnEcho", () => {
  it("expects nothing while the agent is silent, and nothing of what the provider dropped", () => {
    const echo = new OwnEcho()
    expect(echo.step(1e6)).toBe(0)
    for (let ahead = 100; ahead <= 200; ahead += 20) echo.plays(4e6, ahead)
    echo.cleared()
    for (let frame = 0; frame < 40; frame++) expect(echo.step(0)).toBe(0)
    expect(echo.agentHeard).toBe(false)
  })

  it("expects an echo until the longest delay after the agent's last frame, and then no more", () => {
    const echo = new OwnEcho()
    echo.plays(4e6, 20)
    const expected = Array.from({ length: 60 }, () => echo.step(0))
    expect(expected[0]).toBeGreaterThan(0)
    expect(expected[29]).toBeGreaterThan(0)
    expect(expected[59]).toBeLessThan(1)
  })
})

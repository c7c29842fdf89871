/** Callers of a service that is somebody else's: what they accept, when they call, and how they judge by sound. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { frameBytes } from "../../bench/crowd/Watermark.ts"
import { changesOf, keptRunOf } from "../../bench/support/Comparison.ts"
import { junitOf } from "../../bench/support/JUnit.ts"
import { OptionsInvalid } from "../../bench/support/Options.ts"
import { arrivalKinds, makeGaps, makeLengths } from "../../bench/target/Arrivals.ts"
import { Findings } from "../../bench/target/Findings.ts"
import { Heard } from "../../bench/target/Heard.ts"
import { targetOf } from "../../bench/target/Target.ts"
import { limitsOf, thresholdsOf } from "../../bench/target/Thresholds.ts"
import { Visitor } from "../../bench/target/Visitor.ts"
import { random } from "../../simulators/voice/Noise.ts"
import { resampled } from "../../simulators/voice/Resampler.ts"

const account = { accountSid: "AC1", authToken: "secret", number: "+14155550123" }
const parley = { target: "http://127.0.0.1:8080/", plain: false, owned: false, ...account }

describe("a target", () => {
  it("on this machine is called without further question", () => {
    for (const target of ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"])
      expect(targetOf({ ...parley, target }).account?.calledNumber).toBe("+14155550123")
    expect(targetOf({ target: "ws://127.0.0.1:9000/media", plain: true, owned: false }).account).toBeUndefined()
  })

  it("elsewhere is called only when the caller says that it is theirs", () => {
    for (const target of [
      "https://parley.example",
      "http://127.0.0.1.example",
      "http://10.0.0.1",
      "http://localhost.example"
    ]) {
      expect(() => targetOf({ ...parley, target })).toThrow("add --i-own-this-target")
      expect(targetOf({ ...parley, target, owned: true }).url.href).toContain(target)
    }
  })

  it.each([
    [{ target: "ftp://127.0.0.1" }, "must be an address that begins with http:// or https://"],
    [{ target: "nonsense" }, "must be an address"],
    [{ target: "http://user:secret@127.0.0.1" }, "without a user"],
    [{ authToken: undefined }, "a Parley needs --account-sid, --auth-token and --number"],
    [{ number: "4155550123" }, "--number must be like +14155550123"],
    [{ target: "ws://127.0.0.1", plain: true }, "have no meaning"]
  ])("that cannot be called is refused with a sentence: %j", (change, sentence) => {
    expect(() => targetOf({ ...parley, ...change })).toThrow(OptionsInvalid)
    expect(() => targetOf({ ...parley, ...change })).toThrow(sentence)
  })
})

describe("calls", () => {
  it.each(arrivalKinds)("come as often as they should, whatever the pattern: %s", (kind) => {
    const gap = makeGaps(kind, 5, random(3))
    const sum = Array.from({ length: 5_000 }, gap).reduce((total, ms) => total + ms, 0)
    expect(sum / 5_000 / 200).toBeCloseTo(1, 1)
  })

  it("last as long on average as asked for, and none for ever", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 1_000_000 }), (seconds, seed) => {
        const length = makeLengths(seconds, random(seed))
        const all = Array.from({ length: 2_000 }, length)
        expect(Math.max(...all)).toBeLessThanOrEqual(seconds * 4_000)
        expect(all.reduce((sum, ms) => sum + ms, 0) / all.length / seconds / 1_000).toBeCloseTo(1, 0)
      }),
      { numRuns: 20 }
    )
  })
})

const loud = new Uint8Array(frameBytes).fill(0x90)
const quiet = new Uint8Array(frameBytes).fill(0xff)

describe("what a caller hears", () => {
  it("has no hole while frames are never later than what was sent ahead of them", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 50 }), (delays) => {
        const heard = new Heard()
        const holes = delays.map((late, index) => heard.take(loud, 1_000 + index * 20 + late))
        expect(Math.max(...holes)).toBe(0)
      })
    )
  })

  it("has a hole where speech stops for a moment, and none where it pauses", () => {
    for (const [gapMs, found] of [
      [100, true],
      [500, false]
    ] as const) {
      const heard = new Heard()
      for (let index = 0; index < 10; index++) heard.take(loud, 1_000 + index * 20)
      heard.play(heard.until + 1)
      const at = heard.until + gapMs
      heard.play(at)
      expect(heard.take(loud, at) > 0).toBe(found)
    }
  })

  it("ends when the provider drops its buffer, and counts silence as nothing", () => {
    const heard = new Heard()
    for (let index = 0; index < 100; index++) heard.take(loud, 1_000)
    heard.play(1_500)
    heard.clear(1_500)
    heard.play(3_000)
    expect(heard.audibleAt).toBeLessThanOrEqual(1_520)
    for (let index = 0; index < 10; index++) heard.take(quiet, 3_000 + index * 20)
    heard.play(4_000)
    expect(heard.audibleAt).toBeLessThanOrEqual(1_520)
  })
})

/** Plays a visitor at a service that does what `answer` says, on a clock of the test's. */
const visit = (seconds: number, answer: (spoken: boolean, nowMs: number) => ReadonlyArray<string>, caller = 1) => {
  const findings = new Findings()
  const sent: Array<string> = []
  const utterance = { name: "hello", text: "", audio: new Uint8Array(frameBytes * 50).fill(0x90) }
  const visitor = new Visitor({
    ...{ findings, caller, streamSid: "MZ1", noise: [Buffer.from(quiet).toString("base64")] },
    utterances: [utterance],
    send: (text) => void sent.push(text)
  })
  const spokenPayload = Buffer.from(loud).toString("base64")
  for (let now = 1_000; now < 1_000 + seconds * 1_000; now += 20) {
    const before = sent.length
    visitor.tick(now)
    const spoken = sent.slice(before).some((text) => text.includes(spokenPayload))
    for (const message of answer(spoken, now)) visitor.receive(message, now)
  }
  return { findings, sent }
}
const media = JSON.stringify({ event: "media", media: { payload: Buffer.from(loud).toString("base64") } })

describe("a visitor", () => {
  it("times the answer from the end of its own speech, and sends marks back when they are heard", () => {
    let endedAt = 0
    let spoke = false
    const { findings, sent } = visit(30, (spoken, now) => {
      if (spoke && !spoken) endedAt = now
      spoke = spoken
      const since = now - endedAt
      if (endedAt === 0 || since < 600 || since >= 1_600) return []
      return since === 1_580 ? [media, '{"event":"mark","mark":{"name":"end"}}'] : [media]
    })
    expect(findings.counts.turns).toBeGreaterThan(5)
    expect(findings.counts.unanswered + findings.counts.overlapped).toBe(0)
    for (const ms of findings.times.answer) expect(Math.abs(ms - 640)).toBeLessThanOrEqual(40)
    expect(findings.counts.marks).toBe(sent.filter((text) => text.includes('"name":"end"')).length)
  })

  it("takes an echo for no answer", () => {
    const { findings } = visit(20, (spoken) => (spoken ? [media] : []))
    expect(findings.counts.overlapped).toBe(findings.counts.turns)
    expect(findings.times.answer).toEqual([])
  })

  it("notices who says nothing, and who does not stop when interrupted", () => {
    expect(visit(30, () => []).findings.counts.unanswered).toBeGreaterThan(1)
    let began = false
    const { findings } = visit(
      120,
      (spoken) => {
        began ||= spoken
        return began ? [media] : []
      },
      5
    )
    expect(findings.counts.notSilenced).toBe(findings.counts.interruptions)
  })

  it("survives messages that are none", () => {
    const { findings } = visit(1, () => [
      "nonsense",
      "{}",
      '{"event":"media"}',
      '{"event":"media","media":{"payload":"%%"}}',
      "null"
    ])
    expect(findings.notes.some((note) => note.includes("no JSON"))).toBe(true)
  })
})

describe("thresholds", () => {
  it("replace the usual limits of the same name, and are missed when nothing was measured", () => {
    const findings = new Findings()
    findings.counts.holes = 3
    const limits = limitsOf(findings, false, thresholdsOf("holes=5, answer-p95=1500"))
    expect(limits.find(({ name }) => name === "holes")).toEqual({ name: "holes", value: 3, unit: "", most: 5 })
    expect(limits.find(({ name }) => name === "answer-p95")?.value).toBeNaN()
    expect(limits.filter(({ name }) => name === "holes")).toHaveLength(1)
  })

  it.each([
    "answer=5",
    "answer-p42=5",
    "answer-p95-x=5",
    "nonsense=1",
    "dropped",
    "dropped=",
    "dropped=many",
    "toString=1"
  ])("are refused when they name nothing: %s", (text) => {
    expect(() => thresholdsOf(text)).toThrow(OptionsInvalid)
  })

  it("become JUnit test cases, whatever their names hold", () => {
    const limit = (name: string, value: number) => ({ name, value, unit: "ms", most: 1 })
    const xml = junitOf({ bench: "calls", limits: [limit('a<b&"c"', 2), limit("d", 1)], generator: null })
    expect(xml).toContain('tests="3" failures="1"')
    expect(xml).toContain('name="a&lt;b&amp;&quot;c&quot;"><failure message="2 ms, at most 1 ms"/>')
  })
})

const kept = (answers: ReadonlyArray<number>, dropped: number) =>
  keptRunOf(
    "run.json",
    JSON.stringify({
      bench: "calls",
      limits: [],
      generator: { invalid: null },
      details: { times: { answer: answers }, counts: { dropped } }
    })
  )
const drawn = (seed: number, mean: number) => {
  const next = random(seed)
  return Array.from({ length: 200 }, () => mean + 100 * next())
}

describe("a comparison of runs", () => {
  it("finds a change that is larger than the noise, and no other", () => {
    const verdicts = (before: ReturnType<typeof kept>, after: ReturnType<typeof kept>) =>
      changesOf([before], [after]).map(({ name, verdict }) => `${name}: ${verdict}`)
    expect(verdicts(kept(drawn(1, 500), 0), kept(drawn(2, 500), 0))).toEqual([
      "times.answer p50: within the noise",
      "times.answer p95: within the noise",
      "counts.dropped: same"
    ])
    expect(verdicts(kept(drawn(1, 500), 2), kept(drawn(2, 560), 40))).toEqual([
      "times.answer p50: higher",
      "times.answer p95: higher",
      "counts.dropped: higher"
    ])
  })

  it("says of a file that it is no run", () => {
    for (const text of ["nonsense", "null", "[]", '{"bench":1}', '{"bench":"calls"}'])
      expect(() => keptRunOf("x.json", text)).toThrow(OptionsInvalid)
  })
})

describe("a recording at any rate", () => {
  it.each([
    11_025, 16_000, 22_050, 44_100, 48_000
  ])("keeps a tone of 1 kHz as loud as it is, and drops one of 5 kHz: %d Hz", (rate) => {
    const tone = (hertz: number) =>
      Float64Array.from({ length: rate / 2 }, (_, n) => 1_000 * Math.sin((2 * Math.PI * hertz * n) / rate))
    const peak = (hertz: number) => Math.max(...resampled(tone(hertz), rate).slice(400, 3_600))
    expect(peak(1_000)).toBeGreaterThan(950)
    expect(peak(1_000)).toBeLessThan(1_050)
    if (rate > 11_025) expect(peak(5_000)).toBeLessThan(60)
  })
})

/** The telephone of a browser: mu-law, rates, what is played and when marks are told, and where its socket goes. */
import { describe, expect, it } from "vitest"
import { decode, encode } from "../../simulators/telephone/Mulaw.ts"
import { reachable } from "../../web/src/features/testcall/address.ts"
import { decodeByte, encodeSample } from "../../web/src/lib/audio/mulaw.ts"
import { Playout } from "../../web/src/lib/audio/playout.ts"
import { Resampler } from "../../web/src/lib/audio/resampler.ts"

describe("mu-law in a browser", () => {
  it("is that of the telephone network, for every sample and every byte", () => {
    const samples = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768)
    const ours = Uint8Array.from(samples, (sample) => encodeSample(sample / 32_767))
    const theirs = encode(samples)
    const different = samples.filter((_, index) => ours[index] !== theirs[index])
    // -32,768 has no counterpart among numbers of -1 to 1.
    expect(different.length).toBeLessThan(2)
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect([...bytes].map((byte) => Math.round(decodeByte(byte) * 32_768) + 0)).toEqual([...decode(bytes)])
  })
})

describe("a change of the rate", () => {
  const tone = (hertz: number, rate: number, seconds: number) =>
    Float32Array.from({ length: rate * seconds }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / rate))
  const changed = (from: number, to: number, samples: Float32Array) => {
    const resampler = new Resampler(from, to)
    const out: Array<number> = []
    for (let at = 0; at < samples.length; at += 128)
      resampler.push(samples.subarray(at, at + 128), (one) => out.push(one))
    return out
  }
  const loudness = (samples: ReadonlyArray<number>) => {
    const middle = samples.slice(Math.floor(samples.length / 4), Math.floor((samples.length * 3) / 4))
    return Math.sqrt(middle.reduce((sum, one) => sum + one * one, 0) / middle.length)
  }

  it.each([
    [48_000, 8_000],
    [44_100, 8_000],
    [8_000, 48_000],
    [16_000, 8_000]
  ])("from %i to %i keeps speech as long and as loud as it was", (from, to) => {
    const out = changed(from, to, tone(1_000, from, 1))
    expect(Math.abs(out.length - to)).toBeLessThan(to / 50)
    expect(loudness(out)).toBeCloseTo(0.5 / Math.SQRT2, 1)
  })

  it("takes away what the lower rate cannot hold, which would be heard as another tone", () => {
    expect(loudness(changed(48_000, 8_000, tone(6_000, 48_000, 1)))).toBeLessThan(0.01)
    expect(loudness(changed(8_000, 48_000, tone(300, 8_000, 1)))).toBeCloseTo(0.5 / Math.SQRT2, 1)
  })
})

describe("what the agent says", () => {
  it("is heard in order; a mark is told when all before it was heard, and at once when nothing waits", () => {
    const heard: Array<string> = []
    const playout = new Playout((mark) => heard.push(mark))
    playout.mark("before")
    expect(heard).toEqual(["before"])
    playout.media(Uint8Array.of(1, 2))
    playout.mark("after")
    expect([playout.next(), heard.length, playout.next()]).toEqual([1, 1, 2])
    expect(heard).toEqual(["before", "after"])
    expect(playout.next()).toBeUndefined()
  })

  it("is thrown away by clear, whose marks are told, and goes on with what comes then", () => {
    const heard: Array<string> = []
    const playout = new Playout((mark) => heard.push(mark))
    playout.media(Uint8Array.of(1, 2, 3))
    playout.mark("one")
    playout.next()
    playout.clear()
    expect(heard).toEqual(["one"])
    playout.media(Uint8Array.of(9))
    expect([playout.next(), playout.next()]).toEqual([9, undefined])
  })
})

describe("the address of a test call", () => {
  const page = (protocol: string, host: string) => ({ protocol, host, hostname: host.replace(/:\d+$/, "") })
  it("is taken as it is given where the page has TLS, and is this page's server without", () => {
    const given = "wss://parley.example/media?call=call_1&token=t"
    expect(reachable(given, page("https:", "parley.example"))).toBe(given)
    expect(reachable(given, page("http:", "127.0.0.1:5173"))).toBe(given)
    expect(reachable("wss://127.0.0.1:8080/media?call=c", page("http:", "localhost:5173"))).toBe(
      "ws://localhost:5173/media?call=c"
    )
    expect(reachable("wss://10.0.0.7/media", page("http:", "10.0.0.7:8080"))).toBe("ws://10.0.0.7:8080/media")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { WaitingStreams } from "../../../src/http/media-stream/WaitingStreams.ts"

describe("the media streams that wait for their start", () => {
  const streams = () => {
    const waiting = new WaitingStreams()
    const left: Array<string> = []
    const open = (name: string, remote: string) => {
      const stream = { remote, giveUp: () => void left.push(name) }
      waiting.add(stream)
      return stream
    }
    return { waiting, left, open }
  }

  it("are 500 of one address: then the one that has waited longest leaves", () => {
    const { waiting, left, open } = streams()
    const provider = open("provider", "b")
    const opened = Array.from({ length: 502 }, (_, n) => open(`a${n}`, "a"))
    assert.deepStrictEqual(left, ["a0", "a1"])
    assert.strictEqual(waiting.size, 501)
    for (const one of [...opened, provider]) waiting.delete(one)
    assert.strictEqual(waiting.size, 0)
  })

  it("are 1,000 of all addresses", () => {
    const { waiting, left, open } = streams()
    for (let n = 0; n < 1_003; n++) open(`s${n}`, `address ${n % 100}`)
    assert.deepStrictEqual(left, ["s0", "s1", "s2"])
    assert.strictEqual(waiting.size, 1_000)
  })
})

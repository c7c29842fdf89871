import { assert, describe, it } from "vitest"
import { PlayoutBuffer } from "../../../simulators/telephone/PlayoutBuffer.ts"

const sound = (bytes: number, value = 1) => new Uint8Array(bytes).fill(value)

const make = () => {
  const echoed: Array<string> = []
  const buffer = new PlayoutBuffer((name) => echoed.push(name))
  const heard = new Uint8Array(160)
  const tick = (times = 1) => {
    for (let i = 0; i < times; i++) buffer.tick(heard, 0)
    return [...heard]
  }
  return { buffer, echoed, tick }
}

describe("the play-out buffer", () => {
  it("plays audio of any size in order, 160 bytes at a time, and silence when it is empty", () => {
    const { buffer, tick } = make()
    buffer.media(sound(100, 1))
    buffer.media(sound(100, 2))
    assert.deepStrictEqual(tick(), [...sound(100, 1), ...sound(60, 2)])
    assert.deepStrictEqual(tick(), [...sound(40, 2), ...sound(120, 0xff)])
    assert.deepStrictEqual(tick(), [...sound(160, 0xff)])
    assert.deepInclude(buffer.counts, { sent: 2, wrongSize: 2 })
  })

  it("echoes a mark only when everything before it has been heard to its end", () => {
    const { buffer, echoed, tick } = make()
    buffer.mark("now")
    assert.deepStrictEqual(echoed, ["now"])
    buffer.media(sound(320))
    buffer.mark("end")
    tick(2)
    assert.deepStrictEqual(echoed, ["now"])
    tick()
    assert.deepStrictEqual(echoed, ["now", "end"])
  })

  it("echoes all waiting marks in order at a clear, and plays nothing of what was cleared", () => {
    const { buffer, echoed, tick } = make()
    buffer.media(sound(160))
    buffer.mark("a")
    buffer.media(sound(1_600))
    buffer.mark("b")
    tick()
    assert.strictEqual(buffer.clear(), 200)
    assert.deepStrictEqual(echoed, ["a", "b"])
    assert.deepStrictEqual(tick(), [...sound(160, 0xff)])
    assert.deepStrictEqual(echoed, ["a", "b"])
  })

  it("counts a short hole as late, and neither a pause nor a fresh start after a clear", () => {
    const { buffer, tick } = make()
    const play = () => {
      buffer.media(sound(160))
      tick()
    }
    play()
    play()
    tick(3)
    play()
    assert.deepInclude(buffer.counts, { late: 1, gaps: 3 })
    tick(10)
    play()
    buffer.clear()
    tick(2)
    play()
    assert.deepInclude(buffer.counts, { late: 1, gaps: 3 })
  })

  it("throws away what is more than ten minutes ahead", () => {
    const { buffer } = make()
    for (let second = 0; second < 600; second++) assert.isTrue(buffer.media(sound(8_000)))
    assert.isFalse(buffer.media(sound(160)))
    assert.strictEqual(buffer.bufferedMs, 600_000)
  })
})

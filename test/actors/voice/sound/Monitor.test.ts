/** What people hear who listen to a call, on a test clock. */
import { describe, expect, it } from "vitest"
import { CallPeople, Listener } from "../../../../src/actors/voice/call/CallPeople.ts"
import { Monitor } from "../../../../src/actors/voice/sound/Monitor.ts"
import { FRAME_BYTES, SILENCE } from "../../../../src/audio/frames/Frame.ts"
import { decode, encode } from "../../../../src/audio/frames/Mulaw.ts"

const level = (sample: number) => encode(new Int16Array(FRAME_BYTES).fill(sample))
const sampleOf = (frame: Uint8Array) => decode(frame)[0]

const makeMonitor = () => {
  const both: Array<number> = []
  const caller: Array<number> = []
  const monitor = new Monitor((mixed, alone) => {
    both.push(sampleOf(mixed))
    caller.push(sampleOf(alone))
  })
  return { monitor, both, caller }
}

describe("the sound for people who listen", () => {
  it("has nothing while nobody listens, and does not tell old sound to who comes later", () => {
    const { monitor, both } = makeMonitor()
    monitor.caller(level(1_000))
    monitor.agent(level(2_000), 0)
    monitor.tick(0)
    expect(both).toEqual([])
    monitor.listen(true)
    monitor.tick(20)
    expect(both).toEqual([0])
  })

  it("has the agent when the caller hears it, and both at once when both speak", () => {
    const { monitor, both, caller } = makeMonitor()
    monitor.listen(true)
    const one = sampleOf(level(1_000))
    const two = sampleOf(level(2_000))
    // The agent is sent 60 ms ahead.
    monitor.agent(level(2_000), 1_060)
    for (let at = 1_000; at < 1_120; at += 20) {
      monitor.caller(level(1_000))
      monitor.tick(at)
    }
    expect(caller).toEqual([0, one, one, one, one, one])
    expect(both.map((sample) => Math.round(sample / 500) * 500)).toEqual([0, 1_000, 1_000, 3_000, 1_000, 1_000])
    expect(two).toBeGreaterThan(1_900)
  })

  it("forgets what the provider was told to drop, and catches up after a stall", () => {
    const { monitor, both } = makeMonitor()
    monitor.listen(true)
    monitor.tick(1_000)
    monitor.agent(level(2_000), 1_040)
    monitor.cleared()
    monitor.agent(level(4_000), 1_060)
    monitor.tick(1_080)
    expect(both.map((sample) => Math.round(sample / 500) * 500)).toEqual([0, 0, 0, 4_000, 0])
    both.length = 0
    monitor.tick(60_000)
    expect(both).toHaveLength(1)
  })
})

describe("the people of a call", () => {
  const makePeople = () => {
    const listened: Array<boolean> = []
    const said: Array<number> = []
    const people = new CallPeople({
      listened: (on) => void listened.push(on),
      said: (frame) => void said.push(sampleOf(frame))
    })
    /** A listener whose socket takes what is sent while `ready`. */
    const join = (id: string) => {
      const heard: Array<Uint8Array> = []
      const socket = { ready: true, closes: 0 }
      const listener = new Listener(
        id,
        {
          ready: () => socket.ready,
          send: (audio) => void heard.push(audio.slice()),
          close: () => void socket.closes++
        },
        2
      )
      people.join(listener)
      return { heard, socket, listener }
    }
    const hear = (frames: number, sample = 1_000) => {
      for (let i = 0; i < frames; i++) people.hear(level(sample), level(0))
    }
    return { people, listened, said, join, hear }
  }

  it("turn the sound on with the first and off with the last", () => {
    const { people, listened, join } = makePeople()
    join("one")
    join("two")
    people.leave("one")
    people.leave("one")
    people.leave("two")
    expect(listened).toEqual([true, false])
  })

  it("lose what their own socket does not take, and nobody else does", () => {
    const { join, hear } = makePeople()
    const slow = join("slow")
    const fast = join("fast")
    slow.socket.ready = false
    hear(100)
    slow.socket.ready = true
    hear(2)
    expect(fast.heard).toHaveLength(51)
    expect(fast.listener.lost).toBe(0)
    // No more than 300 ms wait for the slow one.
    expect(slow.heard.length).toBeLessThanOrEqual(8)
    expect(slow.listener.lost).toBeGreaterThanOrEqual(85)
  })

  it("are heard by the caller only when they have the call, and do not hear themselves then", () => {
    const { people, said, join, hear } = makePeople()
    const person = join("person")
    const other = join("other")
    people.speak("person", level(500))
    people.take("person")
    people.speak("person", level(500))
    people.given()
    people.speak("person", level(2_000))
    people.speak("other", level(4_000))
    hear(2)
    people.released()
    people.speak("person", level(500))
    expect(said).toEqual([sampleOf(level(2_000))])
    expect(person.heard[0].every((byte) => byte === SILENCE)).toBe(true)
    expect(sampleOf(other.heard[0])).toBe(sampleOf(level(1_000)))
  })

  it("are sent away when the call is over", () => {
    const { people, join } = makePeople()
    const { socket } = join("one")
    people.take("one")
    people.end()
    people.end()
    expect(socket.closes).toBe(1)
    expect(people.taken).toBe(false)
    expect(people.closing).toBe(true)
  })
})

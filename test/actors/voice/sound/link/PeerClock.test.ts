/** Times of a sound whose machine has another clock, as the mind of the call has them. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CallAudio } from "../../../../../src/actors/voice/sound/CallAudio.ts"
import type { SoundEvent, TurnStamps } from "../../../../../src/actors/voice/sound/CallSound.ts"
import { ProtocolBroken } from "../../../../../src/actors/voice/sound/link/Fields.ts"
import { type LinkedSound, MindEnd, type MindEndOptions } from "../../../../../src/actors/voice/sound/link/MindEnd.ts"
import { mostDrift, PeerClock } from "../../../../../src/actors/voice/sound/link/PeerClock.ts"
import { SoundEnd } from "../../../../../src/actors/voice/sound/link/SoundEnd.ts"
import { agentOf } from "../../../../support/agent.ts"

const hours = 60 * 60 * 1_000

/** What happens on a network at its own time. */
class Network {
  now = 1_000_000
  private all: Array<{ readonly at: number; readonly run: () => void }> = []
  /** Runs it after so many milliseconds, in order with what is as late. */
  after(ms: number, run: () => void): void {
    this.all.push({ at: this.now + ms, run })
  }
  runUntil(end: number): void {
    for (;;) {
      const [next] = [...this.all].sort((one, other) => one.at - other.at)
      if (next === undefined || next.at > end) break
      this.all.splice(this.all.indexOf(next), 1)
      this.now = Math.max(this.now, next.at)
      next.run()
    }
    this.now = end
  }
}

interface Machine {
  /** How far the sound's clock is ahead, and how much faster it is, in parts. */
  readonly aheadMs: number
  readonly drift: number
  /** How long the next batches are under way. */
  readonly delays: ReadonlyArray<number>
}

/** A call between two machines. */
const linked = (
  { aheadMs, drift, delays }: Machine,
  options: Pick<MindEndOptions, "isRemote"> = { isRemote: true }
) => {
  const network = new Network()
  const soundNow = () => network.now * (1 + drift) + aheadMs
  const begun = network.now
  let sent = 0
  /** A stream keeps its order. */
  const pipe = (receive: (bytes: Uint8Array) => void) => {
    let lastAt = 0
    return (batch: Uint8Array) => {
      const at = Math.max(lastAt, network.now + delays[sent++ % delays.length])
      lastAt = at
      network.after(at - network.now, () => receive(batch))
      return true
    }
  }
  const ofLoop = {
    schedule: (run: () => void) => network.after(0, run),
    later: (run: () => void, ms: number) => network.after(ms, run)
  }
  const sounds: Array<LinkedSound> = []
  const claims: Array<number> = []
  const stamps: Array<TurnStamps> = []
  const events: Array<SoundEvent> = []
  const end = new SoundEnd({
    ...ofLoop,
    id: "sound",
    now: soundNow,
    write: pipe((bytes) => mind.receive(bytes)),
    onError: (_, error) => {
      throw error
    }
  })
  const mind = new MindEnd({
    ...ofLoop,
    ...options,
    id: "mind",
    now: () => network.now,
    write: pipe((bytes) => end.receive(bytes)),
    claimed: ({ at }, sound) => {
      claims.push(at)
      sounds.push(sound)
      return {
        tell: (event) => {
          events.push(event)
          if (event._tag === "FirstFrame") stamps.push(event.stamps)
        },
        sink: { hear: () => undefined, pause: () => undefined },
        lineClosed: () => undefined,
        audioFailed: () => undefined,
        lost: () => undefined
      }
    }
  })
  const claimedAt: Array<number> = []
  /** The stream of the call comes. */
  const claim = () => {
    claimedAt.push(network.now)
    return end.claim({
      callId: "call_1",
      streamSid: "MZ1",
      at: soundNow(),
      make: (tell, sink) =>
        new CallAudio({
          streamSid: "MZ1",
          line: { send: () => undefined, close: () => undefined },
          agent: agentOf(),
          sink,
          tell,
          now: soundNow
        })
    })
  }
  const pass = (ms: number) => network.runUntil(network.now + ms)
  const status = () => end.notice({ _tag: "Status", lateMs: 0, calls: 1 })
  return { network, soundNow, begun, end, mind, sounds, claims, claimedAt, stamps, events, claim, pass, status }
}

const machines: fc.Arbitrary<Machine> = fc.record({
  aheadMs: fc.double({ min: -500 * hours, max: 500 * hours, noNaN: true }),
  drift: fc.double({ min: -mostDrift / 2, max: mostDrift / 2, noNaN: true }),
  delays: fc.array(fc.double({ min: 0.05, max: 40, noNaN: true }), { minLength: 5, maxLength: 30 })
})

describe("a mind whose sound is on a machine with another clock", () => {
  it("has every time of the sound right to within half of a round trip, however far apart the clocks are and go", () => {
    fc.assert(
      fc.property(machines, fc.integer({ min: 1, max: 120 }), (machine, seconds) => {
        const here = linked(machine)
        const { network, soundNow, sounds, claims, claimedAt, stamps, claim, pass, status } = here
        // No stream comes that was not reserved, and before that the clocks are compared.
        pass(500)
        const { call } = claim()
        pass(500)
        expect(claims).toHaveLength(1)
        const worst = Math.max(...machine.delays)
        // The first question and its answer, each behind a greeting.
        expect(Math.abs(claims[0] - claimedAt[0])).toBeLessThan(2 * worst + 1)
        for (let second = 0; second < seconds; second++) {
          status()
          pass(1_000)
        }
        const at = network.now
        const theirs = soundNow()
        call.tell({
          _tag: "FirstFrame",
          stamps: {
            turn: 1,
            voicedAt: theirs - 700,
            transcriptAt: Number.NEGATIVE_INFINITY,
            decisionAt: theirs - 200,
            firstAudioAt: 0,
            firstFrameAt: theirs
          }
        })
        pass(500)
        const [{ voicedAt, transcriptAt, decisionAt, firstAudioAt, firstFrameAt }] = stamps
        expect(Math.abs(firstFrameAt - at)).toBeLessThan(worst + 5)
        expect(firstFrameAt - voicedAt).toBeCloseTo(700, 3)
        expect(firstFrameAt - decisionAt).toBeCloseTo(200, 3)
        // Never is never on every clock.
        expect([transcriptAt, firstAudioAt]).toEqual([Number.NEGATIVE_INFINITY, 0])
        expect(sounds[0].voicedAt).toBe(0)
      }),
      { numRuns: 60 }
    )
  })

  it("knows for how long the agent has been quiet, and when the caller was last heard", () => {
    const here = linked({ aheadMs: 7 * hours, drift: 0.0001, delays: [0.3, 0.5, 0.2] })
    const { sounds, claim, pass, status, soundNow } = here
    pass(200)
    const { call } = claim()
    for (let second = 0; second < 5; second++) {
      status()
      pass(1_000)
    }
    call.note({ _tag: "Quiet", at: soundNow() - 300, seen: 0 })
    call.note({ _tag: "Paused", position: 0, voicedAt: soundNow() - 400 })
    pass(100)
    expect(Math.abs(sounds[0].quietMs - 400)).toBeLessThan(2)
    expect(Math.abs(here.network.now - 500 - sounds[0].voicedAt)).toBeLessThan(2)
  })

  it("keeps the answer with the shortest round trip, until drift has made it worse than a newer one", () => {
    const clock = new PeerClock()
    clock.compared({ asked: 0, at: 5_001 }, 2)
    expect(clock.ours(5_000)).toBe(0)
    // A slow answer that was held up on its way back.
    clock.compared({ asked: 1_000, at: 6_000 }, 1_100)
    expect(clock.ours(6_000)).toBe(1_000)
    expect(clock.errorAt(1_002)).toBeCloseTo(2, 6)
    // After an hour of slow answers the fast one is worth less.
    clock.compared({ asked: 3_600_000, at: 3_605_350 }, 3_600_100)
    expect(clock.ours(3_605_350)).toBe(3_600_050)
  })

  it("asks for nothing on one machine, and takes times as they are", () => {
    const here = linked({ aheadMs: 0, drift: 0, delays: [0.1] }, {})
    const { claims, claimedAt, claim, pass, status } = here
    claim()
    pass(100)
    expect(claims).toEqual(claimedAt)
    status()
    pass(1_000)
    expect(here.end.version).toBe(4)
  })

  it("ends the link when a time comes before the clocks were compared, or the sound cannot say what time it is", () => {
    expect(() => new PeerClock().ours(1)).toThrow(ProtocolBroken)
    const written: Array<Uint8Array> = []
    const old = new SoundEnd({
      id: "old",
      now: () => 0,
      schedule: (run) => run(),
      later: () => undefined,
      versions: { lowest: 1, highest: 3 },
      write: (batch) => written.push(batch) > 0,
      onError: () => undefined
    })
    expect(old.size).toBe(0)
    const mind = new MindEnd({
      id: "mind",
      isRemote: true,
      now: () => 0,
      schedule: () => undefined,
      later: () => undefined,
      write: () => true,
      claimed: () => {
        throw new Error("there is no call")
      }
    })
    expect(() => mind.receive(written[0])).toThrow("there is no common version")
  })
})

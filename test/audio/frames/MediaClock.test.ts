import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { MediaClock, type MediaSink } from "../../../src/audio/frames/MediaClock.ts"

/** A sink that counts its ticks and remembers when the last one was due. */
const counter = () => ({
  calls: 0,
  dueMs: 0,
  tick(dueMs: number) {
    this.calls++
    this.dueMs = dueMs
  }
})

describe("MediaClock", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  it("ticks every sink 50 times a second", () => {
    const clock = new MediaClock()
    const sinks = [counter(), counter()]
    for (const sink of sinks) clock.add(sink)
    clock.start()
    vi.advanceTimersByTime(1_000)
    for (const sink of sinks) expect(sink).toMatchObject({ calls: 50, dueMs: 1_000 })
    clock.stop()
    vi.advanceTimersByTime(1_000)
    expect(sinks[0].calls).toBe(50)
  })

  it("passes the time at which a tick was due, and the latest one after a stall", () => {
    let now = 0
    const told: Array<number> = []
    const clock = new MediaClock(() => now)
    clock.add({ tick: (dueMs) => void told.push(dueMs) })
    clock.start()
    for (const ms of [20.5, 19, 49]) {
      now += ms
      vi.advanceTimersByTime(60)
    }
    expect(told).toEqual([20, 40, 80])
    clock.stop()
  })

  it("runs no timer while it has no sinks", () => {
    const clock = new MediaClock()
    clock.start()
    expect(vi.getTimerCount()).toBe(0)
    const remove = clock.add(counter())
    expect(vi.getTimerCount()).toBe(1)
    remove()
    expect(vi.getTimerCount()).toBe(0)
  })

  it("gives a new sink no ticks for the time before it was added, even after a rest", () => {
    const clock = new MediaClock()
    clock.start()
    clock.add(counter())()
    vi.advanceTimersByTime(10_000)
    const sink = counter()
    clock.add(sink)
    vi.advanceTimersByTime(100)
    expect(sink.calls).toBe(5)
    expect(clock.lateness()).toEqual({ count: 5, meanMs: 0 })
  })

  it("makes one call for all ticks that a stall delayed, and is on time again afterwards", () => {
    let now = 0
    const clock = new MediaClock(() => now)
    const sink = counter()
    clock.add(sink)
    clock.start()
    const advance = (ms: number) => {
      now += ms
      vi.advanceTimersByTime(20)
    }
    advance(20)
    advance(100)
    expect(sink).toMatchObject({ calls: 2, dueMs: 120 })
    advance(1_000)
    expect(sink).toMatchObject({ calls: 3, dueMs: 1_120 })
    expect(clock.lateness()).toEqual({ count: 3, meanMs: (0 + 80 + 980) / 3 })
    advance(20)
    expect(sink).toMatchObject({ calls: 4, dueMs: 1_140 })
    clock.stop()
  })

  it("removes a sink that throws, reports it, and goes on with the others", () => {
    const reported: Array<unknown> = []
    const clock = new MediaClock(undefined, { onError: (error) => reported.push(error) })
    const broken: MediaSink = {
      tick: () => {
        throw new Error("socket gone")
      }
    }
    const sink = counter()
    clock.add(broken)
    clock.add(sink)
    clock.start()
    vi.advanceTimersByTime(200)
    expect(sink.calls).toBe(10)
    expect(reported).toEqual([new Error("socket gone")])
    clock.stop()
  })

  it("a sink may remove itself and add another within its tick", () => {
    const clock = new MediaClock()
    const next = counter()
    const remove = clock.add({
      tick: () => {
        remove()
        clock.add(next)
      }
    })
    clock.start()
    vi.advanceTimersByTime(100)
    expect(next.calls).toBe(4)
    expect(vi.getTimerCount()).toBe(1)
    clock.stop()
  })
})

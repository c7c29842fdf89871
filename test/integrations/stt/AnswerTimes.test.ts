import { describe, expect, it } from "vitest"
import { AnswerTimes } from "../../../src/integrations/stt/AnswerTimes.ts"

describe("how long a provider may take to answer a flush", () => {
  it("is long while nothing is known of it, and short once it has signalled activity", () => {
    const times = new AnswerTimes()
    expect(times.nothingMs).toBe(2_500)
    times.signalled()
    expect(times.nothingMs).toBe(300)
  })

  it("follows the slowest answers of a provider that does not signal, within limits", () => {
    const times = new AnswerTimes()
    times.answeredUnsignalled(1_600)
    expect(times.nothingMs).toBe(2_400)
    for (let i = 0; i < 100; i++) times.answeredUnsignalled(400)
    expect(times.nothingMs).toBe(600)
    times.answeredUnsignalled(60_000)
    expect(times.nothingMs).toBe(3_500)
  })

  it("stays short in noise on a provider that signals, and is unknown again when it has not signalled for long", () => {
    const times = new AnswerTimes()
    times.signalled()
    for (let i = 0; i < 19; i++) times.unanswered()
    expect(times.nothingMs).toBe(300)
    times.unanswered()
    expect(times.nothingMs).toBe(2_500)
    times.signalled()
    expect(times.nothingMs).toBe(300)
  })
})

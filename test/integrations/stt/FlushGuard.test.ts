import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { makeFlushGuard } from "../../../src/integrations/stt/FlushGuard.ts"

const nothingMs = 300
const writtenMs = 1_500
const overdueMs = 4_000

/** Short names of what is sent and what the provider reports: two seconds of audio at once, a flush, speech starts, speech ends, a transcript. */
type Event = "burst" | "flush" | "start" | "end" | "transcript"

/** Plays events at their times in milliseconds. Gives the answers with their times; a transcript shows as the number of flushes it answers. */
const answersTo = (...events: ReadonlyArray<readonly [atMs: number, event: Event]>) => {
  const answers: Array<readonly [atMs: number, answer: "nothing" | "noise" | "overdue" | number]> = []
  const began = performance.now()
  const answered = (answer: "nothing" | "noise" | "overdue" | number) =>
    void answers.push([Math.round(performance.now() - began), answer])
  const guard = makeFlushGuard({
    nothingMs: () => nothingMs,
    writtenMs,
    onNothing: (listens) => answered(listens ? "noise" : "nothing"),
    overdueMs,
    onOverdue: () => answered("overdue")
  })
  const happens = {
    burst: () => guard.sent(2_000),
    flush: guard.flushed,
    start: () => guard.signalled("START_SPEECH"),
    end: () => guard.signalled("END_SPEECH"),
    transcript: () => guard.transcribed(answered)
  }
  for (const [atMs, event] of events) {
    vi.advanceTimersByTime(began + atMs - performance.now())
    happens[event]()
  }
  vi.advanceTimersByTime(30_000)
  return answers
}

describe("answers to flushes", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("come with the transcript, or once no transcript can come", () => {
    assert.deepEqual(answersTo([0, "flush"]), [[300, "nothing"]])
    assert.deepEqual(answersTo([0, "start"], [500, "flush"], [550, "end"], [800, "transcript"]), [[800, 1]])
    assert.deepEqual(answersTo([0, "flush"], [200, "start"], [210, "end"], [500, "transcript"]), [[500, 1]])
    assert.deepEqual(answersTo([0, "flush"], [200, "transcript"]), [[200, 1]])
    assert.deepEqual(answersTo([0, "start"], [100, "flush"], [400, "transcript"], [800, "flush"]), [
      [400, 1],
      [1_100, "nothing"]
    ])
  })

  it("fail the stream when speech was heard and no transcript comes", () => {
    assert.deepEqual(answersTo([0, "start"], [500, "flush"]), [[4_500, "overdue"]])
    assert.deepEqual(answersTo([0, "start"], [500, "flush"], [600, "end"]), [[4_600, "overdue"]])
    assert.deepEqual(answersTo([0, "start"], [5_000, "end"], [5_100, "transcript"]), [[5_100, 0]])
  })

  it("count every flush, however many are sent before the first is answered", () => {
    assert.deepEqual(answersTo([0, "flush"], [100, "flush"], [200, "flush"]), [
      [300, "nothing"],
      [400, "nothing"],
      [500, "nothing"]
    ])
    assert.deepEqual(
      answersTo([0, "start"], [100, "flush"], [150, "end"], [300, "flush"], [500, "flush"], [900, "transcript"]),
      [
        [900, 1],
        [900, "nothing"],
        [900, "nothing"]
      ]
    )
    const three: ReadonlyArray<readonly [number, Event]> = [0, 300, 600].flatMap((ms) => [
      [ms, "start"],
      [ms + 200, "flush"],
      [ms + 250, "end"]
    ])
    assert.deepEqual(answersTo(...three, [1_000, "transcript"], [1_300, "transcript"], [1_600, "transcript"]), [
      [1_000, 1],
      [1_300, 1],
      [1_600, 1]
    ])
  })

  it("keep a sound without words apart from the sentence that begins right after it", () => {
    const sentence = (end: number): ReadonlyArray<readonly [number, Event]> => [
      [end, "flush"],
      [end + 50, "end"],
      [end + 300, "transcript"]
    ]
    assert.deepEqual(answersTo([0, "flush"], [250, "start"], ...sentence(1_500)), [
      [550, "noise"],
      [1_800, 1]
    ])
    assert.deepEqual(answersTo([0, "flush"], [250, "start"], ...sentence(9_000)), [
      [550, "noise"],
      [9_300, 1]
    ])
    assert.deepEqual(answersTo([0, "flush"], [250, "start"], ...sentence(400)), [[700, 2]])
    assert.deepEqual(answersTo([0, "flush"], [250, "start"], [1_200, "end"], [1_300, "flush"], [1_450, "transcript"]), [
      [550, "noise"],
      [1_450, 1]
    ])
  })

  it("are shared by flushes that did not end the speech", () => {
    assert.deepEqual(answersTo([0, "start"], [500, "flush"], [2_000, "flush"], [2_050, "end"], [2_300, "transcript"]), [
      [2_300, 2]
    ])
  })

  it("come for a flush after speech that ended by itself, while its transcript is still to come", () => {
    assert.deepEqual(answersTo([0, "start"], [900, "end"], [1_000, "flush"], [1_150, "transcript"]), [[1_150, 1]])
    assert.deepEqual(answersTo([0, "start"], [900, "end"], [1_150, "transcript"], [1_200, "flush"]), [
      [1_150, 0],
      [1_500, "nothing"]
    ])
    assert.deepEqual(
      answersTo(
        [0, "start"],
        [900, "end"],
        [950, "start"],
        [1_000, "flush"],
        [1_050, "end"],
        [1_150, "transcript"],
        [1_300, "transcript"]
      ),
      [
        [1_150, 0],
        [1_300, 1]
      ]
    )
  })

  it("wait until the provider has heard audio that was sent at once", () => {
    assert.deepEqual(answersTo([0, "burst"], [0, "flush"]), [[800, "nothing"]])
    assert.deepEqual(answersTo([0, "burst"], [400, "flush"]), [[800, "nothing"]])
    assert.deepEqual(answersTo([0, "burst"], [600, "flush"]), [[900, "nothing"]])
    const heard = [
      [0, "burst"],
      [0, "flush"],
      [120, "start"],
      [700, "end"]
    ] as const
    assert.deepEqual(answersTo(...heard, [950, "transcript"]), [[950, 1]])
    assert.deepEqual(answersTo([0, "burst"], [0, "flush"], [120, "start"]), [[800, "noise"]])
    assert.deepEqual(answersTo([0, "start"], [0, "burst"], [0, "flush"]), [[4_500, "overdue"]])
    assert.deepEqual(answersTo([0, "start"], [0, "burst"], [0, "flush"], [700, "end"], [950, "transcript"]), [[950, 1]])
    // Whether the sentence was in the burst or came after it, the next flush has no other answer.
    assert.deepEqual(answersTo(...heard, [900, "flush"], [950, "transcript"]), [[950, 2]])
    assert.deepEqual(answersTo(...heard, [950, "transcript"], [1_000, "flush"], [2_000, "flush"]), [
      [950, 1],
      [1_300, "noise"],
      [2_300, "nothing"]
    ])
  })

  it("do not wait for the transcript of speech without words", () => {
    assert.deepEqual(answersTo([0, "start"], [200, "end"], [300, "flush"]), [[1_700, "nothing"]])
    const noise = [
      [0, "start"],
      [200, "end"]
    ] as const
    const sentence = (startMs: number): ReadonlyArray<readonly [number, Event]> => [
      [startMs, "start"],
      [startMs + 500, "flush"],
      [startMs + 550, "end"],
      [startMs + 800, "transcript"]
    ]
    assert.deepEqual(answersTo(...noise, ...sentence(1_000)), [[1_800, 1]])
    assert.deepEqual(answersTo(...noise, ...sentence(5_000)), [[5_800, 1]])
    assert.deepEqual(answersTo(...noise, [5_000, "flush"], [5_100, "start"], [5_150, "end"], [5_400, "transcript"]), [
      [5_400, 1]
    ])
    // This soon afterwards the transcript may belong to the noise or the sentence. The second flush waits as long as a transcript may take.
    assert.deepEqual(answersTo(...noise, ...sentence(300)), [
      [1_100, 0],
      [2_350, "noise"]
    ])
    assert.deepEqual(answersTo(...noise, ...sentence(300), ...sentence(1_200), ...sentence(3_000)), [
      [1_100, 0],
      [2_000, 1],
      [3_250, "noise"],
      [3_800, 1]
    ])
    assert.deepEqual(answersTo([0, "start"], [100, "start"], [1_000, "flush"], [1_050, "end"], [1_300, "transcript"]), [
      [1_300, 0],
      [2_550, "noise"]
    ])
    // The flush between them was sent in silence. The sentence's transcript answers it, too.
    assert.deepEqual(answersTo([0, "start"], [150, "flush"], [200, "end"], [400, "flush"], ...sentence(720)), [
      [1_520, 1],
      [1_520, "noise"],
      [2_770, "noise"]
    ])
  })

  it("do not depend on an end of speech that is reported late or never", () => {
    assert.deepEqual(answersTo([0, "start"], [500, "flush"], [800, "transcript"], [850, "end"], [900, "flush"]), [
      [800, 1],
      [1_200, "nothing"]
    ])
    assert.deepEqual(
      answersTo(
        [0, "start"],
        [500, "flush"],
        [700, "start"],
        [800, "transcript"],
        [1_000, "flush"],
        [1_300, "transcript"]
      ),
      [
        [800, 1],
        [1_300, 1]
      ]
    )
    assert.deepEqual(answersTo([0, "flush"], [100, "end"]), [[300, "nothing"]])
  })
})

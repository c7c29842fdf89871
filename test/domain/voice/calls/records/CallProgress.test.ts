import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  type CallProgress,
  isFinal,
  nextStatus,
  type ProviderState,
  settle,
  statusNamed
} from "../../../../../src/domain/voice/calls/records/CallProgress.ts"
import type { CallStatus } from "../../../../../src/domain/voice/calls/records/CallStatus.ts"

const queued: CallProgress = { status: "queued", settled: false, provider: null }
const told = (status: CallStatus, sequence: number | null): ProviderState => ({ status, sequence })

/** What really happened to a call, as the provider would tell it in order. */
const history = fc
  .constantFrom<ReadonlyArray<CallStatus>>(
    ["queued", "ringing", "in_progress", "completed"],
    ["queued", "in_progress", "completed"],
    ["queued", "ringing", "busy"],
    ["queued", "ringing", "no_answer"],
    ["queued", "failed"],
    ["queued", "ringing", "canceled"]
  )
  .map((statuses) => statuses.map((status, sequence) => told(status, sequence)))

type Word = { readonly from: "provider"; readonly state: ProviderState } | { readonly from: "engine" }

/** The reports of a history in any order, some lost, some repeated; the end always arrives, because it is asked for when it is lost. */
const telling = history.chain((states) => {
  const last = states[states.length - 1]
  const end = fc.constantFrom(last, { ...last, sequence: null })
  const words = fc.array(fc.constantFrom(...states), { maxLength: 12 })
  const engine = last.status === "completed" ? fc.boolean() : fc.constant(false)
  return fc
    .tuple(words, end, engine)
    .chain(([some, final, engineSpeaks]) => {
      const all: ReadonlyArray<Word> = [
        ...[...some, final].map((state): Word => ({ from: "provider", state })),
        ...(engineSpeaks ? [{ from: "engine" } as const] : [])
      ]
      return fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length })
    })
    .map((heard) => ({ heard, truth: last.status }))
})

const hear = (current: CallProgress, word: Word): CallProgress =>
  word.from === "engine" ? settle(current, "completed") : nextStatus(current, word.state)

describe("the progress of a call", () => {
  it("ends in the true final state, however shuffled, repeated or lost the callbacks are", () => {
    fc.assert(
      fc.property(telling, ({ heard, truth }) => {
        const end = heard.reduce(hear, queued)
        assert.strictEqual(end.status, truth)
        assert.deepStrictEqual([...heard, ...heard].reduce(hear, end), end)
      }),
      { numRuns: 2_000 }
    )
  })

  it("never moves backwards on the way there", () => {
    const order: ReadonlyArray<CallStatus> = ["queued", "ringing", "in_progress"]
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...order), fc.nat(5))), (words) => {
        let current = queued
        for (const [status, sequence] of words) {
          const next = nextStatus(current, told(status, sequence))
          assert.isAtLeast(order.indexOf(next.status), order.indexOf(current.status))
          current = next
        }
      })
    )
  })

  it("does not take a call up again when a late callback still says that it goes on", () => {
    const ended = settle(nextStatus(queued, told("in_progress", 2)), "completed")
    assert.strictEqual(nextStatus(ended, told("ringing", 1)).status, "completed")
    assert.strictEqual(nextStatus(ended, told("in_progress", 9)).status, "completed")
  })

  it("keeps a failure of our own that the provider saw as a completed connection", () => {
    const failed = settle(queued, "failed")
    assert.strictEqual(nextStatus(failed, told("completed", 3)).status, "failed")
    assert.strictEqual(settle(nextStatus(queued, told("completed", 3)), "failed").status, "failed")
  })

  it("believes the provider about a callee who was not reached", () => {
    for (const status of ["busy", "no_answer", "canceled", "failed"] as const) {
      assert.strictEqual(nextStatus(settle(queued, "completed"), told(status, 2)).status, status)
      assert.strictEqual(settle(nextStatus(queued, told(status, 2)), "completed").status, status)
    }
  })

  it("withdraws the guess that a call was never placed when the provider reports on the call", () => {
    const guessed: CallProgress = { status: "failed", settled: false, provider: null }
    assert.strictEqual(nextStatus(guessed, told("ringing", 1)).status, "ringing")
    assert.strictEqual(nextStatus(guessed, told("completed", 3)).status, "completed")
  })

  it("accepts the provider's names of states, and nothing else", () => {
    assert.strictEqual(statusNamed("no-answer"), "no_answer")
    assert.strictEqual(statusNamed("initiated"), "queued")
    assert.isTrue(isFinal(statusNamed("canceled") ?? "queued"))
    for (const name of ["", "gone", "constructor", "__proto__"]) assert.isUndefined(statusNamed(name))
  })
})

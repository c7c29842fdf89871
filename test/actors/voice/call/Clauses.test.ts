/** What becomes of the clauses of an answer until the caller may hear them. All time is virtual. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Thinking from "../../../../src/actors/voice/call/Thinking.ts"
import type { Verdict } from "../../../../src/actors/voice/call/Verdict.ts"
import { Moderation, ModerationError } from "../../../../src/domain/ai/providers/Moderation.ts"
import { Reasoning, type ReasoningEvent } from "../../../../src/domain/ai/providers/Reasoning.ts"
import type { CallInput } from "../../../../src/domain/voice/dialogue/Call.ts"
import { AppCallbacks } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import { quietTurn } from "../../../support/quietTurn.ts"

const question = "When are you open?"
const moderationMs = 80

/** One turn. `pieces`: what the model says, and when. Moderation takes 80 ms, and flags what contains "bomb". */
const turn = Effect.fnUntraced(function* (
  pieces: ReadonlyArray<readonly [atMs: number, text: string]>,
  { isAway = false } = {}
) {
  const certain = Deferred.makeUnsafe<void>()
  Deferred.doneUnsafe(certain, Effect.void)
  const judged: Array<ReadonlyArray<string>> = []
  const said: Array<{ readonly clause: string; readonly verdict: Verdict }> = []
  const events: Array<CallInput> = []
  const model = yield* Queue.unbounded<ReasoningEvent>()
  let enough = (_words: string) => true
  let held = ""
  let given = 0
  const fiber = yield* Effect.scoped(
    Effect.flatMap(Effect.scope, (callScope) =>
      Thinking.think(
        quietTurn({
          history: [{ role: "user", content: question }],
          text: question,
          say: (clause, verdict) => said.push({ clause, verdict }),
          offer: (event) => events.push(event),
          certain,
          callScope
        })
      )
    )
  ).pipe(
    Effect.provideService(AppCallbacks, {
      runTool: () => Effect.die("not asked for"),
      lookUp: () => Effect.die("not asked for"),
      notices: () => Effect.succeed({ notices: [] }),
      deliver: () => Effect.void
    }),
    Effect.provideService(Moderation, {
      check: (texts) =>
        Effect.suspend(() => {
          if (texts[0] !== question) judged.push(texts)
          if (isAway && judged.length > 0)
            return Effect.fail(new ModerationError({ reason: "unavailable", message: "away" }))
          return Effect.delay(
            Effect.succeed(texts.map((text) => ({ flagged: text.includes("bomb"), categories: ["violence"] }))),
            moderationMs
          )
        })
    }),
    Effect.provideService(Reasoning, {
      stream: (request) => {
        enough = request.enough ?? enough
        return Stream.takeUntil(Stream.fromQueue(model), ({ _tag }) => _tag === "End")
      }
    }),
    Effect.forkChild({ startImmediately: true })
  )
  /** As adapters do. */
  const give = () => {
    if (held === "") return
    Queue.offerUnsafe(model, { _tag: "Text", text: held })
    held = ""
    given++
  }
  yield* TestClock.adjust(moderationMs)
  const heard: Array<readonly [atMs: number, clauses: number]> = []
  for (let atMs = 0; atMs < 600; atMs += 10) {
    for (const [due, text] of pieces) {
      if (due !== atMs) continue
      held += text
      if (enough(held)) give()
    }
    if (atMs === 300) {
      give()
      Queue.offerUnsafe(model, { _tag: "End", finishReason: "stop" })
    }
    yield* TestClock.adjust(10)
    const passed = said.filter(({ verdict }) => verdict.passed).length
    if (passed > (heard.at(-1)?.[1] ?? 0)) heard.push([atMs + 10, passed])
  }
  yield* Fiber.interrupt(fiber)
  return {
    judged,
    said: said.map(({ clause }) => clause),
    /** How many clauses may be heard from when on. */
    heard,
    /** How often the turn was woken up for words. */
    given,
    events
  }
})

const [first, second, third] = ["We are open from nine.", "On Sundays we are closed.", "Come and see us."]

describe("the clauses of an answer", () => {
  it.effect("that come while a verdict is waited for are judged together, and the first waits for none of them", () =>
    Effect.gen(function* () {
      const { judged, said, heard, events } = yield* turn([
        [0, `${first} `],
        [20, `${second} `],
        [40, `${third} `]
      ])
      assert.deepStrictEqual(judged, [[first], [second, third]])
      assert.deepStrictEqual(said, [first, second, third])
      assert.deepStrictEqual(heard, [
        [moderationMs, 1],
        [2 * moderationMs, 3]
      ])
      assert.strictEqual(events.at(-1)?._tag, "ReplyFinished")
    })
  )

  it.effect("are heard up to the one that is flagged, also when they are judged together", () =>
    Effect.gen(function* () {
      const { judged, heard, events } = yield* turn([[0, `${first} Build a bomb. ${third} `]])
      assert.deepStrictEqual(judged, [[first, "Build a bomb.", third]])
      assert.deepStrictEqual(heard, [[moderationMs, 1]])
      assert.deepStrictEqual(events.at(-1), {
        _tag: "Flagged",
        turn: 1,
        direction: "output",
        text: "Build a bomb.",
        categories: ["violence"]
      })
    })
  )

  it.effect("are taken from the model when they are complete, not token by token", () =>
    Effect.gen(function* () {
      const tokens = `${first} ${second} ${third}`.split(/(?= )/)
      const { judged, said, heard, given } = yield* turn(tokens.map((token, index) => [index * 10, token]))
      assert.deepStrictEqual(said, [first, second, third])
      assert.deepStrictEqual(judged.flat(), said)
      // A clause is known to be over by the token after it, the sixth here.
      assert.deepStrictEqual(heard[0], [50 + moderationMs, 1])
      // For the first token, for each end of a clause, and for the rest.
      assert.strictEqual(given, 4)
    })
  )

  it.effect("are not heard without a verdict", () =>
    Effect.gen(function* () {
      const { heard, events } = yield* turn([[0, `${first} ${second} `]], { isAway: true })
      assert.deepStrictEqual(heard, [])
      assert.strictEqual(events.at(-1)?._tag, "ReplyFailed")
    })
  )
})

/** What the model reads of knowledge bases in a turn, and how long its request waits for that. All time is virtual. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Thinking from "../../../../src/actors/voice/call/Thinking.ts"
import { Moderation } from "../../../../src/domain/ai/providers/Moderation.ts"
import { type ChatMessage, Reasoning } from "../../../../src/domain/ai/providers/Reasoning.ts"
import type { CallInput } from "../../../../src/domain/voice/dialogue/Call.ts"
import { AppCallbacks, EngineProtocolError } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import type { KnowledgeFound } from "../../../../src/domain/voice/engine/KnowledgeLookup.ts"
import { agentOf } from "../../../support/agent.ts"
import { quietTurn } from "../../../support/quietTurn.ts"

const source = { knowledgeBaseId: "kb_1", sourceId: "kns_1", title: "Returns", url: null }
const found: KnowledgeFound = { text: "[1] Returns\nWithin 30 days.", sources: [source] }
const moderationMs = 80

/** One turn whose look-up answers with `lookUp`. Gives what the model was asked, when, and the noted sources. */
const turn = Effect.fnUntraced(function* (
  lookUp: Effect.Effect<KnowledgeFound, EngineProtocolError>,
  { guess = false, knowledgeBases = ["kb_1"] as ReadonlyArray<string> } = {}
) {
  const certain = Deferred.makeUnsafe<void>()
  if (!guess) Deferred.doneUnsafe(certain, Effect.void)
  const asked: Array<{ readonly messages: ReadonlyArray<ChatMessage>; readonly atMs: number }> = []
  const sources: Array<unknown> = []
  const looked: Array<unknown> = []
  const events: Array<CallInput> = []
  let atMs = 0
  const fiber = yield* Effect.scoped(
    Effect.flatMap(Effect.scope, (callScope) =>
      Thinking.think(
        quietTurn({
          agent: agentOf({ knowledgeBases }),
          history: [
            { role: "system", content: "You answer calls." },
            { role: "user", content: "How long can I return a book?" }
          ],
          text: "How long can I return a book?",
          offer: (event) => events.push(event),
          onSources: (more) => sources.push(...more),
          certain,
          callScope
        })
      )
    )
  ).pipe(
    Effect.provideService(AppCallbacks, {
      runTool: () => Effect.die("not asked for"),
      lookUp: (request) =>
        Effect.andThen(
          Effect.sync(() => looked.push(request)),
          lookUp
        ),
      notices: () => Effect.succeed({ notices: [] }),
      deliver: () => Effect.void
    }),
    Effect.provideService(Moderation, {
      check: (texts) =>
        Effect.delay(Effect.succeed(texts.map(() => ({ flagged: false, categories: [] }))), moderationMs)
    }),
    Effect.provideService(Reasoning, {
      stream: ({ messages }) => {
        asked.push({ messages, atMs })
        return Stream.make(
          { _tag: "Text", text: "Thirty days." } as const,
          { _tag: "End", finishReason: "stop" } as const
        )
      }
    }),
    Effect.forkChild({ startImmediately: true })
  )
  for (; atMs < 400; atMs += 5) yield* TestClock.adjust(5)
  yield* Fiber.interrupt(fiber)
  assert.lengthOf(asked, 1)
  return { told: asked[0].messages, atMs: asked[0].atMs, sources, looked }
})

const foundIn = (ms: number) => Effect.delay(Effect.succeed(found), ms)

describe("an agent with knowledge", () => {
  it.effect("tells the model the passages before the caller's words, and asks it no later for that", () =>
    Effect.gen(function* () {
      const without = yield* turn(Effect.never, { knowledgeBases: [] })
      assert.deepStrictEqual([without.told.length, without.looked], [2, []])
      const { told, atMs, sources, looked } = yield* turn(foundIn(60))
      assert.strictEqual(atMs, without.atMs)
      assert.deepStrictEqual(
        told.map(({ role }) => role),
        ["system", "system", "user"]
      )
      assert.include(told[1].content, "Within 30 days.")
      assert.deepStrictEqual(sources, [source])
      assert.deepStrictEqual(looked, [
        { organizationId: agentOf().organizationId, knowledgeBases: ["kb_1"], text: "How long can I return a book?" }
      ])
    })
  )

  it.effect("waits for a slow look-up within the caller's pause, and hardly when the caller has finished", () =>
    Effect.gen(function* () {
      const { atMs: usual } = yield* turn(Effect.never, { knowledgeBases: [] })
      const guess = yield* turn(foundIn(200), { guess: true })
      assert.deepStrictEqual([guess.told.length, guess.atMs - usual], [3, 200 - moderationMs])
      const late = yield* turn(Effect.never, { guess: true })
      assert.deepStrictEqual([late.told.length, late.atMs - usual], [2, 150])
      const certain = yield* turn(foundIn(200))
      assert.deepStrictEqual([certain.told.length, certain.atMs - usual, certain.sources], [2, 25, []])
    })
  )

  it.effect("answers without passages when none are found, or the app does not answer", () =>
    Effect.gen(function* () {
      const away = new EngineProtocolError({ status: null, retryable: true, message: "away" })
      for (const lookUp of [Effect.succeed({ text: "", sources: [] }), Effect.fail(away)])
        assert.lengthOf((yield* turn(lookUp)).told, 2)
    })
  )
})

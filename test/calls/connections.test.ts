/** The provider connections of a call. A new connection in a turn costs a silence of two or three round trips. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = {
  hours: "Hello, I would like to know your opening hours.",
  price: "How much does express delivery cost?"
}
const script = [
  { when: /opening hours/i, reply: "We are open from nine to six." },
  { when: /express/i, reply: "Express delivery costs five dollars." }
]

describe("the connections of a call", () => {
  it.live("are open before its first turn, and are used again in the next", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, script })
      const { languageModel, moderation } = parley.world
      const connections = () => [languageModel.stats.connections, moderation.stats.connections]
      let beforeFirstTurn: ReadonlyArray<number> = []
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        beforeFirstTurn = connections()
        await caller.say(parley.samples("hours"))
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("price"))
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      const { utterances } = yield* parley.stored
      assert.include(
        utterances.map(({ text }) => text),
        "Express delivery costs five dollars."
      )
      assert.deepStrictEqual(beforeFirstTurn, [1, 1])
      // An answer that is discarded closes its connection.
      assert.isAtMost(languageModel.stats.connections, 1 + languageModel.stats.aborted)
      assert.isAtMost(moderation.stats.connections, 2)
      assert.isAbove(languageModel.stats.requests, 1)
      assert.isAbove(moderation.stats.requests, 3)
    }).pipe(Effect.scoped)
  )
})

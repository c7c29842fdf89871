/** What happens outside of a call is told to the caller when nobody speaks. */
import { assert, describe, it } from "@effect/vitest"
import {
  type CallAction,
  type CallInput,
  type CallState,
  initialCall,
  step
} from "../../../../src/domain/voice/dialogue/Call.ts"
import { agentOf } from "../../../support/agent.ts"

const agent = agentOf()
const paid = "The payment link for 59.23 USD (Order 427) has just been paid."
const noticed: CallInput = { _tag: "Noticed", text: paid }
const drained = (text: string): CallInput => ({ _tag: "Drained", spoken: { text, unheard: "", startMs: 0, endMs: 1 } })
const turn = (text: string): CallInput => ({ _tag: "TurnEnded", text, startMs: 10, endMs: 20 })
const begun: ReadonlyArray<CallInput> = [
  { _tag: "Answered" },
  drained(agent.disclosureText),
  drained(agent.welcomeMessage)
]

const play = (...events: ReadonlyArray<CallInput>) => {
  let state: CallState = initialCall(agent)
  let last: ReadonlyArray<CallAction> = []
  for (const event of events) [state, last] = step(state, event)
  return { state, last, thinks: last.filter((action) => action._tag === "Think") }
}

describe("what happens outside of a call", () => {
  it("is told at once when nobody speaks, after the filter has judged it", () => {
    const { state, thinks } = play(...begun, noticed)
    assert.lengthOf(thinks, 1)
    assert.include(thinks[0].text, paid)
    assert.include(thinks[0].history.at(-1)?.content, paid)
    assert.isTrue(state.thinking)
    assert.deepStrictEqual(state.notices, [])
  })

  it("waits for an answer that is being made and said, and is told once", () => {
    const waiting = play(...begun, turn("How long does it take?"), noticed)
    assert.lengthOf(waiting.thinks, 0)
    const { thinks, state } = play(
      ...begun,
      turn("How long does it take?"),
      noticed,
      { _tag: "ReplyFinished", turn: 1 },
      drained("Three days.")
    )
    assert.lengthOf(thinks, 1)
    assert.include(thinks[0].history.at(-1)?.content, paid)
    assert.deepStrictEqual(state.notices, [])
  })

  it("is told instead of asking a silent caller, and never in the last words", () => {
    const held: CallState = { ...play(...begun).state, notices: [paid] }
    const [, actions] = step(held, { _tag: "SilenceElapsed" })
    assert.lengthOf(
      actions.filter(({ _tag }) => _tag === "Think"),
      1
    )
    const closing = play(...begun, { _tag: "MaxDurationReached" }, noticed)
    assert.lengthOf(closing.thinks, 0)
  })

  it("that comes before the welcome was heard waits for its end", () => {
    assert.lengthOf(play({ _tag: "Answered" }, noticed).thinks, 0)
    assert.lengthOf(play({ _tag: "Answered" }, noticed, drained(agent.disclosureText)).thinks, 0)
    assert.lengthOf(
      play({ _tag: "Answered" }, noticed, drained(agent.disclosureText), drained(agent.welcomeMessage)).thinks,
      1
    )
  })
})

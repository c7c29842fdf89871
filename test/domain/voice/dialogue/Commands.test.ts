import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  type CallAction,
  type CallInput,
  type CallState,
  initialCall,
  step
} from "../../../../src/domain/voice/dialogue/Call.ts"
import { agentOf } from "../../../support/agent.ts"

const agent = agentOf()
const spoken = (text: string) => ({ text, unheard: "", startMs: 0, endMs: 1 })
const drained = (text: string): CallInput => ({ _tag: "Drained", spoken: spoken(text) })
const turn = (text: string): CallInput => ({ _tag: "TurnEnded", text, startMs: 10, endMs: 20 })
const say = (text: string): CallInput => ({ _tag: "SayRequested", text })

const play = (...events: ReadonlyArray<CallInput>) => {
  let state: CallState = initialCall(agent)
  let last: ReadonlyArray<CallAction> = []
  for (const event of events) [state, last] = step(state, event)
  return { state, last }
}
const begun: ReadonlyArray<CallInput> = [
  { _tag: "Answered" },
  drained(agent.disclosureText),
  drained(agent.welcomeMessage)
]
const tags = (actions: ReadonlyArray<CallAction>) => actions.map(({ _tag }) => _tag)
const words = "Your parcel leaves today."

describe("what a person of the organization tells a call", () => {
  it("is said as it is written, instead of the answer that the agent thinks of, and the model knows it afterwards", () => {
    const { state, last } = play(...begun, turn("Where is my parcel?"), say(words))
    assert.deepStrictEqual(tags(last), ["StopThinking", "DisarmSilence", "Say"])
    assert.isFalse(state.thinking)
    const [heard] = step(state, drained(words))
    assert.deepStrictEqual(heard.history.at(-1), { role: "assistant", content: words })
    // The answer that was being made is not taken any more.
    assert.deepStrictEqual(step(state, { _tag: "ReplyFinished", turn: state.turn })[1], [])
  })

  it("comes after the disclosure, which is heard to its end, and before the welcome", () => {
    const { last } = play({ _tag: "Answered" }, say(words))
    assert.deepStrictEqual(tags(last), ["Say"])
    const { last: next } = play({ _tag: "Answered" }, say(words), drained(`${agent.disclosureText} ${words}`))
    assert.deepInclude(next, { _tag: "Say", text: agent.welcomeMessage, interruptible: true })
  })

  it("ends the call with the agent's goodbye, and the agent is who hung up", () => {
    const { state, last } = play(...begun, { _tag: "EndRequested" })
    assert.deepInclude(last, { _tag: "Say", text: agent.silence.goodbyeText, interruptible: false })
    const [, actions] = step(state, drained(agent.silence.goodbyeText))
    assert.deepInclude(actions, { _tag: "End", endReason: "agent_hangup" })
  })

  it("hands the call to a human as if the caller had asked for one", () => {
    const { last } = play(...begun, { _tag: "HumanRequested" })
    assert.includeMembers(tags(last), ["RecordHandoff", "RunEscalation"])
    const nobody = play(
      ...begun,
      { _tag: "HumanRequested" },
      { _tag: "EscalationPlanned", plan: { outcome: "nobody" } }
    )
    assert.strictEqual(nobody.state.closing?.reason, "queued_for_human")
  })

  it("changes nothing once the call is ending, whatever it is", () => {
    const commands: ReadonlyArray<CallInput> = [say(words), { _tag: "EndRequested" }, { _tag: "HumanRequested" }]
    const ending = play(...begun, { _tag: "MaxDurationReached" }).state
    const over = play(...begun, { _tag: "LineClosed" }).state
    fc.assert(
      fc.property(fc.constantFrom(ending, over), fc.array(fc.constantFrom(...commands)), (state, inputs) => {
        for (const input of inputs) assert.deepStrictEqual(step(state, input), [state, []])
      })
    )
  })
})

/** What a call does first when another process goes on with it. */
import { describe, expect, it } from "vitest"
import { type CallInput, type CallState, initialCall, step } from "../../../../src/domain/voice/dialogue/Call.ts"
import { takeOver } from "../../../../src/domain/voice/dialogue/CallTakeOver.ts"
import { agentOf } from "../../../support/agent.ts"

const agent = agentOf()
const heard = (text: string): CallInput => ({
  _tag: "Drained",
  spoken: { text, unheard: "", startMs: 0, endMs: 1_000 }
})
const asked = (text: string): CallInput => ({ _tag: "TurnEnded", text, startMs: 1_000, endMs: 2_000 })
const stateAfter = (...inputs: ReadonlyArray<CallInput>): CallState =>
  inputs.reduce<CallState>((state, input) => step(state, input)[0], initialCall(agent))
const greeted = [{ _tag: "Answered" }, heard(agent.disclosureText), heard(agent.welcomeMessage)] as const
const nothing = { reply: [], unsaid: [] }

describe("a call that another process goes on with", () => {
  it("thinks the turn again of which nothing was said", () => {
    const [state, actions] = takeOver(stateAfter(...greeted, asked("Are you open?")), nothing)
    expect(actions).toEqual([
      expect.objectContaining({ _tag: "Think", turn: state.turn, guess: false, text: "Are you open?" })
    ])
  })

  it("lets the model go on where its answer broke off", () => {
    const [, actions] = takeOver(stateAfter(...greeted, asked("Are you open?")), {
      reply: ["Yes, until six."],
      unsaid: []
    })
    const [think] = actions
    expect(think).toMatchObject({ _tag: "Think" })
    if (think._tag !== "Think") return
    expect(think.said).toEqual(["Yes, until six."])
    expect(think.history.slice(-3)).toEqual([
      { role: "user", content: "Are you open?" },
      { role: "assistant", content: "Yes, until six." },
      { role: "system", content: expect.stringContaining("Go on from exactly there") }
    ])
  })

  it("says a line again that has no sound", () => {
    const disclosing = stateAfter({ _tag: "Answered" })
    const unsaid = [{ text: agent.disclosureText, interruptible: false }]
    expect(takeOver(disclosing, { reply: [], unsaid })[1]).toEqual([
      { _tag: "Say", text: agent.disclosureText, interruptible: false }
    ])
  })

  it("drops a guess, and answers when the turn has ended", () => {
    const guessing = stateAfter(...greeted, { _tag: "TurnLikely", text: "Are you" })
    const [state, actions] = takeOver(guessing, nothing)
    expect(actions).toEqual([{ _tag: "StopSpeaking" }, { _tag: "ArmSilence" }])
    expect(step(state, asked("Are you open?"))[1]).toContainEqual(
      expect.objectContaining({ _tag: "Think", text: "Are you open?" })
    )
  })

  it("waits for a caller who says nothing", () => {
    expect(takeOver(stateAfter(...greeted), nothing)[1]).toEqual([{ _tag: "ArmSilence" }])
  })

  it("lets what is being said be heard", () => {
    expect(takeOver(stateAfter({ _tag: "Answered" }, heard(agent.disclosureText)), nothing)[1]).toEqual([])
  })

  it("asks for the human again, or for the transfer, that was asked for", () => {
    const wanted = stateAfter(...greeted, { _tag: "HumanRequested" })
    expect(takeOver(wanted, nothing)[1]).toEqual([expect.objectContaining({ _tag: "RunEscalation" })])
    const plan = { outcome: "transfer", twiml: "<Dial/>" } as const
    const [planned, [line]] = step(wanted, { _tag: "EscalationPlanned", plan })
    if (line._tag !== "Say") throw new Error("the caller is not told of the transfer")
    const [transferring] = step(planned, heard(line.text))
    expect(takeOver(transferring, nothing)[1]).toEqual([{ _tag: "Transfer", twiml: "<Dial/>" }])
  })

  it("does nothing for a call that is over", () => {
    expect(takeOver(stateAfter(...greeted, { _tag: "LineClosed" }), nothing)[1]).toEqual([])
  })
})

/** A person of the organization in a call, as events and actions. */
import { assert, describe, it } from "@effect/vitest"
import { type CallAction, type CallInput, initialCall, step } from "../../../../src/domain/voice/dialogue/Call.ts"
import { fixedPhrases } from "../../../../src/domain/voice/dialogue/FixedPhrases.ts"
import { agentOf } from "../../../support/agent.ts"

const agent = agentOf()
const { personJoins, personLeft, technicalProblem } = fixedPhrases(agent.voice.language)

const drained = (text: string): CallInput => ({
  _tag: "Drained",
  spoken: { text, unheard: "", startMs: 0, endMs: 1 }
})
const turn = (text: string): CallInput => ({ _tag: "TurnEnded", text, startMs: 10, endMs: 20 })
const takenOver: CallInput = { _tag: "TakenOver" }
const handedBack: CallInput = { _tag: "HandedBack", lost: false }
const personSaid = (text: string): CallInput => ({ _tag: "PersonSaid", text, startMs: 30, endMs: 40 })

const play = (...events: ReadonlyArray<CallInput>) => {
  let state = initialCall(agent)
  let last: ReadonlyArray<CallAction> = []
  for (const event of events) [state, last] = step(state, event)
  const told = state.history.map(({ role, content }) => `${role}: ${content}`)
  return { state, last, tags: last.map(({ _tag }) => _tag), told }
}
const said = (actions: ReadonlyArray<CallAction>) =>
  actions.flatMap((action) => (action._tag === "Say" ? [[action.text, action.interruptible]] : []))

const begun = [{ _tag: "Answered" } as const, drained(agent.disclosureText), drained(agent.welcomeMessage)]
const talking = [...begun, turn("Hello"), takenOver, drained(personJoins)]

describe("a person who takes a call over", () => {
  it("silences the agent, which announces the person and cannot be interrupted in that", () => {
    const { tags, last } = play(...begun, turn("Hello"), takenOver)
    assert.deepStrictEqual(tags, ["StopThinking", "StopSpeaking", "DisarmSilence", "Say"])
    assert.deepStrictEqual(said(last), [[personJoins, false]])
    assert.deepStrictEqual(play(...talking).tags.at(-1), "GiveToPerson")
  })

  it("waits for the end of the disclosure, and the welcome is not said", () => {
    const { tags, state } = play({ _tag: "Answered" }, takenOver)
    assert.deepStrictEqual(tags, [])
    assert.strictEqual(state.person, "asked")
    const after = play({ _tag: "Answered" }, turn("Hello?"), takenOver, drained(agent.disclosureText))
    assert.deepStrictEqual(said(after.last), [[personJoins, false]])
    assert.include(after.told, "user: Hello?")
  })

  it("talks with the caller while the agent keeps silent, whatever happens", () => {
    const quiet: ReadonlyArray<CallInput> = [
      { _tag: "TurnLikely", text: "And" },
      { _tag: "TurnLost" },
      { _tag: "SilenceElapsed" },
      { _tag: "Noticed", text: "The money came." },
      { _tag: "ReplyFinished", turn: 1 },
      { _tag: "ReplyFailed", turn: 1 },
      { _tag: "Flagged", turn: 1, direction: "output", text: "bad", categories: [] },
      { _tag: "SayRequested", text: "Hello" },
      { _tag: "ProviderLost" },
      takenOver
    ]
    for (const event of quiet) assert.deepStrictEqual(play(...talking, event).tags, [], event._tag)
    assert.deepStrictEqual(play(...talking, turn("A human please")).tags, ["RecordUtterance"])
  })

  it("is recorded as a person, and the agent knows what both said when it has the call again", () => {
    const { last } = play(...talking, personSaid("It comes tomorrow."))
    assert.deepInclude(last[0], { _tag: "RecordUtterance", role: "agent", by: "person", text: "It comes tomorrow." })
    const back = play(...talking, personSaid("It comes tomorrow."), turn("Thank you."), handedBack)
    assert.deepStrictEqual(back.tags, ["TakeFromPerson", "DisarmSilence", "StopThinking", "Say"])
    assert.deepStrictEqual(said(back.last), [[personLeft, true]])
    assert.include(back.told, "system: Your colleague said to the caller: It comes tomorrow.")
    assert.include(back.told, "user: Thank you.")
    const next = play(...talking, turn("Thank you."), handedBack, drained(personLeft), turn("Bye"))
    const [think] = next.last.flatMap((action) => (action._tag === "Think" ? [action] : []))
    // The content filter judges what the caller said to the person, too.
    assert.strictEqual(think.text, "Hello Thank you. Bye")
  })

  it("leaves words that are known late in the transcript and in the history", () => {
    const { told, tags } = play(...talking, handedBack, personSaid("Goodbye."))
    assert.include(told, "system: Your colleague said to the caller: Goodbye.")
    assert.deepStrictEqual(tags, ["RecordUtterance"])
  })

  it("gives the call back before the agent ends it", () => {
    for (const event of ["EndRequested", "MaxDurationReached", "HumanRequested"] as const) {
      const { tags, state } = play(...talking, { _tag: event })
      assert.strictEqual(tags[0], "TakeFromPerson", event)
      assert.strictEqual(state.phase, "closing")
      assert.isUndefined(state.person)
    }
    assert.deepStrictEqual(play(...talking, { _tag: "LineClosed" }).tags.at(-1), "End")
  })

  it("hands back to an agent that hears nothing any more, which then asks for a human", () => {
    const { tags, state } = play(...talking, { _tag: "ProviderLost" }, handedBack)
    assert.include(tags, "RunEscalation")
    assert.strictEqual(state.closing?.nobody, technicalProblem)
  })

  it("is heard without the announcement when the agent's voice fails", () => {
    const failed: CallInput = { _tag: "SpeechLost", spoken: { text: "", unheard: "", startMs: 0, endMs: 0 } }
    assert.deepStrictEqual(play(...begun, takenOver, failed).tags, ["GiveToPerson"])
  })

  it("comes too late when the call says its last words", () => {
    const { tags, state } = play(...begun, { _tag: "EndRequested" }, takenOver)
    assert.deepStrictEqual(tags, [])
    assert.isUndefined(state.person)
  })
})

describe("a whisper", () => {
  it("is a note that only the agent reads, with its next answer", () => {
    const { tags, told } = play(...begun, { _tag: "Whispered", text: "Offer a discount." })
    assert.deepStrictEqual(tags, [])
    assert.match(told.at(-1) ?? "", /^system: .*the caller does not hear it: Offer a discount\./)
    const { last } = play(...begun, { _tag: "Whispered", text: "Offer a discount." }, turn("How much?"))
    const [think] = last.flatMap((action) => (action._tag === "Think" ? [action] : []))
    assert.isTrue(think.history.some(({ content }) => content?.includes("Offer a discount.")))
  })
})

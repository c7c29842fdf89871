import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  type CallAction,
  type CallInput,
  type CallState,
  factsOf,
  fixedLines,
  handoverOf,
  initialCall,
  step,
  withFacts
} from "../../../../src/domain/voice/dialogue/Call.ts"
import { fixedPhrases } from "../../../../src/domain/voice/dialogue/FixedPhrases.ts"
import type { TurnMark } from "../../../../src/domain/voice/dialogue/TurnMark.ts"
import type { AgentConfig } from "../../../../src/domain/voice/engine/AgentConfig.ts"
import { agentOf } from "../../../support/agent.ts"
import {
  anyCallInput,
  bargedIn,
  drained,
  finished,
  flagged,
  likely,
  nobodyPlan,
  planned,
  queuePlan,
  speechLost,
  transferPlan,
  turn
} from "./callInputs.ts"

const agent = agentOf()
const {
  apology,
  handoff: handoffLine,
  humanUnavailable,
  queue: queueLine,
  technicalProblem,
  transfer: transferLine
} = fixedPhrases(agent.voice.language)
/** The state and actions after a sequence of events; `last` holds the actions of the last event. */
const play = (config: AgentConfig, ...events: ReadonlyArray<CallInput>) => {
  let state: CallState = initialCall(config)
  let last: ReadonlyArray<CallAction> = []
  const all: Array<CallAction> = []
  for (const event of events) {
    ;[state, last] = step(state, event)
    all.push(...last)
  }
  return { state, last, all }
}
const tags = (actions: ReadonlyArray<CallAction>) => actions.map((action) => action._tag)
const pick = <T extends CallAction["_tag"]>(actions: ReadonlyArray<CallAction>, tag: T) =>
  actions.filter((action): action is Extract<CallAction, { _tag: T }> => action._tag === tag)
const said = (actions: ReadonlyArray<CallAction>) => pick(actions, "Say").map((action) => action.text)
const endReasons = (actions: ReadonlyArray<CallAction>) => pick(actions, "End").map((action) => action.endReason)

const answered: CallInput = { _tag: "Answered" }
/** The events up to the point where the caller may speak. */
const welcomed = [answered, drained(agent.disclosureText), drained(agent.welcomeMessage)]

describe("the beginning of a call", () => {
  it("says the disclosure first, and nobody can interrupt it", () => {
    const { last } = play(agent, answered)
    assert.deepStrictEqual(last, [{ _tag: "Say", text: agent.disclosureText, interruptible: false }])
  })

  it("welcomes after the disclosure was heard, and waits for the caller after the welcome", () => {
    const afterDisclosure = play(agent, ...welcomed.slice(0, 2))
    assert.deepStrictEqual(said(afterDisclosure.last), [agent.welcomeMessage])
    assert.deepStrictEqual(tags(play(agent, ...welcomed).last), ["RecordUtterance", "ArmSilence"])
  })

  it("answers what was said during the disclosure, after the welcome and all at once", () => {
    const during = play(agent, answered, turn("Hello?"), turn("What are your hours?"))
    assert.deepStrictEqual(tags(during.last), ["RecordUtterance"])
    const { last } = play(agent, answered, turn("Hello?"), turn("What are your hours?"), drained(agent.disclosureText))
    assert.deepStrictEqual(
      tags(last).filter((tag) => tag === "Say" || tag === "Think"),
      ["Say", "Think"]
    )
    assert.strictEqual(pick(last, "Think")[0]?.text, "Hello? What are your hours?")
  })

  it("hears the disclosure to its end before a human is rung, also when the caller asks at once", () => {
    const asked = [answered, turn("Give me a human")] as const
    assert.notInclude(tags(play(agent, ...asked).last), "StopSpeaking")
    assert.deepStrictEqual(said(play(agent, ...asked, planned(transferPlan)).last), [transferLine])
    const early = play(agent, ...asked, planned(transferPlan), drained(agent.disclosureText))
    assert.deepStrictEqual(tags(early.last), ["RecordUtterance"])
    const heard = play(agent, ...asked, planned(transferPlan), drained(`${agent.disclosureText} ${transferLine}`))
    assert.deepStrictEqual(pick(heard.last, "Transfer"), [{ _tag: "Transfer", twiml: "<Dial/>" }])
  })

  it('apologises when nothing follows "One moment" but silence', () => {
    const last = play(
      agent,
      ...welcomed,
      turn("Where is my order?"),
      drained("One moment."),
      { _tag: "ToolExchange", messages: [] },
      { _tag: "ReplyFailed", turn: 1 }
    ).last
    assert.deepStrictEqual(said(last), [fixedPhrases(agent.voice.language).apology])
  })

  it("says the fallback line and asks for a human when its own instructions were flagged", () => {
    const flag = { direction: "input", text: "Sell weapons.", categories: ["illicit"], what: "instructions" } as const
    const { last } = play(agent, ...welcomed, turn("Hello."), { _tag: "Flagged", turn: 1, ...flag })
    assert.deepStrictEqual(pick(last, "RecordFlag"), [{ _tag: "RecordFlag", ...flag }])
    assert.include(said(last).join(" "), agent.fallbackLine)
    assert.include(tags(last), "RunEscalation")
  })

  it("tells the model who is calling when that is known", () => {
    const facts = factsOf({ contactName: "Asha", context: ["It is about an order."] })
    const { history } = initialCall(agent)
    assert.deepStrictEqual(withFacts(history, facts)[0], {
      role: "system",
      content: `${agent.systemPrompt}\n\nThe caller is Asha.\nIt is about an order.`
    })
    assert.deepStrictEqual(withFacts(history, []), history)
  })
})

describe("turns", () => {
  it("thinks about a turn with the whole history, and stops waiting for the caller", () => {
    const { last } = play(agent, ...welcomed, turn("What is the price?"))
    assert.deepStrictEqual(tags(last), ["DisarmSilence", "Think", "RecordUtterance"])
    assert.deepStrictEqual(
      pick(last, "Think")[0]?.history.map(({ role, content }) => [role, content]),
      [
        ["system", "Help."],
        ["assistant", agent.disclosureText],
        ["assistant", agent.welcomeMessage],
        ["user", "What is the price?"]
      ]
    )
  })

  it("records what was heard of an interrupted answer, tells the model no more than that, and stops thinking", () => {
    const events = [...welcomed, turn("Tell me all"), bargedIn("We open", "at nine")]
    const { last, state } = play(agent, ...events)
    assert.deepStrictEqual(tags(last), ["StopThinking", "DisarmSilence", "RecordUtterance"])
    const [record] = pick(last, "RecordUtterance")
    assert.deepStrictEqual([record?.role, record?.text, record?.interrupted], ["agent", "We open", true])
    assert.deepStrictEqual(state.history.at(-1), { role: "assistant", content: "We open" })
    assert.isFalse(state.thinking)
  })

  it("goes on where it was cut off when the interruption was only a noise", () => {
    const events = [...welcomed, turn("Tell me all"), bargedIn("We open", "at nine")]
    assert.deepStrictEqual(said(play(agent, ...events, { _tag: "TurnLost" }).last), ["at nine"])
    const twice = play(agent, ...events, { _tag: "TurnLost" }, drained("at nine"), { _tag: "TurnLost" })
    assert.deepStrictEqual(tags(twice.last), ["ArmSilence"])
    const meant = play(agent, ...events, turn("No, stop"), finished(2), drained("Sure."), { _tag: "TurnLost" })
    assert.deepStrictEqual(said(meant.last), [])
  })

  it("drops results that belong to an older turn", () => {
    const events = [...welcomed, turn("One"), bargedIn(""), turn("Two")]
    const { state } = play(agent, ...events)
    const stale: ReadonlyArray<CallInput> = [
      finished(1),
      { _tag: "ReplyFailed", turn: 1 },
      flagged(1, "output"),
      { _tag: "EscalationRequested", turn: 1, plan: transferPlan }
    ]
    for (const event of stale) assert.deepStrictEqual(step(state, event), [state, []], event._tag)
  })

  it("replaces the answer to a turn by the answer to the next one, and never answers twice", () => {
    const { last, all, state } = play(agent, ...welcomed, turn("One"), turn("Two"))
    assert.deepStrictEqual(tags(last), ["StopThinking", "StopSpeaking", "DisarmSilence", "Think", "RecordUtterance"])
    assert.deepStrictEqual(
      pick(all, "Think").map((action) => action.turn),
      [1, 2]
    )
    const [next] = step(state, finished(1))
    assert.isTrue(next.thinking)
    assert.deepStrictEqual(state.history.at(-1), { role: "user", content: "One Two" })
  })

  it("drops an answer that is ready and was not heard yet when more of the turn comes", () => {
    const { last } = play(agent, ...welcomed, turn("One"), finished(1), turn("Two"))
    assert.deepStrictEqual(tags(last), ["StopThinking", "StopSpeaking", "DisarmSilence", "Think", "RecordUtterance"])
    const heard = play(agent, ...welcomed, turn("One"), finished(1), drained("Yes."), turn("Two"))
    assert.deepStrictEqual(tags(heard.last), ["DisarmSilence", "Think", "RecordUtterance"])
  })

  it("does not drop the welcome because of what the caller said before it", () => {
    const { last } = play(agent, answered, drained(agent.disclosureText), turn("Hello?"))
    assert.deepStrictEqual(tags(last), ["DisarmSilence", "Think", "RecordUtterance"])
  })

  it("answers the whole turn when its second half comes during the answer to the first, and records no interruption", () => {
    const { all, last } = play(
      agent,
      ...welcomed,
      turn("A table"),
      bargedIn("For", "how many?", false),
      turn("for two")
    )
    assert.deepInclude(
      pick(all, "RecordUtterance").find(({ text }) => text === "For"),
      { role: "agent", interrupted: false }
    )
    assert.deepStrictEqual(
      pick(last, "Think")[0]
        ?.history.slice(-3)
        .map(({ content }) => content),
      ["A table", "For", "for two"]
    )
  })

  it("notes what was said over its speech, and tells the model of it unless it was a listening noise", () => {
    const over = (text: string): CallInput => ({ _tag: "Overheard", text, startMs: 1, endMs: 2 })
    const noise = play(agent, ...welcomed, turn("One"), finished(1), over("mm-hm"))
    assert.deepStrictEqual(tags(noise.last), ["RecordUtterance"])
    assert.deepStrictEqual(noise.state.history.at(-1), { role: "user", content: "One" })
    const words = play(agent, ...welcomed, turn("One"), finished(1), over("the blue one"))
    assert.deepStrictEqual(words.state.history.at(-1), { role: "user", content: "the blue one" })
  })

  it("keeps what tools answered for the next turn", () => {
    const messages = [{ role: "tool", toolCallId: "t1", content: "42" }] as const
    const { state } = play(agent, ...welcomed, turn("Look it up"), { _tag: "ToolExchange", messages })
    assert.deepStrictEqual(state.history.at(-1), messages[0])
    const late = play(agent, ...welcomed, turn("Look it up"), bargedIn("One mo"), { _tag: "ToolExchange", messages })
    assert.deepStrictEqual(late.state.history.at(-1), messages[0])
  })

  it("does not wait for the caller while it is thinking", () => {
    const { last } = play(agent, ...welcomed, turn("One"), drained("Let me see."))
    assert.deepStrictEqual(tags(last), ["RecordUtterance"])
    const answeredNow = play(agent, ...welcomed, turn("One"), finished(1), drained("Here you are."))
    assert.deepStrictEqual(tags(answeredNow.last), ["RecordUtterance", "ArmSilence"])
  })
})

describe("a turn that is probably over", () => {
  const guessed = [...welcomed, likely("What is the price")] as const

  it("is thought about before that is certain, and heard when it is: one answer", () => {
    const { last } = play(agent, ...guessed)
    assert.deepStrictEqual(
      pick(last, "Think").map(({ turn: number, guess, text }) => [number, guess, text]),
      [[1, true, "What is the price"]]
    )
    const certain = play(agent, ...guessed, turn("What is the price"))
    assert.deepStrictEqual(tags(certain.last), ["DisarmSilence", "Commit", "RecordUtterance"])
    assert.lengthOf(pick(certain.all, "Think"), 1)
    assert.isTrue(certain.state.thinking)
  })

  it("is thought about anew when the caller went on", () => {
    const more = play(agent, ...guessed, turn("What is the price of tea"))
    assert.deepStrictEqual(tags(more.last), [
      "StopThinking",
      "StopSpeaking",
      "DisarmSilence",
      "Think",
      "RecordUtterance"
    ])
    assert.deepStrictEqual(
      pick(more.last, "Think").map(({ turn: number, guess }) => [number, guess]),
      [[2, false]]
    )
    const again = play(agent, ...guessed, likely("What is the price of tea"), turn("What is the price of tea"))
    assert.deepStrictEqual(pick(again.last, "Commit"), [{ _tag: "Commit", turn: 2 }])
  })

  it("is thought about anew when the context changed: a tool of an earlier turn has answered", () => {
    const messages = [{ role: "tool", toolCallId: "t1", content: "42" }] as const
    const { last } = play(agent, ...guessed, { _tag: "ToolExchange", messages }, turn("What is the price"))
    assert.lengthOf(pick(last, "Think"), 1)
    assert.lengthOf(pick(last, "Commit"), 0)
  })

  it("keeps the result of the guess until the turn proves it right", () => {
    const early = play(agent, ...guessed, finished(1))
    assert.isFalse(early.state.speaking)
    const right = play(agent, ...guessed, finished(1), turn("What is the price"))
    assert.isFalse(right.state.thinking)
    assert.isTrue(right.state.speaking)
    const wrong = play(agent, ...guessed, flagged(1, "output"), turn("Something else"))
    assert.notInclude(tags(wrong.all), "RecordFlag")
    const bad = play(agent, ...guessed, flagged(1, "input"), turn("What is the price"))
    assert.include(tags(bad.last), "RecordFlag")
  })

  it("does not count a failed guess as a failure", () => {
    const { last, all } = play(agent, ...guessed, { _tag: "ReplyFailed", turn: 1 }, turn("What is the price"))
    assert.notInclude(said(all), apology)
    assert.lengthOf(pick(last, "Think"), 1)
  })

  it("is not guessed at during the disclosure, while the agent speaks or thinks, nor when a human is asked for", () => {
    assert.lengthOf(pick(play(agent, answered, likely("Hello")).all, "Think"), 0)
    assert.lengthOf(pick(play(agent, ...welcomed, turn("One"), likely("Two")).last, "Think"), 0)
    assert.lengthOf(pick(play(agent, ...welcomed, turn("One"), finished(1), likely("Two")).last, "Think"), 0)
    assert.lengthOf(pick(play(agent, ...welcomed, likely("Give me a human")).last, "Think"), 0)
  })
})

describe("a turn that the model judges", () => {
  const half = "I would like to come on Friday"
  const mark = (number: number, told: TurnMark | "none", silentMs = 500): CallInput => ({
    _tag: "Judged",
    turn: number,
    mark: told,
    silentMs
  })
  const waitOver = (number: number): CallInput => ({ _tag: "WaitOver", turn: number })
  const guessed = [...welcomed, likely(half)] as const
  const thinks = (actions: ReadonlyArray<CallAction>) =>
    pick(actions, "Think").map(({ turn: number, guess, marked }) => [number, guess, marked])

  it("is asked for a mark whenever its answer begins, unless the agent does not want that", () => {
    assert.deepStrictEqual(thinks(play(agent, ...guessed).last), [[1, true, true]])
    assert.deepStrictEqual(thinks(play(agent, ...welcomed, turn(half)).last), [[1, false, true]])
    const held = play(agent, answered, turn(half), drained(agent.disclosureText))
    assert.deepStrictEqual(thinks(held.last), [[1, false, false]])
    const off = agentOf({ endpointing: { ...agent.endpointing, semantic: "off" } })
    assert.deepStrictEqual(thinks(play(off, ...guessed).last), [[1, true, false]])
    const older = agentOf({ endpointing: { minSilenceMs: 400, maxSilenceMs: 2_500 } })
    assert.deepStrictEqual(thinks(play(older, ...guessed).last), [[1, true, true]])
  })

  it("ends sooner when it is finished, and has one answer: that of the guess", () => {
    const told = play(agent, ...guessed, mark(1, "finished"))
    assert.deepStrictEqual(told.last, [{ _tag: "EndTurnSoon", text: half }])
    const over = play(agent, ...guessed, mark(1, "finished"), turn(half))
    assert.deepStrictEqual(tags(over.last), ["DisarmSilence", "Commit", "RecordUtterance"])
  })

  it.each(["unfinished", "time"] as const)("gets more time, and no answer, when it is called %s", (told) => {
    const dropped = play(agent, ...guessed, mark(1, told))
    assert.deepStrictEqual(tags(dropped.last), ["StopThinking", "StopSpeaking"])
    const over = play(agent, ...guessed, mark(1, told), turn(half))
    assert.deepStrictEqual(tags(over.last), ["DisarmSilence", "AwaitMore", "RecordUtterance"])
    const waited = play(agent, ...guessed, mark(1, told), turn(half), waitOver(1))
    assert.deepStrictEqual(tags(waited.last), ["DisarmSilence", "Think"])
    assert.deepStrictEqual(thinks(waited.last), [[2, false, false]])
    assert.deepStrictEqual(pick(waited.last, "Think")[0]?.history.at(-1), { role: "user", content: half })
    assert.strictEqual(pick(waited.last, "Think")[0]?.text, half)
    assert.deepStrictEqual(tags(play(agent, ...guessed, mark(1, told), turn(half), waitOver(1), waitOver(1)).last), [])
  })

  it("is one turn with what the caller says in that time", () => {
    const waiting = [...guessed, mark(1, "unfinished"), turn(half)]
    const on = play(agent, ...waiting, likely("with my wife"))
    assert.deepStrictEqual(pick(on.last, "Think")[0]?.history.at(-1), { role: "user", content: `${half} with my wife` })
    const ended = play(agent, ...waiting, likely("with my wife"), turn("with my wife"), waitOver(1))
    assert.deepStrictEqual(pick(ended.all, "Commit"), [{ _tag: "Commit", turn: 2 }])
    assert.deepStrictEqual(ended.last, [])
    const atOnce = play(agent, ...waiting, turn("with my wife"), waitOver(1))
    assert.deepStrictEqual(thinks(atOnce.all), [
      [1, true, true],
      [2, false, true]
    ])
    assert.deepStrictEqual(atOnce.state.history.at(-1), { role: "user", content: `${half} with my wife` })
    assert.deepStrictEqual(
      pick(atOnce.all, "RecordUtterance").flatMap(({ role, text }) => (role === "caller" ? [text] : [])),
      [half, "with my wife"]
    )
  })

  it("keeps its guess when the caller went on before the mark of an older guess came", () => {
    const newer = [...guessed, likely(`${half} or Saturday`)]
    for (const told of ["finished", "unfinished", "time", "none"] as const) {
      const { last, state } = play(agent, ...newer, mark(1, told))
      assert.notInclude(tags(last), "StopThinking", told)
      assert.notInclude(tags(last), "EndTurnSoon", told)
      assert.strictEqual(state.guess?.turn, 2)
    }
  })

  it("is answered with all words when it ends otherwise than it was judged", () => {
    const { last } = play(agent, ...guessed, mark(1, "unfinished"), turn(`${half} or Saturday`))
    assert.deepStrictEqual(thinks(last), [[2, false, true]])
    assert.notInclude(tags(last), "AwaitMore")
  })

  it("loses its answer when the mark comes after its end, as long as nothing of it was heard", () => {
    const late = play(agent, ...guessed, turn(half), mark(1, "unfinished", 800))
    assert.deepStrictEqual(tags(late.last), ["StopThinking", "StopSpeaking", "AwaitMore"])
    const stale = play(agent, ...guessed, turn(half), mark(1, "unfinished", 800), finished(1), flagged(1, "output"))
    assert.deepStrictEqual(stale.last, [])
    assert.isFalse(stale.state.speaking)
    const waited = play(agent, ...guessed, turn(half), mark(1, "unfinished", 800), waitOver(1))
    assert.deepStrictEqual(thinks(waited.last), [[2, false, false]])
    const unguessed = play(agent, ...welcomed, turn(half), mark(1, "unfinished", 800))
    assert.deepStrictEqual(tags(unguessed.last), ["StopThinking", "StopSpeaking", "AwaitMore"])
  })

  it("keeps its answer when the mark comes late: another answer would keep the caller waiting", () => {
    const keep = [{ _tag: "KeepAnswer", turn: 1 } as const]
    assert.deepStrictEqual(play(agent, ...guessed, turn(half), mark(1, "unfinished", 1_300)).last, keep)
    assert.deepStrictEqual(play(agent, ...guessed, mark(1, "time", 1_300)).last, keep)
    assert.deepStrictEqual(play(agent, ...guessed, turn(half), finished(1), mark(1, "unfinished")).last, keep)
  })

  it("is left to the words after two answers in a row without a mark", () => {
    const one = [...guessed, mark(1, "none"), turn(half), finished(1), drained("Fine.")]
    const two = [...one, likely("Two"), mark(2, "none"), turn("Two"), finished(2), drained("Good.")]
    assert.deepStrictEqual(thinks(play(agent, ...one, likely("Two")).last), [[2, true, true]])
    assert.deepStrictEqual(thinks(play(agent, ...two, likely("Three")).last), [[3, true, false]])
    const again = [...one, likely("Two"), mark(2, "finished"), turn("Two"), finished(2), drained("Good.")]
    assert.deepStrictEqual(thinks(play(agent, ...again, likely("Three"), mark(3, "none"), likely("Four")).last), [
      [4, true, true]
    ])
  })

  it("is not asked about silence while the caller has time to go on, and the wait ends with the call", () => {
    const waiting = [...guessed, mark(1, "unfinished"), turn(half)]
    assert.deepStrictEqual(play(agent, ...waiting, { _tag: "SilenceElapsed" }).last, [])
    assert.deepStrictEqual(play(agent, ...waiting, { _tag: "MaxDurationReached" }, waitOver(1)).last, [])
    assert.deepStrictEqual(play(agent, ...waiting, { _tag: "LineClosed" }, waitOver(1)).last, [])
  })

  it("is never answered twice and never left unanswered, in any order of marks, words and ends", () => {
    const told = fc.constantFrom<TurnMark | "none">("finished", "unfinished", "time", "none")
    const anyStep = fc.oneof(
      fc.record({ kind: fc.constant("mark" as const), told, back: fc.nat(2), silentMs: fc.nat(2_000) }),
      fc.record({ kind: fc.constant("likely" as const) }),
      fc.record({ kind: fc.constant("end" as const) }),
      fc.record({ kind: fc.constant("wait" as const), back: fc.nat(2) }),
      fc.record({ kind: fc.constant("lost" as const) })
    )
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 25 }), (steps) => {
        let [state] = [play(agent, ...welcomed).state]
        let pending = ""
        let words = 0
        /** Turns whose answer is being made for the caller to hear, and is not dropped. */
        let live: ReadonlyArray<number> = []
        let waits: number | undefined
        const apply = (event: CallInput) => {
          const [next, actions] = step(state, event)
          state = next
          for (const action of actions) {
            if (action._tag === "StopThinking") live = []
            if (action._tag === "Think" && !action.guess) live = [...live, action.turn]
            if (action._tag === "Commit") live = [...live, action.turn]
            if (action._tag === "AwaitMore") waits = action.turn
          }
          assert.isAtMost(live.length, 1)
        }
        for (const one of steps) {
          if (one.kind === "mark") apply(mark(Math.max(0, state.turn - one.back), one.told, one.silentMs))
          else if (one.kind === "wait") apply(waitOver(Math.max(0, state.turn - one.back)))
          else if (one.kind === "lost") apply({ _tag: "TurnLost" })
          else if (one.kind === "likely") {
            pending = `${pending} word${words++}`.trim()
            apply(likely(pending))
          } else if (pending !== "") {
            apply(turn(pending))
            pending = ""
          }
        }
        if (pending !== "") apply(turn(pending))
        if (waits !== undefined) apply(waitOver(waits))
        const spoken = state.history.at(-1)
        if (words > 0) {
          assert.lengthOf(live, 1)
          assert.deepStrictEqual(spoken, {
            role: "user",
            content: Array.from({ length: words }, (_, i) => `word${i}`).join(" ")
          })
        }
      }),
      { numRuns: 1_000 }
    )
  })
})

describe("silence", () => {
  const silence: CallInput = { _tag: "SilenceElapsed" }
  const prompt = [silence, drained(agent.silence.promptText)]

  it("asks as often as configured, then says goodbye and ends", () => {
    const { all } = play(agent, ...welcomed, ...prompt, ...prompt, silence, drained(agent.silence.goodbyeText))
    const { promptText, goodbyeText } = agent.silence
    assert.deepStrictEqual(said(all).slice(2), [promptText, promptText, goodbyeText])
    assert.deepStrictEqual(tags(all).slice(-4), ["HangUp", "StopThinking", "DisarmSilence", "End"])
    assert.deepStrictEqual(endReasons(all), ["silence"])
  })

  it("counts anew after the caller said something", () => {
    const { last } = play(agent, ...welcomed, ...prompt, ...prompt, turn("Yes"), finished(1), drained("Ok."), silence)
    assert.deepStrictEqual(said(last), [agent.silence.promptText])
  })

  it("does not prompt over an answer", () => {
    assert.deepStrictEqual(play(agent, ...welcomed, turn("One"), silence).last, [])
    assert.deepStrictEqual(play(agent, ...welcomed, turn("One"), finished(1), silence).last, [])
  })
})

describe("a call that is handed over to a human", () => {
  const asks = turn("Can I please talk to a HUMAN, now?")

  it("recognises the wish in the middle of a sentence, runs the tool, says so, and only then rings the human", () => {
    const { last } = play(agent, ...welcomed, asks)
    assert.deepStrictEqual(tags(last), [
      "RecordUtterance",
      "StopSpeaking",
      "StopThinking",
      "DisarmSilence",
      "RecordHandoff",
      "RunEscalation"
    ])
    assert.deepStrictEqual(said(play(agent, ...welcomed, asks, planned(transferPlan)).last), [transferLine])
    const heard = [...welcomed, asks, planned(transferPlan), drained(transferLine)] as const
    assert.deepStrictEqual(tags(play(agent, ...heard).last), ["RecordUtterance", "Transfer"])
    assert.deepStrictEqual(endReasons(play(agent, ...heard, { _tag: "TransferDone" }).last), ["transferred"])
  })

  it("does not take the end of an earlier sentence for the end of its last words", () => {
    const before = play(agent, ...welcomed, asks, drained("Something said before"), planned(transferPlan))
    assert.strictEqual(before.state.phase, "closing")
    assert.deepStrictEqual(said(before.last), [transferLine])
    const after = play(agent, ...welcomed, asks, planned(transferPlan), drained("Something said before"))
    assert.deepStrictEqual(tags(after.last), ["RecordUtterance"])
  })

  it("tells callers their place in the queue when every human is busy, and hands them to the queue", () => {
    const queued = [...welcomed, asks, planned(queuePlan)] as const
    assert.deepStrictEqual(said(play(agent, ...queued).last), [queueLine(2)])
    const heard = [...queued, drained(queueLine(2))] as const
    assert.deepStrictEqual(pick(play(agent, ...heard).last, "Transfer"), [{ _tag: "Transfer", twiml: "<Enqueue/>" }])
    assert.deepStrictEqual(endReasons(play(agent, ...heard, { _tag: "TransferDone" }).all), ["queued_for_human"])
  })

  it("leaves a note and hangs up when there is nobody to ring", () => {
    const { all } = play(agent, ...welcomed, asks, planned(nobodyPlan), drained(handoffLine))
    assert.deepStrictEqual(endReasons(all), ["queued_for_human"])
    assert.deepStrictEqual(pick(all, "Transfer"), [])
    assert.lengthOf(pick(all, "RecordHandoff"), 1)
  })

  it("goes the same way when the model calls the tool, without running the tool again", () => {
    const { last } = play(agent, ...welcomed, turn("I am angry"), {
      _tag: "EscalationRequested",
      turn: 1,
      plan: transferPlan
    })
    assert.deepStrictEqual(pick(last, "RecordHandoff"), [
      { _tag: "RecordHandoff", reason: "The agent asked for a human." }
    ])
    assert.deepStrictEqual(said(last), [transferLine])
    assert.notInclude(tags(last), "RunEscalation")
  })

  it("follows the first plan only", () => {
    const { last } = play(agent, ...welcomed, asks, planned(transferPlan), planned(nobodyPlan))
    assert.deepStrictEqual(last, [])
  })

  it("tells the caller when the human could not be rung", () => {
    const events = [
      ...welcomed,
      asks,
      planned(transferPlan),
      drained(transferLine),
      { _tag: "TransferFailed" }
    ] as const
    assert.deepStrictEqual(said(play(agent, ...events).last), [handoffLine])
    assert.deepStrictEqual(endReasons(play(agent, ...events, drained(handoffLine)).all), ["queued_for_human"])
  })

  it("rings the human even when text-to-speech fails, before or after the plan arrives", () => {
    const lost = speechLost("")
    assert.deepStrictEqual(tags(play(agent, ...welcomed, asks, planned(transferPlan), lost).last), ["Transfer"])
    assert.deepStrictEqual(tags(play(agent, ...welcomed, asks, lost, planned(transferPlan)).last), ["Transfer"])
  })
})

describe("a call that comes back because no human took it", () => {
  const resume = {
    outcome: "no_answer",
    disclosed: true,
    history: [
      { role: "caller", text: "A human please" },
      { role: "agent", text: transferLine }
    ],
    nextSequence: 7,
    elapsedMs: 60_000
  } as const

  it("goes on with what was said before, tells the caller, and listens", () => {
    const state = initialCall(agent, resume)
    const [next, actions] = step(state, answered)
    assert.deepStrictEqual(said(actions), [humanUnavailable])
    assert.include(next.history.map(({ content }) => content).join("\n"), "no_answer")
    assert.strictEqual(next.phase, "conversing")
    const [, thinks] = step(step(next, drained(humanUnavailable))[0], turn("What are your hours?"))
    assert.lengthOf(pick(thinks, "Think"), 1)
  })

  it("judges all of the caller's earlier words together with the next turn, however many they are", () => {
    const long = `first ${"words ".repeat(1_000)}a human please`
    for (const text of ["A human please", long]) {
      const history = [{ role: "caller", text }, ...resume.history.slice(1)] as const
      const [next] = step(initialCall(agent, { ...resume, history }), answered)
      const [think] = pick(step(step(next, drained(humanUnavailable))[0], turn("What are your hours?"))[1], "Think")
      assert.strictEqual(think.text, `${text} What are your hours?`)
    }
  })

  it("says the disclosure again when it had not been heard to its end", () => {
    const [next, actions] = step(initialCall(agent, { ...resume, disclosed: false }), answered)
    assert.deepStrictEqual(said(actions), [agent.disclosureText])
    assert.deepStrictEqual(said(step(next, drained(agent.disclosureText))[1]), [humanUnavailable])
  })
})

describe("what the content filter judges", () => {
  const passed = (number: number, text: string): CallInput => ({ _tag: "InputPassed", turn: number, text })
  const over: CallInput = { _tag: "Overheard", text: "the blue one", startMs: 1, endMs: 2 }
  const judged = (...events: ReadonlyArray<CallInput>) =>
    pick(play(agent, ...welcomed, ...events).last, "Think").map(({ text }) => text)
  const failed: CallInput = { _tag: "ReplyFailed", turn: 1 }

  it("is only the turn when everything before it has a verdict", () => {
    assert.deepStrictEqual(judged(turn("One")), ["One"])
    assert.deepStrictEqual(judged(turn("One"), passed(1, "One"), finished(1), drained("Yes."), turn("Two")), ["Two"])
    assert.deepStrictEqual(judged(turn("One"), passed(1, "One"), failed, drained(apology), turn("Two")), ["Two"])
  })

  it("is also an earlier turn that had no verdict, since the model is told of it", () => {
    const events = [turn("One"), failed, drained(apology), turn("Two")]
    assert.deepStrictEqual(judged(...events), ["One Two"])
    const after = [passed(2, "One Two"), finished(2), drained("Yes."), turn("Three")]
    assert.deepStrictEqual(judged(...events, ...after), ["Three"])
  })

  it("is the whole turn when its second half came before the verdict on the first", () => {
    assert.deepStrictEqual(judged(turn("A table"), turn("for two")), ["A table for two"])
    assert.deepStrictEqual(judged(turn("A table"), passed(1, "A table"), turn("for two")), ["for two"])
    const late = [turn("A table"), turn("for two"), passed(1, "A table")]
    assert.deepStrictEqual(judged(...late, bargedIn(""), turn("today")), ["A table for two today"])
  })

  it("includes words said over the agent, before, during or after the verdict on a turn", () => {
    assert.deepStrictEqual(judged(turn("One"), passed(1, "One"), finished(1), over, drained("Yes."), turn("Two")), [
      "the blue one Two"
    ])
    assert.deepStrictEqual(judged(turn("One"), over, passed(1, "One"), finished(1), drained("Yes."), turn("Two")), [
      "the blue one Two"
    ])
  })

  it("is judged while the turn is only guessed to be over, and not again when the guess was right", () => {
    const guess = [turn("One"), failed, drained(apology), likely("Two")]
    assert.deepStrictEqual(judged(...guess), ["One Two"])
    const right = [...guess, passed(2, "One Two"), turn("Two"), finished(2), drained("Yes."), turn("Three")]
    assert.deepStrictEqual(judged(...right), ["Three"])
    assert.deepStrictEqual(judged(...guess, passed(2, "One Two"), turn("Two more")), ["One Two more"])
  })
})

describe("content that is not allowed", () => {
  for (const direction of ["input", "output"] as const) {
    it(`is answered with the fallback line, noted for a human, and ends the call (${direction})`, () => {
      const { last, all } = play(agent, ...welcomed, turn("something bad"), flagged(1, direction))
      assert.deepStrictEqual(tags(last), [
        "RecordFlag",
        "StopSpeaking",
        "StopThinking",
        "DisarmSilence",
        "RecordHandoff",
        "Say",
        "RunEscalation"
      ])
      assert.deepStrictEqual(said(last), [agent.fallbackLine])
      assert.strictEqual(pick(all, "RecordFlag")[0]?.direction, direction)
      const ended = play(
        agent,
        ...welcomed,
        turn("something bad"),
        flagged(1, direction),
        turn("but why"),
        planned(nobodyPlan),
        drained(`${agent.fallbackLine} ${handoffLine}`)
      )
      assert.deepStrictEqual(endReasons(ended.all), ["moderation"])
      assert.lengthOf(pick(ended.all, "Think"), 1)
      const rung = play(
        agent,
        ...welcomed,
        turn("something bad"),
        flagged(1, direction),
        planned(transferPlan),
        drained(`${agent.fallbackLine} ${transferLine}`)
      )
      assert.deepStrictEqual(pick(rung.last, "Transfer"), [{ _tag: "Transfer", twiml: "<Dial/>" }])
    })
  }
})

describe("a provider that fails", () => {
  it("makes the agent apologize the first time and hand over to a human the second time", () => {
    const once = [...welcomed, turn("One"), { _tag: "ReplyFailed", turn: 1 }] as const
    assert.deepStrictEqual(said(play(agent, ...once).last), [apology])
    const twice = [...once, drained(apology), turn("Again"), { _tag: "ReplyFailed", turn: 2 }] as const
    const { last } = play(agent, ...twice)
    assert.lengthOf(pick(last, "RecordHandoff"), 1)
    const gone = play(agent, ...twice, planned(nobodyPlan), drained(technicalProblem))
    assert.deepStrictEqual(endReasons(gone.all), ["provider_failure"])
    const again = [...once, drained(apology), turn("Again"), finished(2)] as const
    const more = [turn("More"), { _tag: "ReplyFailed", turn: 3 }] as const
    assert.deepStrictEqual(said(play(agent, ...again, drained("Yes."), ...more).last), [apology])
    assert.lengthOf(pick(play(agent, ...again, ...more).last, "RecordHandoff"), 1, "no answer was heard in between")
  })

  it("makes the agent apologize when text-to-speech fails in an answer, and the model knows what was heard", () => {
    const once = [...welcomed, turn("One"), finished(1), speechLost("We have")] as const
    const { last } = play(agent, ...once)
    assert.deepStrictEqual(said(last), [apology])
    assert.deepInclude(pick(last, "RecordUtterance")[0], { role: "agent", text: "We have", interrupted: false })
    const [think] = pick(play(agent, ...once, drained(apology), turn("Again")).last, "Think")
    assert.deepInclude(think.history, { role: "assistant", content: "We have" })
    const twice = [...once, drained(apology), turn("Again"), finished(2), speechLost("")] as const
    assert.lengthOf(pick(play(agent, ...twice).last, "RecordHandoff"), 1)
  })

  it("goes unnoticed when text-to-speech fails during a guess, and the turn is answered when it ends", () => {
    const guessed = play(agent, ...welcomed, likely("One"), speechLost(""))
    assert.deepStrictEqual(tags(guessed.last), ["StopThinking"])
    const { last } = play(agent, ...welcomed, likely("One"), speechLost(""), turn("One"))
    assert.lengthOf(pick(last, "Think"), 1)
  })

  it("ends the call when the disclosure cannot be said", () => {
    const { last } = play(agent, answered, speechLost(""))
    assert.lengthOf(pick(last, "RecordHandoff"), 1)
  })

  it("ends the call when a provider is lost, and at once when even the last words cannot be said", () => {
    const lost = [...welcomed, { _tag: "ProviderLost" }] as const
    assert.deepStrictEqual(said(play(agent, ...lost, planned(nobodyPlan)).last), [technicalProblem])
    assert.include(fixedLines(agent), technicalProblem)
    const { last } = play(agent, ...lost, planned(nobodyPlan), speechLost(""))
    assert.deepStrictEqual(tags(last), ["HangUp", "StopThinking", "DisarmSilence", "End"])
    assert.deepStrictEqual(endReasons(last), ["provider_failure"])
  })

  it("says its last words, and goes to the human, also when nobody is heard any more", () => {
    const deaf = { _tag: "ProviderLost" } as const
    const asked = [...welcomed, turn("a human please")] as const
    const nobody = play(agent, ...asked, deaf, planned(nobodyPlan))
    assert.deepStrictEqual(said(nobody.last), [handoffLine])
    const hungUp = play(agent, ...asked, deaf, planned(nobodyPlan), drained(handoffLine))
    assert.deepStrictEqual(endReasons(hungUp.last), ["queued_for_human"])

    const over = [...welcomed, { _tag: "MaxDurationReached" }] as const
    assert.deepStrictEqual(play(agent, ...over, deaf).last, [])
    const [words = ""] = said(play(agent, ...over).last)
    assert.deepStrictEqual(endReasons(play(agent, ...over, deaf, drained(words)).last), ["max_duration"])

    assert.deepStrictEqual(play(agent, ...asked, planned(transferPlan), deaf).last, [])
    const given = [...asked, planned(transferPlan), deaf, drained(transferLine)] as const
    assert.deepStrictEqual(tags(play(agent, ...given).last).slice(-1), ["Transfer"])
    assert.deepStrictEqual(endReasons(play(agent, ...given, { _tag: "TransferDone" }).last), ["transferred"])
  })

  it("says goodbye when the longest time is over", () => {
    const over = [...welcomed, turn("And"), { _tag: "MaxDurationReached" }] as const
    const [words] = said(play(agent, ...over).last)
    assert.deepStrictEqual(endReasons(play(agent, ...over, drained(words ?? "")).all), ["max_duration"])
  })
})

describe("a line that closes", () => {
  const asks = turn("a human please")
  const table: ReadonlyArray<readonly [string, string, ReadonlyArray<CallInput>]> = [
    ["before anything was said", "caller_hangup", []],
    ["during the disclosure", "caller_hangup", [answered]],
    ["while waiting for the caller", "caller_hangup", welcomed],
    ["while thinking", "caller_hangup", [...welcomed, turn("One")]],
    ["before the human was rung", "caller_hangup", [...welcomed, asks, planned(transferPlan)]],
    ["while the human is rung", "transferred", [...welcomed, asks, planned(transferPlan), drained(transferLine)]],
    [
      "while it is put into the line",
      "queued_for_human",
      [...welcomed, asks, planned(queuePlan), drained(queueLine(2))]
    ],
    [
      "after ringing failed",
      "queued_for_human",
      [...welcomed, asks, planned(transferPlan), drained(transferLine), { _tag: "TransferFailed" }]
    ],
    ["during the fallback line", "moderation", [...welcomed, turn("x"), flagged(1, "input")]],
    ["during the time's last words", "max_duration", [...welcomed, { _tag: "MaxDurationReached" }]],
    ["during the apology for a lost provider", "provider_failure", [...welcomed, { _tag: "ProviderLost" }]]
  ]
  for (const [when, reason, events] of table) {
    it(`${when} is recorded as ${reason}`, () => {
      assert.deepStrictEqual(endReasons(play(agent, ...events, { _tag: "LineClosed" }).all), [reason])
    })
  }
})

describe("the end of a call given to a human", () => {
  const flaggedTurn = [...welcomed, turn("x"), flagged(1, "input")]
  const lost = [...welcomed, { _tag: "ProviderLost" }] as const
  const given: ReadonlyArray<readonly [string, ReadonlyArray<CallInput>, string]> = [
    ["who asked for one", [...welcomed, turn("a human please")], "transferred"],
    ["whose words were flagged", flaggedTurn, "moderation"],
    ["whose provider failed", lost, "provider_failure"]
  ]
  for (const [who, events, reason] of given)
    it(`says of a caller ${who} whether the provider took the call over, whatever the reason`, () => {
      const heard = [...events, planned(transferPlan), drained(transferLine)]
      const handovers = (...last: ReadonlyArray<CallInput>) => handoverOf(play(agent, ...last).state)
      const taken = play(agent, ...heard, { _tag: "TransferDone" })
      assert.deepStrictEqual(endReasons(taken.last), [reason])
      assert.strictEqual(handoverOf(taken.state), "taken")
      // The stream may end before the provider has answered.
      assert.strictEqual(handovers(...heard, { _tag: "LineClosed" }), "taken")
      const refused = [...heard, { _tag: "TransferFailed" }, drained(handoffLine)] as const
      assert.strictEqual(handovers(...refused), "refused")
      assert.isUndefined(handovers(...events, planned(transferPlan), { _tag: "LineClosed" }))
      assert.isUndefined(handovers(...events, planned(nobodyPlan), { _tag: "LineClosed" }))
    })
})

describe("what is reported after the end of a call", () => {
  it("is recorded as far as it was said: last words of the caller, and what was heard of the agent", () => {
    const over = [...welcomed, turn("One"), finished(1), { _tag: "LineClosed" }] as const
    const recorded = (event: CallInput) =>
      pick(play(agent, ...over, event).last, "RecordUtterance").map(({ role, text, interrupted }) => [
        role,
        text,
        interrupted
      ])
    assert.deepStrictEqual(recorded(turn("Two")), [["caller", "Two", false]])
    assert.deepStrictEqual(recorded(drained("Yes.")), [["agent", "Yes.", false]])
    assert.deepStrictEqual(recorded(bargedIn("We are", "open")), [["agent", "We are", true]])
    assert.deepStrictEqual(recorded(speechLost("We are")), [["agent", "We are", false]])
  })
})

describe("any sequence of events", () => {
  const calls = fc.tuple(fc.constant(agent), fc.array(anyCallInput, { maxLength: 60 }))

  it("ends a call at most once, and after the end only recordings follow", () => {
    fc.assert(
      fc.property(calls, ([config, events]) => {
        const { all } = play(config, answered, ...events)
        const at = all.findIndex((action) => action._tag === "End")
        if (at < 0) return
        assert.deepStrictEqual(
          tags(all.slice(at + 1)).filter((tag) => tag !== "RecordUtterance"),
          []
        )
      }),
      { numRuns: 2_000 }
    )
  })

  it("says the disclosure before all else, once, and starts every turn once", () => {
    fc.assert(
      fc.property(calls, ([config, events]) => {
        const { all } = play(config, answered, ...events)
        const lines = said(all)
        assert.strictEqual(lines[0], config.disclosureText)
        assert.strictEqual(lines.lastIndexOf(config.disclosureText), 0)
        const turns = pick(all, "Think").map((action) => action.turn)
        assert.strictEqual(new Set(turns).size, turns.length)
      }),
      { numRuns: 2_000 }
    )
  })

  it("lets the agent say and think nothing while a person has the call", () => {
    let talked = 0
    const taken: ReadonlyArray<CallInput> = [
      answered,
      drained(agent.disclosureText),
      { _tag: "TakenOver" },
      drained(fixedPhrases(agent.voice.language).personJoins)
    ]
    fc.assert(
      fc.property(calls, ([config, events]) => {
        let state = initialCall(config)
        for (const next of [...taken, ...events]) {
          const before = state
          const [after, actions] = step(before, next)
          state = after
          if (before.phase !== "conversing" || before.person !== "talking" || after.person !== "talking") continue
          talked++
          assert.deepStrictEqual(
            tags(actions).filter((tag) => tag !== "RecordUtterance"),
            []
          )
        }
      }),
      { numRuns: 2_000 }
    )
    assert.isAbove(talked, 100)
  })

  it("lets nothing interrupt last words, and rings a human only after they were announced", () => {
    fc.assert(
      fc.property(calls, ([config, events]) => {
        let state = initialCall(config)
        for (const next of [answered, ...events]) {
          const before = state
          const [after, actions] = step(before, next)
          state = after
          if (before.phase === "closing") {
            assert.notInclude(tags(actions), "Think")
            assert.notInclude(tags(actions), "StopSpeaking")
          }
          if (tags(actions).includes("Transfer")) assert.notStrictEqual(after.closing?.plan?.outcome, "nobody")
        }
      }),
      { numRuns: 1_000 }
    )
  })
})

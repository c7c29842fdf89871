/** Inputs of the state machine of a call: single ones, and any. */
import fc from "fast-check"
import { type CallInput, fixedLines, type Spoken } from "../../../../src/domain/voice/dialogue/Call.ts"
import type { EscalationPlan } from "../../../../src/domain/voice/engine/EscalationPlan.ts"
import { agentOf } from "../../../support/agent.ts"

export const transferPlan: EscalationPlan = { outcome: "transfer", twiml: "<Dial/>" }
export const queuePlan: EscalationPlan = { outcome: "queue", position: 2, twiml: "<Enqueue/>" }
export const nobodyPlan: EscalationPlan = { outcome: "nobody" }
export const planned = (plan: EscalationPlan): CallInput => ({ _tag: "EscalationPlanned", plan })

export const spoken = (text: string, unheard = ""): Spoken => ({ text, unheard, startMs: 0, endMs: 1 })
export const drained = (text: string): CallInput => ({ _tag: "Drained", spoken: spoken(text) })
export const turn = (text: string): CallInput => ({ _tag: "TurnEnded", text, startMs: 10, endMs: 20 })
export const likely = (text: string): CallInput => ({ _tag: "TurnLikely", text })
export const bargedIn = (heard: string, unheard = "", meant = true): CallInput => ({
  _tag: "BargedIn",
  spoken: spoken(heard, unheard),
  meant
})
export const speechLost = (text: string): CallInput => ({
  _tag: "SpeechLost",
  spoken: { text, unheard: "", startMs: 0, endMs: 0 }
})
export const finished = (number: number): CallInput => ({ _tag: "ReplyFinished", turn: number })
export const flagged = (number: number, direction: "input" | "output"): CallInput => ({
  _tag: "Flagged",
  turn: number,
  direction,
  text: "bad words",
  categories: ["violence"]
})

const line = fc.constantFrom(...fixedLines(agentOf()), "Some answer.", "")
const number = fc.integer({ min: 0, max: 4 })
/** Any input of a call, in any of its phases. */
export const anyCallInput: fc.Arbitrary<CallInput> = fc.oneof(
  fc.constantFrom<CallInput>(
    { _tag: "Answered" },
    { _tag: "TurnLost" },
    { _tag: "SilenceElapsed" },
    { _tag: "MaxDurationReached" },
    { _tag: "ProviderLost" },
    speechLost("Some"),
    { _tag: "LineClosed" },
    { _tag: "TransferDone" },
    { _tag: "TransferFailed" },
    { _tag: "ToolExchange", messages: [] },
    { _tag: "TakenOver" },
    { _tag: "HandedBack", lost: false },
    { _tag: "HandedBack", lost: true },
    { _tag: "PersonSaid", text: "I am Maria.", startMs: 1, endMs: 2 },
    { _tag: "Whispered", text: "Be short." },
    planned(transferPlan),
    planned(queuePlan),
    planned(nobodyPlan)
  ),
  fc.constantFrom("Hello", "a human please", "And then?").map(turn),
  line.map(drained),
  // What an interruption cuts off is never the disclosure.
  fc.constantFrom("", "the rest").map((unheard) => bargedIn("Some answer,", unheard)),
  number.map(finished),
  fc
    .tuple(number, fc.constantFrom("Hello", "And then?"))
    .map(([turn, text]): CallInput => ({ _tag: "InputPassed", turn, text })),
  fc.constant<CallInput>({ _tag: "Overheard", text: "the blue one", startMs: 1, endMs: 2 }),
  number.map((turn): CallInput => ({ _tag: "ReplyFailed", turn })),
  fc.constantFrom("Hello", "And then?").map(likely),
  fc.tuple(number, fc.constantFrom("input", "output")).map(([turn, direction]) => flagged(turn, direction)),
  number.map((turn): CallInput => ({ _tag: "EscalationRequested", turn, plan: queuePlan }))
)

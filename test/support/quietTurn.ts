/** A turn of a call that nobody interrupts, whose tools and sources nobody notes. */
import { Effect } from "effect"
import type { Turn } from "../../src/actors/voice/call/Thinking.ts"
import { Attempts } from "../../src/domain/ai/providers/Reasoning.ts"
import { agentOf } from "./agent.ts"

export const quietTurn = (
  own: Pick<Turn, "history" | "text" | "offer" | "certain" | "callScope"> & Partial<Turn>
): Turn => ({
  turn: 1,
  callId: "call_1",
  toolCallId: (id) => id,
  agent: agentOf(),
  briefing: Effect.succeed({ instructionsFlag: undefined, facts: [] }),
  withhold: () => Effect.void,
  marked: false,
  judge: () => Effect.void,
  say: () => {},
  saySomething: () => {},
  callerSilentMs: () => 0,
  agentSilentMs: () => 0,
  attempts: new Attempts(),
  asked: [],
  said: [],
  keepTools: () => Effect.void,
  onSources: () => {},
  onFirstToken: () => {},
  onToolCall: () => {},
  onTellsLater: () => {},
  ...own
})

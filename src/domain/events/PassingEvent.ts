/**
 * Passing events: what is true only now. The live feed shows them between the events of the log, without ids: they are not kept, and not sent again to
 * whoever was away. Webhooks do not get them.
 */
import { Schema, Struct } from "effect"
import type { BusMessage } from "../basics/bus/ProcessBus.ts"
import { exampleIds } from "../basics/Examples.ts"
import { TurnLatency } from "../voice/engine/CallEvent.ts"

const only = Schema.Struct({ id: Schema.String })

export const PresenceState = Schema.Literals(["viewing", "typing", "gone"])
export type PresenceState = typeof PresenceState.Type

/** How long somebody counts as present after saying so, in milliseconds. */
export const presenceMs = 20_000

export const ConversationPresence = Schema.Struct({
  conversation: only,
  person: Schema.Struct({ id: Schema.String, name: Schema.String }),
  state: PresenceState,
  /** When the person is not there any more unless they say so again. */
  until: Schema.String
}).annotate({
  title: "ConversationPresence",
  examples: [
    {
      conversation: { id: exampleIds.conversation },
      person: { id: exampleIds.colleague, name: "Ben Ortiz" },
      state: "typing",
      until: "2026-11-21T09:30:20.000Z"
    }
  ]
})

/**
 * What goes on in a call. `agent` speaks, `caller` has interrupted it, `silence`: the agent waits for the caller, `human`: a person has taken the call
 * over and talks.
 */
export const CallActivity = Schema.Literals([
  "agent",
  "caller",
  "thinking",
  "tool",
  "silence",
  "human",
  "closing",
  "over"
])
export type CallActivity = typeof CallActivity.Type

const callUpdated = Schema.Struct({
  call: Schema.Struct({ id: Schema.String, agentId: Schema.String, state: CallActivity, since: Schema.String })
}).annotate({
  examples: [
    {
      call: { id: exampleIds.call, agentId: exampleIds.agent, state: "thinking", since: "2026-11-21T19:00:12.000Z" }
    }
  ]
})

const callWords = Schema.Struct({
  call: only,
  role: Schema.Literals(["caller", "agent"]),
  /** A person said it who has the call in the agent's place. */
  by: Schema.optionalKey(Schema.Literal("person")),
  text: Schema.String,
  /** False: the agent begins to say it, and the caller may interrupt. True: it was said and heard. */
  final: Schema.Boolean,
  /** Milliseconds since the beginning of the call. */
  startMs: Schema.Int
}).annotate({
  examples: [
    { call: { id: exampleIds.call }, role: "caller", text: "Do you have The Overstory?", final: true, startMs: 3_200 }
  ]
})

const callTurn = Schema.Struct({ call: only, turn: TurnLatency }).annotate({
  examples: [
    {
      call: { id: exampleIds.call },
      turn: { turn: 1, decisionMs: 310, transcriptMs: 352, firstTokenMs: 520, firstAudioMs: 690, firstFrameMs: 712 }
    }
  ]
})

/** `source` is null when all of the base may have changed. */
const knowledgeUpdated = Schema.Struct({ knowledgeBase: only, source: Schema.NullOr(only) }).annotate({
  examples: [{ knowledgeBase: { id: exampleIds.knowledgeBase }, source: { id: exampleIds.knowledgeSource } }]
})

const broadcastUpdated = Schema.Struct({ broadcast: only }).annotate({
  examples: [{ broadcast: { id: exampleIds.broadcast } }]
})

/** The data of each type of passing event. */
export const passingData = {
  "conversation.presence": ConversationPresence,
  "call.updated": callUpdated,
  "call.words": callWords,
  "call.turn": callTurn,
  "broadcast.updated": broadcastUpdated,
  "knowledge.updated": knowledgeUpdated
} as const

export type PassingType = keyof typeof passingData

export const passingTypes = Struct.keys(passingData)

/** Those that come only for calls that a stream watches. */
export const isWatched = (type: string): boolean => type === "call.words" || type === "call.turn"

/** A passing event as a subscriber gets it. */
export interface PassingEvent {
  readonly type: PassingType
  readonly createdAt: string
  readonly data: BusMessage["data"]
}

export const isPassingType = (type: string): type is PassingType => Object.hasOwn(passingData, type)

/** What goes on in a call at this moment: passing events, which have no id and are not sent again. */
import type { CallTurn } from "@parley/client"

export type CallActivity = "agent" | "caller" | "thinking" | "tool" | "silence" | "human" | "closing" | "over"

interface Passed<Type extends string, Data> {
  readonly type: Type
  readonly createdAt: string
  readonly data: Data
}

export type CallUpdated = Passed<
  "call.updated",
  {
    readonly call: {
      readonly id: string
      readonly agentId: string
      readonly state: CallActivity
      readonly since: string
    }
  }
>

/** Of watched calls only (`watch.ts`). */
export type CallWords = Passed<
  "call.words",
  {
    readonly call: { readonly id: string }
    readonly role: "caller" | "agent"
    /** A person said it who has the call in the agent's place. */
    readonly by?: "person"
    readonly text: string
    /** False: the agent begins to say it. */
    readonly final: boolean
    readonly startMs: number
  }
>

/** Of watched calls only. */
export type CallTurned = Passed<"call.turn", { readonly call: { readonly id: string }; readonly turn: CallTurn }>

export type CallEvent = CallUpdated | CallWords | CallTurned

const types: ReadonlySet<string> = new Set<CallEvent["type"]>(["call.updated", "call.words", "call.turn"])

export const isCallEvent = (event: { readonly type: string }): event is CallEvent => types.has(event.type)

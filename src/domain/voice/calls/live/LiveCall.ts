/** A call that is under way: its record, what goes on in it, and what was said last. */
import { Effect, Schema } from "effect"
import { type BusMessage, ProcessBus } from "../../../basics/bus/ProcessBus.ts"
import { exampleOf } from "../../../basics/Examples.ts"
import { CallRecord, Utterance } from "../records/CallRecord.ts"

/** `talking`: with the agent, and nothing more is known. `waiting`: in line for a human; `human`: a human is called, or talks. */
export const LiveState = Schema.Literals([
  "queued",
  "ringing",
  "talking",
  "agent",
  "caller",
  "thinking",
  "tool",
  "silence",
  "closing",
  "waiting",
  "human"
])
export type LiveState = typeof LiveState.Type

export const LiveCall = Schema.Struct({
  ...CallRecord.fields,
  state: LiveState,
  /** When the state began. */
  since: Schema.String,
  /** The last three utterances, in their order. */
  lastWords: Schema.Array(Utterance)
}).annotate({
  title: "LiveCall",
  examples: [
    {
      ...exampleOf(CallRecord),
      status: "in_progress",
      endReason: null,
      endedAt: null,
      durationSeconds: null,
      recording: null,
      state: "thinking",
      since: "2026-11-21T19:00:12.000Z",
      lastWords: [exampleOf(Utterance)]
    }
  ]
})
export type LiveCall = typeof LiveCall.Type

interface Activity {
  readonly state: LiveState
  readonly since: string
}

/** Activities of more calls than this are not remembered. */
const mostRemembered = 20_000
const isState = Schema.is(LiveState)

/** Remembers what engines tell of their calls, until the scope ends. Gives the function that says what is known of a call. */
export const makeActivities = Effect.gen(function* () {
  const bus = yield* ProcessBus
  const known = new Map<string, Activity>()
  const hear = ({ type, data: { call } }: BusMessage) => {
    if (type !== "call.updated" || typeof call !== "object" || call === null) return
    const { id, state, since } = call as Readonly<Record<string, unknown>>
    if (typeof id !== "string" || typeof since !== "string") return
    known.delete(id)
    if (!isState(state)) return
    const [oldest] = known.size >= mostRemembered ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    known.set(id, { state, since })
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => bus.listen(hear, { relayed: true })),
    (stop) => Effect.sync(stop)
  )
  return (callId: string): Activity | undefined => known.get(callId)
})

/** The state of a call: what its record says, or what its engine told last. */
export const liveStateOf = (call: CallRecord, activity: Activity | undefined): Activity => {
  const { status, transfer, createdAt, startedAt } = call
  if (status === "queued" || status === "ringing") return { state: status, since: createdAt }
  if (transfer?.outcome === "queued") return { state: "waiting", since: transfer.at }
  if (transfer?.outcome === "dialing") return { state: "human", since: transfer.at }
  return activity ?? { state: "talking", since: startedAt ?? createdAt }
}

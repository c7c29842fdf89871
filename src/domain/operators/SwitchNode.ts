/**
 * Use case: an operator takes a node out of use, and puts it back. A node that was taken out takes no new calls and finishes those that it has, so it can be
 * stopped without a caller noticing. The request goes over the bus to the node itself.
 */
import { Clock, Effect, Schema } from "effect"
import { makeBusRequest } from "../basics/bus/BusRequest.ts"
import { traced } from "../basics/Traced.ts"
import { InstallationLog } from "./InstallationLog.ts"
import { NodeBoard } from "./NodeBoard.ts"
import type { ServiceNode } from "./ServiceNode.ts"

/** The type of the request on the bus: `{ node, out }`. */
export const nodeSwitch = "node.switch"

/** 404: no node has this id. */
export class NoSuchNode extends Schema.TaggedError<NoSuchNode>()("NoSuchNode", { id: Schema.String }) {}
/** 409: the node cannot be switched now; `message` is a sentence. */
export class NodeConflict extends Schema.TaggedError<NodeConflict>()("NodeConflict", { message: Schema.String }) {}

/** Longer ago than the bus takes to tell all processes that a node was switched. */
const toldAfterMs = 60_000

const takesCalls = ({ lines, state, lost }: ServiceNode) => lines !== null && state === "open" && !lost

/** Needs InstallationLog once; the function it gives needs nothing. */
export const makeSwitchNode = Effect.gen(function* () {
  const board = yield* NodeBoard
  const log = yield* InstallationLog
  const ask = yield* makeBusRequest(nodeSwitch)

  const listed = Effect.map(Clock.currentTimeMillis, board.list)
  const find = (id: string) => Effect.map(listed, (nodes) => nodes.find((node) => node.id === id))

  /** The nodes that were taken out of use just now. The board may not have heard of it, but the log has it. */
  const takenOut = Effect.gen(function* () {
    const since = (yield* Clock.currentTimeMillis) - toldAfterMs
    const recent = Effect.fnUntraced(function* (type: "node.drained" | "node.opened") {
      const { data } = yield* log.list({ type }, 1, 100)
      return data.filter(({ createdAt }) => Date.parse(createdAt) > since)
    })
    const [drained, opened] = [yield* recent("node.drained"), yield* recent("node.opened")]
    const isOpenAgain = (id: string | null, at: string) =>
      opened.some(({ subjectId, createdAt }) => subjectId === id && createdAt > at)
    return new Set(
      drained.filter(({ subjectId, createdAt }) => !isOpenAgain(subjectId, createdAt)).map(({ subjectId }) => subjectId)
    )
  })

  // Two operators who take out the last two nodes at one moment: the second one hears that there is no other.
  const switched = Effect.fnUntraced(function* (id: string, out: boolean, reason: string) {
    const node = yield* find(id)
    if (node === undefined) return yield* new NoSuchNode({ id })
    if (node.lines === null) return yield* new NodeConflict({ message: "This node takes no calls: it has no engine." })
    if (node.state === "stopping") return yield* new NodeConflict({ message: "This node is being stopped." })
    const gone = out ? yield* takenOut : new Set()
    if (out && !(yield* listed).some((other) => other.id !== id && takesCalls(other) && !gone.has(other.id)))
      return yield* new NodeConflict({
        message: "No other node takes calls now, so callers would find nobody. Start another node first."
      })
    if (!(yield* ask("", { node: id, out })))
      return yield* new NodeConflict({ message: "The node does not answer: it may be cut off or have died." })
    yield* log.recorded(Effect.void, () => ({
      type: out ? "node.drained" : "node.opened",
      subjectId: id,
      details: { host: node.host, pid: node.pid, taken: node.lines?.taken ?? 0 },
      reason
    }))
    return (yield* find(id)) ?? node
  })
  return traced("SwitchNode")((id: string, out: boolean, reason: string) =>
    log.inTurn(nodeSwitch)(switched(id, out, reason))
  )
})

/**
 * Tells all processes how this one does, and lets an operator take it out of use (`SwitchNode`). Processes with a database also note on the board what
 * others tell, and write down which nodes began, stopped and were lost.
 */
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { takeBusRequests } from "../../domain/basics/bus/BusRequest.ts"
import { ProcessBus } from "../../domain/basics/bus/ProcessBus.ts"
import { Draining } from "../../domain/basics/Draining.ts"
import { newId } from "../../domain/basics/Ids.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { ProviderHealth } from "../../domain/events/ProviderHealth.ts"
import { type InstallationEventType, InstallationLog } from "../../domain/operators/InstallationLog.ts"
import { NodeBoard } from "../../domain/operators/NodeBoard.ts"
import { nodeTellsEveryMs, ToldNode } from "../../domain/operators/ServiceNode.ts"
import { nodeSwitch } from "../../domain/operators/SwitchNode.ts"
import { EngineLoad } from "../../domain/voice/engine/EngineLoad.ts"

const stateType = "node.state"
const goneType = "node.gone"

export interface NodeReporterOptions extends Pick<ToldNode, "role" | "host" | "pid"> {
  /** Default: every 5 seconds. */
  readonly everyMs?: number
}

const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())

const providersOf = ({ used, troubles }: ProviderHealth): ToldNode["providers"] => {
  const byName = new Map(troubles().map((trouble) => [trouble.provider, trouble]))
  return used().map((provider) => {
    const trouble = byName.get(provider)
    return {
      provider,
      since: isoOrNull(trouble?.since),
      failedAt: isoOrNull(trouble?.failedAt),
      until: isoOrNull(trouble?.endedAt)
    }
  })
}

/** Of any process. Needs Draining. */
export const layer = ({ everyMs = nodeTellsEveryMs, ...self }: NodeReporterOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const bus = yield* ProcessBus
      const load = yield* EngineLoad
      const health = yield* ProviderHealth
      const draining = yield* Draining
      const clock = yield* Clock.Clock
      const startedAt = yield* Clock.currentTimeMillis
      const id = newId("nod", startedAt)

      const stateNow = (): ToldNode["state"] => {
        switch (draining.stateNow()) {
          case "ending":
            return "stopping"
          case "out":
            return "draining"
          case "in_use":
            return load.read()?.overloaded === true ? "late" : "open"
        }
      }
      const told = (): ToldNode => {
        const figures = load.read()
        const lines =
          figures === undefined
            ? null
            : { capacity: figures.capacity, taken: figures.taken, lateMs: Math.round(figures.lateMs * 10) / 10 }
        const state = stateNow()
        return {
          ...self,
          id,
          startedAt: new Date(startedAt).toISOString(),
          state,
          lines,
          providers: providersOf(health)
        }
      }
      const publish = (type: string, data: object) =>
        bus.publish({ organizationId: "", type, at: clock.currentTimeMillisUnsafe(), data: { ...data } })
      const tell = () => publish(stateType, told())

      yield* takeBusRequests(nodeSwitch, (_, { node, out }) => {
        if (node !== id || typeof out !== "boolean") return false
        draining.takeOut(out)
        tell()
        return true
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => publish(goneType, { id })))
      yield* periodically("the state of this process could not be told", { every: everyMs }, Effect.sync(tell))
    })
  )

const readNode = Schema.decodeUnknownOption(ToldNode)

/** Of a process with a database. Needs InstallationLog. */
export const layerListening = ({ everyMs = nodeTellsEveryMs }: Pick<NodeReporterOptions, "everyMs"> = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const bus = yield* ProcessBus
      const board = yield* NodeBoard
      const log = yield* InstallationLog
      /** What was heard and is not written down yet. */
      const news: Array<readonly [InstallationEventType, ToldNode, at: number]> = []
      const lost = new Set<string>()

      const leave = bus.listen(
        ({ type, at, data }) => {
          if (type === goneType && typeof data.id === "string") {
            const gone = board.told(at).find(({ id }) => id === data.id)
            if (gone !== undefined) news.push(["node.stopped", gone, at])
            board.forget(data.id)
          }
          if (type !== stateType) return
          const node = Option.getOrUndefined(readNode(data))
          if (node === undefined) return
          lost.delete(node.id)
          if (board.note(node, at)) news.push(["node.started", node, at])
        },
        { relayed: true }
      )
      yield* Effect.addFinalizer(() => Effect.sync(leave))

      const write = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const nodes = board.list(now)
        for (const id of lost) if (!nodes.some((node) => node.id === id)) lost.delete(id)
        for (const { id, host, pid, role, lost: isLost } of nodes)
          if (isLost && !lost.has(id)) {
            yield* log.saw(`${id} node.lost`, { type: "node.lost", subjectId: id, details: { host, pid, role } }, now)
            lost.add(id)
          }
        // What could not be written is tried again.
        for (let next = news.at(0); next !== undefined; next = news.at(0)) {
          const [type, { id, host, pid, role }, at] = next
          yield* log.saw(`${id} ${type}`, { type, subjectId: id, details: { host, pid, role } }, at)
          news.shift()
        }
      })
      yield* periodically("what nodes do could not be written down", { every: everyMs, first: everyMs }, write)
    })
  )

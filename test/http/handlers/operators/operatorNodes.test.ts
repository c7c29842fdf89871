import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import * as NodeReporter from "../../../../src/actors/operators/NodeReporter.ts"
import { takeBusRequests } from "../../../../src/domain/basics/bus/BusRequest.ts"
import { Draining } from "../../../../src/domain/basics/Draining.ts"
import { makeProviderHealth, ProviderHealth } from "../../../../src/domain/events/ProviderHealth.ts"
import { NodeBoard } from "../../../../src/domain/operators/NodeBoard.ts"
import type { ServiceNode } from "../../../../src/domain/operators/ServiceNode.ts"
import { nodeSwitch } from "../../../../src/domain/operators/SwitchNode.ts"
import { EngineLoad, makeEngineLoad } from "../../../../src/domain/voice/engine/EngineLoad.ts"
import { eventually } from "../../../support/eventually.ts"
import { makeOperatorWorld } from "../../../support/operators.ts"

const everyMs = 50
const reason = "The machine gets more memory."

/** A process of the service that tells of itself. */
const startNode = Effect.fnUntraced(function* (
  host: string,
  lines: { readonly capacity: number; taken: number } | null
) {
  const load = makeEngineLoad()
  if (lines !== null) load.begin(() => ({ ...lines, lateMs: 0.42, overloaded: false }))
  const health = makeProviderHealth()
  const services = yield* Layer.build(
    NodeReporter.layer({ role: lines === null ? "app" : "engine", host, pid: 100, everyMs }).pipe(
      Layer.provideMerge(Draining.layer),
      Layer.provide(Layer.mergeAll(Layer.succeed(EngineLoad, load), Layer.succeed(ProviderHealth, health)))
    )
  )
  return { health, draining: Context.get(services, Draining) }
})

const listen = Effect.fnUntraced(function* () {
  const world = yield* makeOperatorWorld()
  yield* Layer.build(NodeReporter.layerListening({ everyMs }).pipe(Layer.provide(Layer.succeedContext(world.stores))))
  const nodes = Effect.map(world.ask("GET", "nodes"), ({ body }): ReadonlyArray<ServiceNode> => body.data)
  const nodeOf = (host: string) =>
    eventually(
      `the node ${host} is known`,
      Effect.map(nodes, (all) => all.find((node) => node.host === host))
    )
  return { ...world, nodes, nodeOf }
})

describe("at /api/operator/nodes", () => {
  it.live("an operator sees the lines of each node, takes one out of use, and puts it back", () =>
    Effect.gen(function* () {
      const { ask, nodeOf, nodes, events } = yield* listen()
      const east = yield* startNode("east", { capacity: 200, taken: 37 })
      yield* startNode("web", null)
      const { id } = yield* nodeOf("east")
      const app = yield* nodeOf("web")
      assert.deepInclude(yield* nodeOf("east"), {
        state: "open",
        lost: false,
        lines: { capacity: 200, taken: 37, lateMs: 0.4 }
      })
      assert.isNull(app.lines)

      const alone = yield* ask("POST", `nodes/${id}/drain`, { body: { reason } })
      assert.strictEqual(alone.status, 409)
      assert.include(alone.body.error, "No other node takes calls")
      assert.strictEqual((yield* ask("POST", `nodes/${app.id}/drain`, { body: { reason } })).status, 409)
      assert.strictEqual((yield* ask("POST", "nodes/nod_nothing/drain", { body: { reason } })).status, 404)

      yield* startNode("west", { capacity: 100, taken: 0 })
      const west = yield* nodeOf("west")
      const drained = yield* ask("POST", `nodes/${id}/drain`, { body: { reason } })
      assert.deepStrictEqual([drained.status, drained.body.state], [200, "draining"])
      assert.isTrue(yield* east.draining.isDraining)
      assert.strictEqual((yield* ask("POST", `nodes/${west.id}/drain`, { body: { reason } })).status, 409)
      const open = yield* ask("POST", `nodes/${id}/open`, { body: { reason } })
      assert.strictEqual(open.body.state, "open")
      assert.isFalse(yield* east.draining.isDraining)
      assert.deepStrictEqual(
        (yield* nodes).map(({ host }) => host),
        ["east", "web", "west"]
      )
      const told = yield* events
      assert.deepInclude(told.find(({ type }) => type === "node.drained") ?? {}, { subjectId: id, reason })
      yield* eventually(
        "the log names the nodes that began",
        Effect.map(events, (all) => all.filter(({ type }) => type === "node.started").length === 3 || undefined)
      )
    }).pipe(Effect.scoped)
  )

  it.live(
    "two operators who take out the last two nodes leave one in use, though no process has heard of the first yet",
    () =>
      Effect.gen(function* () {
        const { ask } = yield* listen()
        const board = yield* NodeBoard
        const now = yield* Clock.currentTimeMillis
        const ids = ["nod_east", "nod_west"]
        for (const id of ids)
          board.note(
            {
              ...{ id, role: "engine", host: id, pid: 100, startedAt: new Date(now).toISOString(), state: "open" },
              lines: { capacity: 200, taken: 37, lateMs: 0 },
              providers: []
            },
            now
          )
        // They do as they are asked, and do not tell yet that they are out of use.
        const asked: Array<unknown> = []
        yield* takeBusRequests(nodeSwitch, (_, { node, out }) => {
          asked.push([node, out])
          return true
        })
        const drain = (id: string) =>
          Effect.map(ask("POST", `nodes/${id}/drain`, { body: { reason } }), ({ status }) => status)
        assert.sameMembers(yield* Effect.forEach(ids, drain, { concurrency: 2 }), [200, 409])
        assert.lengthOf(asked, 1)
        for (const id of ids) board.forget(id)
      }).pipe(Effect.scoped)
  )

  it.live(
    "a provider that fails at one node is failing, and down when it fails at all; a node that says nothing is lost",
    () =>
      Effect.gen(function* () {
        const { ask, nodeOf, nodes } = yield* listen()
        const [north, south] = [yield* startNode("north", { capacity: 1, taken: 0 }), yield* startNode("south", null)]
        for (const { health } of [north, south]) health.uses("text-to-speech/deepgram")
        north.health.uses("an-app/of-nobody")
        const state = Effect.map(ask("GET", "providers"), ({ body }) =>
          body.data.find(({ name }: { readonly name: string }) => name === "deepgram")
        )
        const becomes = (wanted: string) =>
          eventually(
            `it is ${wanted}`,
            Effect.map(state, (one) => (one?.state === wanted ? one : undefined))
          )
        assert.deepInclude(yield* becomes("works"), { service: "text-to-speech", failing: 0, since: null })
        north.health.failed("text-to-speech/deepgram", Date.now())
        assert.deepInclude(yield* becomes("failing"), { nodes: 2, failing: 1 })
        south.health.failed("text-to-speech/deepgram", Date.now())
        yield* becomes("down")
        for (const { health } of [north, south]) health.works("text-to-speech/deepgram", Date.now())
        yield* becomes("works")

        const board = yield* NodeBoard
        const now = yield* Clock.currentTimeMillis
        const { seenAt: _, lost: __, ...gone } = yield* nodeOf("north")
        board.note({ ...gone, id: "nod_gone", host: "gone", providers: [] }, now - 30_000)
        const lost = (yield* nodes).filter((node) => node.lost)
        assert.deepStrictEqual(
          lost.map(({ host }) => host),
          ["gone"]
        )
        const answer = yield* ask("POST", "nodes/nod_gone/open", { body: { reason } })
        assert.deepStrictEqual(
          [answer.status, answer.body.error],
          [409, "The node does not answer: it may be cut off or have died."]
        )
        board.forget("nod_gone")
      }).pipe(Effect.scoped)
  )
})

/** App and engine behind one real server on a free port: stores in memory, the engine a stand-in that can be told what to say. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, type Scope } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import {
  type AgentConfig,
  AgentRejected,
  AgentUnknown,
  type CallSetup,
  Engine,
  EngineFull
} from "../../src/domain/EngineProtocol.ts"
import { Readiness } from "../../src/http/Readiness.ts"
import { appRoutes, engineRoutes, systemRoutes } from "../../src/http/Routes.ts"
import * as UwsHttpServer from "../../src/http/UwsHttpServer.ts"
import * as HttpEngineClient from "../../src/integrations/engine/HttpEngineClient.ts"
import * as HttpTools from "../../src/integrations/tools/HttpTools.ts"
import { Memory } from "./memory.ts"

export const secret = "an engine secret of the tests"
export const publicBaseUrl = "https://app.example.test"

export class FakeEngine {
  readonly configs = new Map<string, AgentConfig>()
  readonly setups: Array<CallSetup> = []
  puts = 0
  rejects: string | undefined
  full = false

  readonly layer = Layer.succeed(Engine, {
    putAgent: (config) =>
      Effect.suspend(() => {
        if (this.rejects !== undefined) return Effect.fail(new AgentRejected({ message: this.rejects }))
        this.puts++
        this.configs.set(config.agentId, config)
        return Effect.void
      }),
    deleteAgent: (_organizationId, agentId) => Effect.sync(() => void this.configs.delete(agentId)),
    placeCall: (_organizationId, setup) =>
      Effect.suspend((): Effect.Effect<{ streamUrl: string; token: string }, AgentUnknown | EngineFull> => {
        if (this.configs.get(setup.agentId)?.version !== setup.agentVersion)
          return Effect.fail(new AgentUnknown({ agentId: setup.agentId }))
        if (this.full) return Effect.fail(new EngineFull({ capacity: 1 }))
        this.setups.push(setup)
        return Effect.succeed({ streamUrl: "wss://engine.example.test/media", token: `token of ${setup.callId}` })
      }),
    liveCalls: Effect.succeed(0)
  })
}

export interface World {
  readonly memory: Memory
  readonly engine: FakeEngine
  readonly ready: { database: boolean }
  readonly base: string
  /** `path` from the root; a key of the memory, JSON in and out. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    key?: string
  ) => Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>
}

const portOf = (address: HttpServer.HttpServer["Service"]["address"]): number => ("port" in address ? address.port : 0)

/** Lives as long as the scope. `engineUrl` overrides where the app looks for its engine. */
export const makeWorld = (options: { readonly engineUrl?: string } = {}): Effect.Effect<World, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const memory = new Memory()
    const engine = new FakeEngine()
    const ready = { database: true }
    const server = yield* Layer.build(UwsHttpServer.layer({ port: 0, host: "127.0.0.1", drainMs: 100 }))
    const base = `http://127.0.0.1:${portOf((yield* HttpServer.HttpServer.pipe(Effect.provide(server))).address)}`
    const routes = Layer.mergeAll(systemRoutes, appRoutes({ secret, publicBaseUrl }), engineRoutes({ secret }))
    yield* Layer.build(
      HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
        Layer.provide(Layer.succeedContext(server)),
        Layer.provide([
          memory.layer,
          engine.layer,
          HttpEngineClient.layer({ baseUrl: options.engineUrl ?? base, secret, placeTimeoutMs: 500 }),
          HttpTools.layer({ allowPrivateNetwork: true }),
          Layer.succeed(Readiness, { check: Effect.sync(() => ({ ...ready })) }),
          NodeHttpServer.layerHttpServices
        ])
      )
    )
    const call: World["call"] = async (method, path, body, key = "mk_1") => {
      const response = await fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, body: text === "" ? {} : JSON.parse(text), headers: response.headers }
    }
    return { memory, engine, ready, base, call }
  })

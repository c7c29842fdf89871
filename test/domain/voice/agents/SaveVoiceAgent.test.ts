/** Saving agents on the real stores, with an engine that takes its time. The pool has 5 connections. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { BuiltinTools } from "../../../../src/domain/ai/tools/BuiltinTools.ts"
import { Audit } from "../../../../src/domain/people/access/Audit.ts"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import { makeResyncAgents } from "../../../../src/domain/voice/agents/ResyncAgents.ts"
import { makeSaveVoiceAgent } from "../../../../src/domain/voice/agents/SaveVoiceAgent.ts"
import { VoiceAgents } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import type { AgentConfig } from "../../../../src/domain/voice/engine/AgentConfig.ts"
import { EngineClient, EngineProtocolError } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import { agentOf, newOrganization, testStores } from "../../../support/tenants.ts"

/** An engine that stores an agent only when the test allows it; `asked` completes with the first request. */
const slowEngine = Effect.gen(function* () {
  const [asked, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const pushed: Array<AgentConfig> = []
  const engine = Layer.succeed(EngineClient, {
    putAgent: (config) =>
      Effect.gen(function* () {
        pushed.push(config)
        yield* Deferred.succeed(asked, undefined)
        yield* Deferred.await(go)
      }),
    deleteAgent: () => Effect.void,
    placeCall: () => Effect.die("not used")
  })
  return { asked: Deferred.await(asked), go: Deferred.succeed(go, undefined), pushed, engine }
})

const input = (name: string) => ({
  name,
  welcomeMessage: "Welcome to Acme.",
  voiceFamily: "english" as const,
  voiceId: "aura-2-thalia-en",
  systemPrompt: "You answer the phone of Acme."
})

layer(testStores, { excludeTestServices: true })("saving agents", (it) => {
  it.effect("leaves the database free for others, however many saves wait for the engine", () =>
    Effect.gen(function* () {
      const { id } = yield* newOrganization()
      const { asked, go, engine } = yield* slowEngine
      const save = yield* makeSaveVoiceAgent.pipe(Effect.provide([engine, BuiltinTools.layer([])]))
      const names = Array.from({ length: 20 }, (_, n) => `Agent ${n}`)
      const saving = yield* Effect.forkChild(
        Effect.forEach(names, (name) => save.create(id, input(name)), { concurrency: "unbounded" })
      )
      yield* asked
      // Long enough for every save to reach the engine.
      yield* Effect.sleep("300 millis")
      const found = yield* Effect.timeoutOption(
        Effect.flatMap(Organizations, ({ find }) => find(id)),
        "2 seconds"
      )
      assert.strictEqual(found._tag, "Some")
      yield* go
      yield* Fiber.join(saving)
      assert.strictEqual((yield* (yield* VoiceAgents).list(id, 1, 1)).total, names.length)
    })
  )

  it.effect("keeps both of two simultaneous changes to one agent, in the record and on the engine", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const { id } = yield* newOrganization()
      const agent = agentOf(id)
      yield* agents.create(agent)
      const { asked, go, pushed, engine } = yield* slowEngine
      const save = yield* makeSaveVoiceAgent.pipe(Effect.provide([engine, BuiltinTools.layer([])]))
      const first = yield* Effect.forkChild(save.update(id, agent.id, { systemPrompt: "Be brief." }))
      yield* asked
      const second = yield* Effect.forkChild(save.update(id, agent.id, { humanDestination: "+14155550123" }))
      yield* Effect.sleep("200 millis")
      yield* go
      yield* Fiber.join(first)
      const answer = yield* Fiber.join(second)
      const both = { systemPrompt: "Be brief.", humanDestination: "+14155550123" }
      assert.deepInclude(answer, both)
      assert.deepInclude(yield* agents.find(id, agent.id), both)
      assert.deepInclude(pushed.at(-1), both)
    })
  )

  it.effect("keeps a change that is saved while agents are set to the locked stack", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const { id } = yield* newOrganization()
      const legacy = agentOf(id)
      yield* agents.create(legacy)
      const { asked, go, engine } = yield* slowEngine
      const save = yield* makeSaveVoiceAgent.pipe(Effect.provide([engine, BuiltinTools.layer([])]))
      const resync = yield* makeResyncAgents.pipe(Effect.provide(engine))
      const saving = yield* Effect.forkChild(save.update(id, legacy.id, { description: "Reception" }))
      yield* asked
      const setting = yield* Effect.forkChild(Stream.runCollect(resync.run(id)))
      yield* Effect.sleep("200 millis")
      yield* go
      yield* Fiber.join(saving)
      yield* Fiber.join(setting)
      assert.strictEqual((yield* agents.find(id, legacy.id))?.description, "Reception")
    })
  )

  it.effect("finds no agent to change when it is removed while the change waits", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const { id } = yield* newOrganization()
      const agent = agentOf(id)
      yield* agents.create(agent)
      const { asked, go, engine } = yield* slowEngine
      const save = yield* makeSaveVoiceAgent.pipe(Effect.provide([engine, BuiltinTools.layer([])]))
      const other = yield* Effect.forkChild(save.create(id, input("Other")))
      yield* asked
      const removing = yield* Effect.forkChild(save.remove(id, agent.id))
      yield* Effect.sleep("200 millis")
      const changing = yield* Effect.forkChild(Effect.flip(save.update(id, agent.id, { recording: true })))
      yield* Effect.sleep("200 millis")
      yield* go
      yield* Fiber.join(other)
      yield* Fiber.join(removing)
      assert.strictEqual((yield* Fiber.join(changing))._tag, "AgentNotFound")
    })
  )

  it.effect("stores and audits nothing that the engine refuses, and sends the engine no name that is taken", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const { id } = yield* newOrganization()
      const agent = agentOf(id, { name: "Asha" })
      yield* agents.create(agent)
      const refusing = Layer.succeed(EngineClient, {
        putAgent: () =>
          Effect.fail(new EngineProtocolError({ status: 500, retryable: false, message: "No such voice today." })),
        deleteAgent: () => Effect.void,
        placeCall: () => Effect.die("not used")
      })
      const save = yield* makeSaveVoiceAgent.pipe(Effect.provide([refusing, BuiltinTools.layer([])]))
      const tagOf = <A, E extends { readonly _tag: string }, R>(saving: Effect.Effect<A, E, R>) =>
        Effect.map(Effect.flip(saving), ({ _tag }) => _tag)
      assert.strictEqual(yield* tagOf(save.create(id, input("Ravi"))), "EngineProtocolError")
      assert.strictEqual(yield* tagOf(save.update(id, agent.id, { recording: true })), "EngineProtocolError")
      assert.strictEqual(yield* tagOf(save.create(id, input("Asha"))), "DuplicateAgent")
      assert.deepStrictEqual((yield* agents.list(id, 1, 10)).data, [agent])
      const log = yield* (yield* Audit).list(id, {}, 1, 10)
      assert.deepStrictEqual(
        log.data.filter(({ action }) => action.startsWith("voice_agent.")),
        []
      )
    })
  )
})

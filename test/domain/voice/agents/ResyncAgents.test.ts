/** Setting every agent to the locked stack, on the real stores, with an engine that can refuse. */

import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { BuiltinTools } from "../../../../src/domain/ai/tools/BuiltinTools.ts"
import { lockedStack } from "../../../../src/domain/voice/agents/AgentConfigs.ts"
import { makeResyncAgents, type Resynced } from "../../../../src/domain/voice/agents/ResyncAgents.ts"
import { makeSaveVoiceAgent } from "../../../../src/domain/voice/agents/SaveVoiceAgent.ts"
import { type VoiceAgent, VoiceAgents } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import type { AgentConfig } from "../../../../src/domain/voice/engine/AgentConfig.ts"
import { EngineClient, EngineProtocolError } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import { agentOf, newOrganization, testStores } from "../../../support/tenants.ts"

const earlier = { speechToText: "saarika:v2", reasoning: "hosted-llm", textToSpeech: "aura-2-*", lockedAt: null }

class RefusingEngine {
  readonly pushed: Array<AgentConfig> = []
  refuse: (config: AgentConfig) => boolean = () => false
  readonly layer = Layer.succeed(EngineClient, {
    putAgent: (config) =>
      Effect.suspend(() => {
        if (this.refuse(config))
          return Effect.fail(
            new EngineProtocolError({ status: 500, retryable: false, message: "No such voice today." })
          )
        this.pushed.push(config)
        return Effect.void
      }),
    deleteAgent: () => Effect.void,
    placeCall: () => Effect.die("not used")
  })
}

/** An organization with one agent of the locked stack and two from before it, one with a voice that no longer exists. */
const tenants = Effect.fnUntraced(function* () {
  const agents = yield* VoiceAgents
  const { id } = yield* newOrganization()
  const locked = agentOf(id)
  const made: ReadonlyArray<VoiceAgent> = [
    { ...locked, providerStack: lockedStack(locked) },
    agentOf(id, { providerStack: earlier }),
    agentOf(id, { voiceFamily: "indic", voiceId: "meera", providerStack: { ...earlier, textToSpeech: "bulbul:v1" } })
  ]
  for (const agent of made) yield* agents.create(agent)
  return { id, agents, locked: made[0], legacy: made[1], gone: made[2] }
})

const outcomes = (results: Iterable<Resynced>) =>
  Object.fromEntries([...results].map(({ agentId, outcome }) => [agentId, outcome]))

layer(testStores)("resynchronizing agents", (it) => {
  it.effect("writes the locked stack, refreshes the engine for all agents, and names those that failed", () =>
    Effect.gen(function* () {
      const { id, agents, locked, legacy, gone } = yield* tenants()
      const engine = new RefusingEngine()
      const resync = yield* makeResyncAgents.pipe(Effect.provide(engine.layer))
      assert.strictEqual(yield* resync.count(id), 3)
      const results = yield* Stream.runCollect(resync.run(id))
      assert.deepStrictEqual(outcomes(results), {
        [locked.id]: "unchanged",
        [legacy.id]: "updated",
        [gone.id]: "failed"
      })
      assert.match(results.find(({ agentId }) => agentId === gone.id)?.reason ?? "", /"meera" is not a voice/)
      assert.sameMembers(
        engine.pushed.map(({ agentId }) => agentId),
        [locked.id, legacy.id]
      )
      assert.deepStrictEqual((yield* agents.find(id, legacy.id))?.providerStack, lockedStack(legacy))
      assert.deepStrictEqual(yield* agents.find(id, gone.id), gone)
      const again = yield* Stream.runCollect(resync.run(id))
      assert.deepStrictEqual(outcomes(again), {
        [locked.id]: "unchanged",
        [legacy.id]: "unchanged",
        [gone.id]: "failed"
      })
    })
  )

  it.effect(
    "keeps the earlier stack of an agent that the engine refuses, goes on with the others, and retries it in the next run",
    () =>
      Effect.gen(function* () {
        const { id, agents, locked, legacy } = yield* tenants()
        const engine = new RefusingEngine()
        const resync = yield* makeResyncAgents.pipe(Effect.provide(engine.layer))
        engine.refuse = ({ agentId }) => agentId === legacy.id
        const results = yield* Stream.runCollect(resync.run(id))
        assert.deepInclude(outcomes(results), { [locked.id]: "unchanged", [legacy.id]: "failed" })
        assert.strictEqual(results.find(({ agentId }) => agentId === legacy.id)?.reason, "No such voice today.")
        assert.deepStrictEqual(yield* agents.find(id, legacy.id), legacy)
        engine.refuse = () => false
        assert.deepInclude(outcomes(yield* Stream.runCollect(resync.run(id))), { [legacy.id]: "updated" })
      })
  )

  it.effect("finishes the rest of all organizations in the next run after it was stopped at its first agent", () =>
    Effect.gen(function* () {
      const [a, b] = [yield* tenants(), yield* tenants()]
      const resync = yield* makeResyncAgents.pipe(Effect.provide(new RefusingEngine().layer))
      yield* resync.run().pipe(Stream.take(1), Stream.runDrain)
      yield* Stream.runDrain(resync.run())
      for (const { id, agents, legacy } of [a, b])
        assert.isNotNull((yield* agents.find(id, legacy.id))?.providerStack.lockedAt)
    })
  )

  it.effect(
    "happens on saving an agent from before the lock, which asks for another voice when the old one is gone",
    () =>
      Effect.gen(function* () {
        const { id, agents, legacy, gone } = yield* tenants()
        const save = yield* makeSaveVoiceAgent.pipe(
          Effect.provide([new RefusingEngine().layer, BuiltinTools.layer([])])
        )
        yield* save.update(id, legacy.id, { description: "Reception" })
        assert.deepStrictEqual((yield* agents.find(id, legacy.id))?.providerStack, lockedStack(legacy))
        const refused = yield* Effect.flip(save.update(id, gone.id, { description: "Reception" }))
        assert.strictEqual(refused._tag, "InvalidAgent")
        const saved = yield* save.update(id, gone.id, { voiceId: "anushka", primaryLanguage: "hi-IN" })
        assert.strictEqual(saved.providerStack.textToSpeech, "bulbul:v2")
      })
  )
})

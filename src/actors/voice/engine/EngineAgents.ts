/** The agents an engine can run: their configurations as the app pushed them, in memory. The app pushes them again to a new process. */
import { Effect, Stream } from "effect"
import { TextToSpeech } from "../../../domain/ai/providers/Speech.ts"
import { SpeechCache, speechCacheKey } from "../../../domain/ai/providers/SpeechCache.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { fixedLines } from "../../../domain/voice/dialogue/Call.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { speechRequest } from "../call/Speaking.ts"

export const make = Effect.gen(function* () {
  const tts = yield* TextToSpeech
  const cache = yield* SpeechCache
  const agents = new Map<string, AgentConfig>()

  const synthesizeAhead = Effect.fnUntraced(function* (agent: AgentConfig, text: string) {
    const request = speechRequest(agent, text)
    const key = speechCacheKey(request)
    if ((yield* cache.get(key)) !== undefined) return
    const chunks = yield* Stream.runCollect(tts.synthesize(request))
    yield* cache.set(key, Buffer.concat(chunks))
  })

  /** Checks the agent's voice and synthesizes its first two lines. Fails with `SpeechError`. */
  const prepare = traced("Engine.prepareAgent")(function* (agent: AgentConfig) {
    yield* tts.validate(agent.voice)
    const [disclosure, welcome, ...others] = fixedLines(agent)
    yield* Effect.forEach([disclosure, welcome], (line) => synthesizeAhead(agent, line), { discard: true })
    // The other lines are cached for a time when the provider cannot be reached. Without them the agent still works.
    yield* Effect.forkDetach(
      Effect.forEach(others, (line) => synthesizeAhead(agent, line), { discard: true }).pipe(
        Effect.catch((error) => Effect.logWarning("fixed lines not synthesized", error))
      )
    )
  })

  return {
    prepare,
    /** Prepares the agent and then takes it. Fails with `SpeechError`. */
    put: (agent: AgentConfig) => Effect.map(prepare(agent), () => void agents.set(agent.agentId, agent)),
    /** Forgets the agent if it belongs to this organization. */
    forget: (organizationId: string, agentId: string): void => {
      if (agents.get(agentId)?.organizationId === organizationId) agents.delete(agentId)
    },
    /** The agent, if the engine has exactly this version of it. */
    find: (organizationId: string, agentId: string, version: string): AgentConfig | undefined => {
      const agent = agents.get(agentId)
      return agent?.organizationId === organizationId && agent.version === version ? agent : undefined
    }
  }
})

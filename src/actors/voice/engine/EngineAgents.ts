/** The agents an engine can run: their configurations as the app pushed them, in memory. What is lost with the process is pushed again. */
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

  /** Takes an agent whose voice exists, once its first two lines are there to be heard. */
  const put = traced("Engine.putAgent")(function* (agent: AgentConfig) {
    yield* tts.validate(agent.voice)
    const [disclosure, welcome, ...others] = fixedLines(agent)
    yield* Effect.forEach([disclosure, welcome], (line) => synthesizeAhead(agent, line), { discard: true })
    agents.set(agent.agentId, agent)
    // The rest is for the day the provider is out of reach: worth having, not worth failing for.
    yield* Effect.forkDetach(
      Effect.forEach(others, (line) => synthesizeAhead(agent, line), { discard: true }).pipe(
        Effect.catch((error) => Effect.logWarning("fixed lines not synthesized", error))
      )
    )
  })

  return {
    put,
    /** An agent of another organization stays. */
    forget: (organizationId: string, agentId: string): void => {
      if (agents.get(agentId)?.organizationId === organizationId) agents.delete(agentId)
    },
    /** Only in the version that is asked for. */
    find: (organizationId: string, agentId: string, version: string): AgentConfig | undefined => {
      const agent = agents.get(agentId)
      return agent?.organizationId === organizationId && agent.version === version ? agent : undefined
    }
  }
})

/** The agent of an evaluation, when it is one of the database. */
import { Effect, Schema } from "effect"
import { type TextAgentSettings, TextAgents, textAgentDefaults } from "../../domain/messaging/agents/TextAgent.ts"
import { agentTools } from "../../domain/voice/agents/AgentConfigs.ts"
import { VoiceAgents } from "../../domain/voice/agents/VoiceAgent.ts"

export class NoSuchAgent extends Schema.TaggedError<NoSuchAgent>()("NoSuchAgent", { message: Schema.String }) {}

/** A voice agent in a chat: its prompt, tools and language. */
const inChat = Effect.fnUntraced(function* (organizationId: string, id: string) {
  const agent = yield* (yield* VoiceAgents).find(organizationId, id)
  if (agent === undefined) return yield* new NoSuchAgent({ message: `There is no voice agent ${id}.` })
  const { name, systemPrompt, primaryLanguage: language, escalationPhrases, fallbackLine, knowledgeBases } = agent
  const settings: TextAgentSettings = {
    ...textAgentDefaults,
    ...{ name, systemPrompt, language, escalationPhrases, fallbackLine, knowledgeBases },
    channels: ["messaging"],
    answers: "when_unassigned",
    tools: agentTools(agent)
  }
  return settings
})

/** The settings of an agent of the database as it is now. `organization`: empty when the file names none. Needs the stores. */
export const storedAgent = Effect.fnUntraced(function* (organization: string, id: string) {
  if (organization === "") return yield* new NoSuchAgent({ message: "An agent of the database needs `organization`." })
  if (id.startsWith("agt_")) return yield* inChat(organization, id)
  const found = yield* (yield* TextAgents).find(organization, id)
  if (found === undefined) return yield* new NoSuchAgent({ message: `There is no text agent ${id}.` })
  if (found.voiceAgentId === null) return { ...found, tools: agentTools(found) }
  const { systemPrompt, tools } = yield* inChat(organization, found.voiceAgentId)
  return { ...found, systemPrompt, tools: agentTools({ tools, knowledgeBases: found.knowledgeBases }) }
})

import { Effect } from "effect"
import { z } from "zod"
import { type VoiceAgent, VoiceAgents } from "../../../domain/voice/agents/VoiceAgent.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { clip, listed, listOutput } from "../protocol/ToolAnswer.ts"
import { pageCursor, readPageCursor } from "./pageCursor.ts"

const row = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().describe("Cut at 300 characters."),
  language: z.string().describe("BCP 47, e.g. en-US."),
  phoneNumber: z.string().nullable().describe("The number it answers and calls from; null: it cannot call anybody."),
  tools: z.array(z.string()).describe("The names of its tools.")
})

const rowOf = (agent: VoiceAgent): z.infer<typeof row> => ({
  id: agent.id,
  name: agent.name,
  description: clip(agent.description, 300),
  language: agent.primaryLanguage,
  phoneNumber: agent.phoneNumber,
  tools: agent.tools.slice(0, 20).map((tool) => tool.name)
})

export const listVoiceAgents = Effect.map(VoiceAgents, (agents) =>
  defineTool({
    name: "list_voice_agents",
    title: "List voice agents",
    description:
      "Lists the AI agents that answer and place phone calls. Use it to get the id that place_call and list_calls take. The whole record of one is the " +
      'resource parley://agents/{id}. Example: {"limit": 10}',
    toolset: "agents",
    kind: "reads",
    scope: "voice:read",
    input: z.strictObject({
      limit: arg.limit,
      cursor: arg.cursor,
      fields: arg.fields(["name", "description", "language", "phoneNumber", "tools"])
    }),
    output: listOutput(row),
    run: (args, { principal: { organizationId } }) =>
      listed({
        asked: { tool: "list_voice_agents", args },
        fetch: Effect.fnUntraced(function* (limit) {
          const at = yield* readPageCursor("agents", args.cursor, limit)
          const { data, total } = yield* agents.list(organizationId, at.page, at.limit)
          return { data, total, next: pageCursor("agents", at, total) }
        }),
        row: rowOf,
        line: ({ id, name, language, phoneNumber, description }) =>
          `${id} · ${name} · ${language} · ${phoneNumber ?? "no number"}${description === "" ? "" : ` · ${description}`}`,
        none: "There are no voice agents."
      })
  })
)

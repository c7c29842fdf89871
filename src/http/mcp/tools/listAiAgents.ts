import { Effect } from "effect"
import { z } from "zod"
import { type TextAgent, TextAgents } from "../../../domain/messaging/agents/TextAgent.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { clip, listed, listOutput } from "../protocol/ToolAnswer.ts"
import { pageCursor, readPageCursor } from "./pageCursor.ts"

const row = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().describe("Cut at 300 characters."),
  answers: z.string().describe("Which conversations it takes: always, outside_hours, when_unassigned or never."),
  language: z.string().describe("BCP 47, e.g. en-US.")
})

const rowOf = ({ id, name, description, answers, language }: TextAgent): z.infer<typeof row> => ({
  id,
  name,
  description: clip(description, 300),
  answers,
  language
})

export const listAiAgents = Effect.map(TextAgents, (agents) =>
  defineTool({
    name: "list_ai_agents",
    title: "List text agents",
    description:
      'Lists the AI agents that answer messages by text. Agents that answer phone calls are in list_voice_agents. Example: {"limit": 10}',
    toolset: "agents",
    kind: "reads",
    scope: "agents:read",
    input: z.strictObject({ limit: arg.limit, cursor: arg.cursor }),
    output: listOutput(row),
    run: (args, { principal: { organizationId } }) =>
      listed({
        asked: { tool: "list_ai_agents", args },
        fetch: Effect.fnUntraced(function* (limit) {
          const at = yield* readPageCursor("textAgents", args.cursor, limit)
          const { data, total } = yield* agents.list(organizationId, at.page, at.limit)
          return { data, total, next: pageCursor("textAgents", at, total) }
        }),
        row: rowOf,
        line: ({ id, name, answers, language, description }) =>
          `${id} · ${name} · ${answers} · ${language}${description === "" ? "" : ` · ${description}`}`,
        none: "There are no text agents. Agents that answer phone calls are in list_voice_agents."
      })
  })
)

import { Effect } from "effect"
import { z } from "zod"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { listed, listOutput } from "../protocol/ToolAnswer.ts"

const row = z.object({ id: z.string(), name: z.string(), active: z.boolean() })

/** Text agents are not part of the service yet, so there are none. */
export const listAiAgents = Effect.succeed(
  defineTool({
    name: "list_ai_agents",
    title: "List text agents",
    description:
      "Lists the AI agents that answer messages by text. Agents that answer phone calls are in list_voice_agents. Example: {}",
    toolset: "agents",
    kind: "reads",
    scope: "agents:read",
    input: z.strictObject({ limit: arg.limit, cursor: arg.cursor }),
    output: listOutput(row),
    run: (args) =>
      listed({
        asked: { tool: "list_ai_agents", args },
        fetch: () => Effect.succeed({ data: [] as ReadonlyArray<z.infer<typeof row>>, total: 0, next: null }),
        row: (agent) => agent,
        line: ({ id, name }) => `${id} · ${name}`,
        none: "There are no text agents. Agents that answer phone calls are in list_voice_agents."
      })
  })
)

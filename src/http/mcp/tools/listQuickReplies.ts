import { Effect } from "effect"
import { z } from "zod"
import { QuickReplies, type QuickReply } from "../../../domain/messaging/templates/QuickReplies.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { after, clip, listed, listOutput } from "../protocol/ToolAnswer.ts"
import { asRefusal } from "../protocol/ToolRefusal.ts"

const row = z.object({
  id: z.string(),
  shortcut: z.string(),
  text: z.string().describe("With placeholders like {{firstName|there}}, which you fill in."),
  placeholders: z.array(z.string())
})

const rowOf = ({ id, shortcut, text, placeholders }: QuickReply): z.infer<typeof row> => ({
  id,
  shortcut,
  text,
  placeholders: [...placeholders]
})

export const listQuickReplies = Effect.map(QuickReplies, (replies) =>
  defineTool({
    name: "list_quick_replies",
    title: "List quick replies",
    description:
      "Lists texts that the organization's people send often, newest first. Use one to answer in the organization's own words: fill its placeholders " +
      'and send it with send_message. Templates of the channel are in list_templates. Example: {"search": "hours"}',
    toolset: "messaging",
    kind: "reads",
    scope: "messages:read",
    input: z.strictObject({
      search: arg.text(200, "Any part of the shortcut or the text.").optional(),
      limit: arg.limit,
      cursor: arg.cursor,
      fields: arg.fields(["shortcut", "text", "placeholders"])
    }),
    output: listOutput(row),
    run: (args, { principal: { organizationId } }) =>
      listed({
        asked: { tool: "list_quick_replies", args },
        fetch: Effect.fnUntraced(function* (limit) {
          const part = yield* asRefusal()(partOf("quickReplies", arg.defined({ limit, cursor: args.cursor })))
          const filter = args.search === undefined || args.search.trim() === "" ? {} : { search: args.search }
          const { data, total, nextCursor } = toList(yield* replies.list(organizationId, filter, part), part)
          return { data, total, next: after(nextCursor) }
        }),
        row: rowOf,
        line: ({ id, shortcut, text }) => `/${shortcut} (${id}): ${clip(text, 1_000)}`,
        none: "No quick reply matches."
      })
  })
)

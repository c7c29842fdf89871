import { Effect, Predicate } from "effect"
import { z } from "zod"
import type { TemplateSlot } from "../../../domain/messaging/templates/TemplateSlots.ts"
import { type Template, Templates } from "../../../domain/messaging/templates/Templates.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { after, clip, listed, listOutput } from "../protocol/ToolAnswer.ts"
import { asRefusal } from "../protocol/ToolRefusal.ts"

const row = z.object({
  id: z.string(),
  name: z.string(),
  language: z.string(),
  status: z.string().describe("Only APPROVED ones can be sent."),
  category: z.string(),
  body: z.string().describe("The text, with its placeholders; cut at 500 characters."),
  needs: z.array(z.string()).describe("What a message has to give, e.g. body: 2 texts.")
})

const bodyOf = ({ components }: Template): string => {
  const body = components.find((part) => Predicate.isObject(part) && Reflect.get(part, "type") === "BODY")
  const text = Predicate.isObject(body) ? Reflect.get(body, "text") : undefined
  return typeof text === "string" ? clip(text, 500) : ""
}

const need = ({ type, subType, count, format, names, required }: TemplateSlot): string => {
  const what = subType === null ? type : `${type} ${subType}`
  const named = names === null ? "" : ` (${names.join(", ")})`
  return `${what}: ${count} ${format}${count === 1 ? "" : "s"}${named}${required ? "" : ", optional"}`
}

const rowOf = (template: Template): z.infer<typeof row> => {
  const { id, name, language, status, category, parameters } = template
  return { id, name, language, status, category, body: bodyOf(template), needs: parameters.map(need) }
}

export const listTemplates = Effect.map(Templates, (templates) =>
  defineTool({
    name: "list_templates",
    title: "List message templates",
    description:
      "Lists the message templates of the channel. Use it before you send a template: it gives name, language, and what has to be filled in. " +
      "For texts that people type again and again use list_quick_replies. " +
      'Example: {"status": "APPROVED", "limit": 10}',
    toolset: "messaging",
    kind: "reads",
    scope: "messages:read",
    input: z.strictObject({
      name: arg.text(512, "The whole name.").optional(),
      status: arg.text(64, "The channel's word: APPROVED, PENDING, REJECTED, PAUSED …; or REMOVED.").optional(),
      language: arg.text(20, "The channel's spelling, e.g. en_US.").optional(),
      limit: arg.limit,
      cursor: arg.cursor,
      fields: arg.fields(["name", "language", "status", "category", "body", "needs"])
    }),
    output: listOutput(row),
    run: (args, { principal: { organizationId } }) =>
      listed({
        asked: { tool: "list_templates", args },
        fetch: Effect.fnUntraced(function* (limit) {
          const part = yield* asRefusal()(partOf("templates", arg.defined({ limit, cursor: args.cursor })))
          const filter = arg.defined({ name: args.name, status: args.status, language: args.language })
          const { data, total, nextCursor } = toList(yield* templates.list(organizationId, filter, part), part)
          return { data, total, next: after(nextCursor) }
        }),
        row: rowOf,
        line: ({ name, language, status, body, needs }) =>
          `${name} · ${language} · ${status}${needs.length === 0 ? "" : ` · needs ${needs.join("; ")}`}\n  ${body}`,
        none: "No template matches. Templates are made at the channel, and copied from there every hour."
      })
  })
)

import { Clock, Effect } from "effect"
import { z } from "zod"
import { Conversations } from "../../../domain/messaging/conversations/Conversation.ts"
import { type Message, Messages } from "../../../domain/messaging/conversations/Message.ts"
import { noSuchConversation } from "../../handlers/messaging/chats.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { after, clip, fitting, restLine, type Truncated, truncated } from "../protocol/ToolAnswer.ts"
import { asRefusal, refusalOf } from "../protocol/ToolRefusal.ts"

/** The words of a message, or its type for one without words. */
export const wordsOf = ({ type, content }: Pick<Message, "type" | "content">): string => {
  const { text, caption, templateName } = content
  const words = [text, caption].find((part) => typeof part === "string" && part !== "")
  if (typeof words === "string") return type === "text" ? words : `(${type}) ${words}`
  return typeof templateName === "string" ? `(template ${templateName})` : `(${type})`
}

const item = z.object({
  id: z.string(),
  from: z.enum(["contact", "us"]),
  type: z.string(),
  text: z.string(),
  status: z.string().describe("received, queued, sent, delivered, read or failed"),
  failure: z.string().nullable(),
  at: z.string()
})

const itemOf = ({ id, direction, type, content, status, failure, createdAt }: Message): z.infer<typeof item> => ({
  id,
  from: direction === "inbound" ? "contact" : "us",
  type,
  text: wordsOf({ type, content }),
  status,
  failure: failure === null ? null : clip(failure.reason, 200),
  at: createdAt
})

const lineOf = ({ id, from, text, status, at }: z.infer<typeof item>) =>
  `${at} ${from}${from === "us" ? ` (${status})` : ""}: ${text}  [${id}]`

const output = z.object({
  id: z.string(),
  channel: z.string(),
  status: z.string(),
  assignee: z.string().nullable(),
  labels: z.array(z.string()),
  contact: z.object({ id: z.string(), name: z.string().nullable(), phone: z.string().nullable() }),
  freeTextUntil: z.string().nullable().describe("Until when the contact can be sent free text; null: only templates."),
  messages: z.array(item).describe("The newest first."),
  calls: z.array(
    z.object({ id: z.string(), status: z.string(), direction: z.string(), startedAt: z.string().nullable() })
  ),
  truncated
})

export const getConversation = Effect.gen(function* () {
  const conversations = yield* Conversations
  const messages = yield* Messages

  const page = Effect.fnUntraced(function* (
    organizationId: string,
    conversationId: string,
    limit: number,
    cursor: string | undefined
  ) {
    const part = yield* asRefusal()(partOf("messages", arg.defined({ limit, cursor })))
    return toList(yield* messages.list(organizationId, { conversationId }, part), part)
  })

  return defineTool({
    name: "get_conversation",
    title: "Read a conversation",
    description:
      "Gives a conversation with its newest messages, the newest first, and the ids of its calls. Use it before you answer somebody. " +
      "Reading does not mark it as read. For what was said in a call use get_call. " +
      'Example: {"conversationId": "cnv_01KAJ3…", "limit": 20}',
    toolset: "conversations",
    kind: "reads",
    scope: "conversations:read",
    input: z.strictObject({
      conversationId: arg.id("The id of the conversation, cnv_…."),
      limit: arg.limit,
      cursor: arg.cursor
    }),
    output,
    run: Effect.fnUntraced(function* (args, { principal: { organizationId } }) {
      const { conversationId, limit = 20, cursor } = args
      const now = yield* Clock.currentTimeMillis
      const found = yield* conversations.find(organizationId, conversationId, 1, now)
      if (found === undefined) return yield* refusalOf(noSuchConversation(), "Find the id with list_conversations.")
      let list = yield* page(organizationId, conversationId, limit, cursor)
      const rendered = list.data.map(itemOf).map((message) => ({ message, line: lineOf(message) }))
      const most = fitting(rendered)
      if (most < rendered.length) list = yield* page(organizationId, conversationId, most, cursor)
      const shown = list.data.map(itemOf)
      const next = after(list.nextCursor)
      const rest: Truncated =
        next === null
          ? null
          : {
              shown: shown.length,
              total: list.total,
              call: { tool: "get_conversation", arguments: { ...args, ...next } }
            }
      const { id, channel, status, assignee, labels, contact, window, calls } = found
      const freeTextUntil = window?.open === true ? window.expiresAt : null
      const heads = [
        `${id} · ${channel} · ${status} · with ${contact.name ?? "(no name)"} (${contact.id}, ${contact.phone ?? "no number"})`,
        channel !== "messaging"
          ? null
          : freeTextUntil === null
            ? "Only templates can be sent: the contact has not written in the last 24 hours."
            : `Free text can be sent until ${freeTextUntil}.`,
        calls.length === 0 ? null : `Calls: ${calls.map((call) => call.id).join(", ")} (get_call reads them).`
      ].filter((line) => line !== null)
      return {
        structured: {
          ...{ id, channel, status, assignee, freeTextUntil, truncated: rest },
          labels: [...labels],
          contact: { ...contact },
          messages: shown,
          calls: calls.map(({ id, status, direction, startedAt }) => ({ id, status, direction, startedAt }))
        },
        text: [...heads, ...shown.map(lineOf), ...restLine(rest)].join("\n")
      }
    })
  })
})

import { Clock, Effect } from "effect"
import { z } from "zod"
import { type Conversation, Conversations } from "../../../domain/messaging/conversations/Conversation.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { after, clip, listed, listOutput } from "../protocol/ToolAnswer.ts"
import { asRefusal } from "../protocol/ToolRefusal.ts"
import { wordsOf } from "./getConversation.ts"

const statuses = ["OPEN", "ASSIGNED", "RESOLVED"] as const
const channels = ["messaging", "voice", "team_chat"] as const

const row = z.object({
  id: z.string(),
  channel: z.enum(channels),
  status: z.enum(statuses),
  contactId: z.string(),
  contactName: z.string().nullable(),
  contactPhone: z.string().nullable(),
  assignee: z.string().nullable().describe("Id of a person or an AI agent."),
  labels: z.array(z.string()),
  unreadCount: z.int().describe("Messages of the contact that nobody has read."),
  freeTextUntil: z
    .string()
    .nullable()
    .describe(
      "Until when the contact can be sent free text; null when only templates can be sent, or on other channels."
    ),
  lastMessage: z.string().nullable(),
  lastActivityAt: z.string()
})

const rowOf = (conversation: Conversation): z.infer<typeof row> => {
  const { id, channel, status, contact, assignee, labels, unreadCount, window, lastMessage, lastActivityAt } =
    conversation
  return {
    ...{ id, channel, status, assignee, unreadCount, lastActivityAt },
    contactId: contact.id,
    contactName: contact.name === null ? null : clip(contact.name, 100),
    contactPhone: contact.phone,
    labels: [...labels],
    freeTextUntil: window?.open === true ? window.expiresAt : null,
    lastMessage:
      lastMessage === null
        ? null
        : `${lastMessage.direction === "inbound" ? "contact" : "us"}: ${clip(wordsOf(lastMessage), 160)}`
  }
}

export const listConversations = Effect.map(Conversations, (conversations) =>
  defineTool({
    name: "list_conversations",
    title: "List conversations",
    description:
      "Lists conversations with contacts, the latest activity first, each with its newest message. Use it to see who waits for an answer " +
      "(status OPEN, unreadCount above 0). For what was said in calls use list_calls. " +
      'Example: {"status": "OPEN", "channel": "messaging", "limit": 10}',
    toolset: "conversations",
    kind: "reads",
    scope: "conversations:read",
    input: z.strictObject({
      status: arg.choice(statuses, "OPEN: nobody has it. ASSIGNED: somebody works on it. RESOLVED: done.").optional(),
      channel: arg.choice(channels, "Where it takes place.").optional(),
      contactId: arg.id("Only those of this contact, cnt_….").optional(),
      assignee: arg.id("Only those of this person or AI agent; none for those of nobody.").optional(),
      label: arg.text(64, "One whole label.").optional(),
      limit: arg.limit,
      cursor: arg.cursor,
      fields: arg.fields([
        "channel",
        "status",
        "contactId",
        "contactName",
        "contactPhone",
        "assignee",
        "labels",
        "unreadCount",
        "freeTextUntil",
        "lastMessage",
        "lastActivityAt"
      ])
    }),
    output: listOutput(row),
    run: (args, { principal: { organizationId } }) =>
      listed({
        asked: { tool: "list_conversations", args },
        fetch: Effect.fnUntraced(function* (limit) {
          const part = yield* asRefusal()(partOf("chats", arg.defined({ limit, cursor: args.cursor })))
          const { status, channel, contactId, assignee, label } = args
          const filter = { status, channel, contactId, assignee, label: label?.trim() }
          const now = yield* Clock.currentTimeMillis
          const { data, total, nextCursor } = toList(yield* conversations.list(organizationId, filter, part, now), part)
          return { data, total, next: after(nextCursor) }
        }),
        row: rowOf,
        line: ({
          id,
          status,
          channel,
          contactName,
          contactPhone,
          contactId,
          unreadCount,
          lastMessage,
          lastActivityAt
        }) =>
          `${id} · ${status} · ${channel} · ${contactName ?? contactPhone ?? "(unknown)"} (${contactId}) · unread ${unreadCount} · ${lastActivityAt}` +
          (lastMessage === null ? "" : `\n  ${lastMessage}`),
        none: "No conversation matches."
      })
  })
)

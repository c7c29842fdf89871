/** `/api/messaging-api/chats`: conversations on every channel. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Instant } from "../../../domain/basics/Calendar.ts"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { oneLine, plainText } from "../../../domain/basics/PlainText.ts"
import { ConversationPresence, PresenceState } from "../../../domain/events/PassingEvent.ts"
import { ConversationSummary, SummaryLanguage } from "../../../domain/messaging/agents/SummarizeConversation.ts"
import { Conversation, ConversationDetail, InboxCounts } from "../../../domain/messaging/conversations/Conversation.ts"
import { ConversationStatus } from "../../../domain/messaging/conversations/ConversationStatus.ts"
import { Message } from "../../../domain/messaging/conversations/Message.ts"
import { TimelineEntry } from "../../../domain/messaging/conversations/Timeline.ts"
import { Channel } from "../../../domain/people/contacts/Channel.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError, TooMany } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery, timelinePlaceOf } from "../../wire/Listing.ts"
import { optionalBody } from "../../wire/OptionalBody.ts"
import { pageQuery, whole } from "../../wire/Paging.ts"
import { messageFilter } from "./messages.ts"

const params = { conversationId: Id }
const error = [BadRequest, Forbidden, NotFound] as const

const Label = plainText(64)

export const ChatChanges = Schema.Struct({
  status: Schema.optionalKey(ConversationStatus),
  /** The id of a user (`usr_…`) or a text agent (`bot_…`); null removes the assignee. A person silences the agent, a text agent takes over. */
  assignee: Schema.optionalKey(Schema.NullOr(Id)),
  /** All labels of the conversation, at most 20; those that are not named are removed. */
  labels: Schema.optionalKey(Schema.Array(Label).check(Schema.isMaxLength(20))),
  /** Until then it is in no view but those of snoozed ones: at most a year from now. Null ends it. */
  snoozedUntil: Schema.optionalKey(Schema.NullOr(Instant)),
  /** Marks all messages as read; with `false` the conversation as unread: `unreadCount` is then at least 1. */
  read: Schema.optionalKey(Schema.Boolean)
}).annotate({
  title: "ConversationChanges",
  examples: [{ assignee: exampleIds.colleague, labels: ["order"], read: true }]
})

const TimelineCursor = Schema.String.check(
  Schema.isMaxLength(200),
  Schema.makeFilter(
    (text: string) => timelinePlaceOf(text) !== undefined || "must be a cursor of a timeline, unchanged."
  )
)

export const TimelineView = Schema.Struct({
  data: Schema.Array(TimelineEntry),
  olderCursor: Schema.NullOr(Schema.String),
  newerCursor: Schema.NullOr(Schema.String)
}).annotate({
  title: "Timeline",
  examples: [
    { data: [exampleOf(TimelineEntry)], olderCursor: null, newerCursor: "MTc2MzcxNzQwMDAwMDAwMC5tc2dfMDFLQUoz" }
  ]
})

export class ChatsGroup extends HttpApiGroup.make("chats")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...listQuery,
        status: Schema.optionalKey(ConversationStatus),
        contactId: Schema.optionalKey(Id),
        assignee: Schema.optionalKey(Id),
        channel: Schema.optionalKey(Channel),
        label: Schema.optionalKey(Label),
        due: Schema.optionalKey(Schema.Literals(["overdue", "soon"])),
        snoozed: Schema.optionalKey(Schema.Literals(["true", "false"])),
        resolved: Schema.optionalKey(Schema.Literals(["true", "false"])),
        unread: Schema.optionalKey(Schema.Literal("true")),
        search: Schema.optionalKey(oneLine(200))
      },
      success: listOf(Conversation),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List conversations, the latest activity first",
        description:
          "`assignee` is the id of a person or an AI agent, `me` (for a signed-in person) or `none`; `label` one whole label; `due` says that the next due " +
          "time has passed (`overdue`) or comes within an hour (`soon`); `resolved=false` leaves out what is done; `search` is a part of the contact's name or number. With any of these " +
          "`total` counts to 10,000. `window` says until when the messaging channel takes free text: 24 hours after the contact last wrote; null for other channels. " +
          "Scope `conversations:read`."
      })
    ),
    HttpApiEndpoint.get("counts", "/counts", { success: InboxCounts, error: Forbidden }).annotateMerge(
      OpenApi.annotations({
        summary: "Count the conversations of each view",
        description:
          "`open` and `assigned` are exact, the others are counted to 10,000. Snoozed conversations are counted as `snoozed` only. Scope " +
          "`conversations:read`."
      })
    ),
    HttpApiEndpoint.get("timeline", "/:conversationId/timeline", {
      params,
      query: {
        before: Schema.optionalKey(TimelineCursor),
        after: Schema.optionalKey(TimelineCursor),
        contact: Schema.optionalKey(Schema.Literal("all")),
        limit: whole(1, 100, 50)
      },
      success: TimelineView,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read messages, calls, notes and changes in one order",
        description:
          "Newest first. Hand `olderCursor` back as `before` to go back, and `newerCursor` as `after` for what has come since; null says that there " +
          "is nothing older. `contact=all` puts together the contact's newest 200 conversations on all channels. Changes are those that the audit " +
          "log has. Scope `conversations:read`."
      })
    ),
    HttpApiEndpoint.get("get", "/:conversationId", {
      params,
      query: { limit: pageQuery.limit },
      success: ConversationDetail,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a conversation with its recent messages",
        description:
          "`messages` are the newest `limit` (20 by default), newest first. A voice conversation has `calls`: the newest ten, each with what " +
          "was said. Reading does not count as read: see PATCH. Scope `conversations:read`."
      })
    ),
    HttpApiEndpoint.get("messages", "/:conversationId/messages", {
      params,
      query: { ...listQuery, ...messageFilter },
      success: listOf(Message),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the messages of a conversation, newest first",
        description: "Hand each `nextCursor` back as `cursor` to go back to its beginning. Scope `conversations:read`."
      })
    ),
    HttpApiEndpoint.post("presence", "/:conversationId/presence", {
      params,
      payload: Schema.Struct({ state: PresenceState }).annotate({ title: "Presence", examples: [{ state: "typing" }] }),
      success: ConversationPresence,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Say that one looks at a conversation, or writes in it",
        description:
          "Colleagues hear of it by the passing event `conversation.presence`. It holds for 20 seconds and is not stored: say it again while it is so. " +
          "For signed-in people. Scope `conversations:read`."
      })
    ),
    HttpApiEndpoint.post("summarize", "/:conversationId/summary", {
      params,
      payload: Schema.Struct({ language: Schema.optionalKey(SummaryLanguage) }).annotate({
        title: "SummaryRequest",
        examples: [{ language: "en" }]
      }),
      success: ConversationSummary,
      error: [...error, Conflict, TooMany, ServerError]
    })
      .annotateMerge(optionalBody)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Sum up what was said with the contact",
          description:
            "The newest 300 messages, calls and notes with the contact on all channels, in at most 150 words: who the contact is, what the contact wants, " +
            "what was agreed and what is open. In `language` (BCP 47), else in that of the conversation. It is made now and not stored, and its tokens count " +
            "as AI usage (`summaries`): 403 when those of the month are used, 409 when nothing was said. At most 30 a minute for an organization. Scope " +
            "`conversations:write`."
        })
      ),
    HttpApiEndpoint.patch("update", "/:conversationId", {
      params,
      payload: ChatChanges,
      success: Conversation,
      error: [...error, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Assign, label, snooze, resolve or reopen a conversation, or mark it read or unread",
        description:
          "An assignee makes it ASSIGNED, `assignee: null` OPEN again; RESOLVED keeps the assignee; OPEN has none. " +
          "`labels` replaces all labels. " +
          "Scope `conversations:write`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/chats") {}

import { Clock, Effect } from "effect"
import { ProcessBus } from "../../../domain/basics/bus/ProcessBus.ts"
import { presenceMs } from "../../../domain/events/PassingEvent.ts"
import { makeSummarizeConversation } from "../../../domain/messaging/agents/SummarizeConversation.ts"
import {
  Conversation,
  type ConversationFilter,
  Conversations
} from "../../../domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../../domain/messaging/conversations/ConversationCommand.ts"
import { Message, Messages } from "../../../domain/messaging/conversations/Message.ts"
import { Timelines } from "../../../domain/messaging/conversations/Timeline.ts"
import type { Principal } from "../../../domain/people/access/Access.ts"
import { Users } from "../../../domain/people/access/User.ts"
import { AppApi } from "../../groups/Api.ts"
import { requirePerson, requireScope } from "../../middleware/Authorization.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { makeRateLimit } from "../../middleware/RateLimit.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, conversationBusy, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { listAnswer, partOf, timelineCursor, timelinePlaceOf } from "../../wire/Listing.ts"
import { window } from "../../wire/Paging.ts"
import { filterOf } from "./messages.ts"

export const noSuchConversation = () => new NotFound({ error: "There is no such conversation." })

const notMe = "assignee is invalid: only a person who is signed in can ask for `me`; send an id."
const ownId = (caller: Principal) =>
  "keyId" in caller ? Effect.fail(new BadRequest({ error: notMe })) : Effect.succeed(caller.userId)

const longestSnoozeMs = 366 * 86_400_000
const checkSnooze = (until: string, now: number) => {
  const ahead = Date.parse(until) - now
  return ahead > 0 && ahead <= longestSnoozeMs
    ? Effect.void
    : Effect.fail(new BadRequest({ error: "snoozedUntil is invalid: it must be in the future, and within a year." }))
}

const answer = listAnswer(Conversation)
const answerMessages = listAnswer(Message)

const summaries = { name: "summaries", what: "summaries", limit: 30, window: "1 minute" } as const

/** Needs Conversations, Messages, Timelines, Users, Organizations, ConversationCommands, and what `makeSummarizeConversation` needs. */
export const layer = group(
  AppApi,
  "chats",
  Effect.fn(function* (handlers) {
    const conversations = yield* Conversations
    const messages = yield* Messages
    const timelines = yield* Timelines
    const users = yield* Users
    const bus = yield* ProcessBus
    const commands = yield* ConversationCommands
    const ownOrganization = yield* makeOwnOrganization
    const summarize = yield* makeSummarizeConversation
    const count = yield* makeRateLimit(summaries)
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const caller = yield* requireScope("conversations:read")
        const { organizationId } = caller
        const part = yield* partOf("chats", query)
        const { status, contactId, channel, label, due, unread, search } = query
        const told = (flag: "true" | "false" | undefined) => (flag === undefined ? undefined : flag === "true")
        const filter: ConversationFilter = {
          ...{ status, contactId, channel, due, search },
          assignee: query.assignee === "me" ? yield* ownId(caller) : query.assignee,
          label: label?.trim(),
          snoozed: told(query.snoozed),
          resolved: told(query.resolved),
          unread: unread === undefined ? undefined : true
        }
        const now = yield* Clock.currentTimeMillis
        return answer(yield* conversations.list(organizationId, filter, part, now), part)
      }),
      counts: Effect.fnUntraced(function* () {
        const caller = yield* requireScope("conversations:read")
        const now = yield* Clock.currentTimeMillis
        return yield* conversations.counts(caller.organizationId, "keyId" in caller ? undefined : caller.userId, now)
      }),
      timeline: Effect.fnUntraced(function* ({ params: { conversationId }, query }) {
        const { organizationId } = yield* requireScope("conversations:read")
        const { before, after, contact, limit = 50 } = query
        if (before !== undefined && after !== undefined)
          return yield* new BadRequest({ error: "Send either before or after, not both." })
        const side = before === undefined ? "after" : "before"
        const place = timelinePlaceOf(before ?? after ?? "")
        const part = {
          from: place === undefined ? undefined : ({ side, place } as const),
          limit,
          wholeContact: contact === "all"
        }
        const page = yield* timelines.read(organizationId, conversationId, part)
        const { entries, older, newer } = page ?? (yield* noSuchConversation())
        const cursorOf = (end: typeof older) => (end === null ? null : timelineCursor(end))
        return { data: entries, olderCursor: cursorOf(older), newerCursor: cursorOf(newer) }
      }),
      get: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* requireScope("conversations:read")
        const now = yield* Clock.currentTimeMillis
        const found = yield* conversations.find(organizationId, params.conversationId, window(query).limit, now)
        return found ?? (yield* noSuchConversation())
      }),
      messages: Effect.fnUntraced(function* ({ params: { conversationId }, query }) {
        const { organizationId } = yield* requireScope("conversations:read")
        const part = yield* partOf("messages", query)
        if (!(yield* conversations.exists(organizationId, conversationId))) return yield* noSuchConversation()
        return answerMessages(yield* messages.list(organizationId, filterOf({ ...query, conversationId }), part), part)
      }),
      presence: Effect.fnUntraced(function* ({ params: { conversationId }, payload: { state } }) {
        yield* requireScope("conversations:read")
        const { organizationId, userId } = yield* requirePerson("Only people are present; this is an API key.")
        if (!(yield* conversations.exists(organizationId, conversationId))) return yield* noSuchConversation()
        const { name } = (yield* users.find(organizationId, userId)) ?? { name: "" }
        const at = yield* Clock.currentTimeMillis
        const until = new Date(state === "gone" ? at : at + presenceMs).toISOString()
        const data = { conversation: { id: conversationId }, person: { id: userId, name }, state, until }
        bus.publish({ organizationId, type: "conversation.presence", at, data })
        return data
      }),
      summarize: Effect.fnUntraced(function* ({ params: { conversationId }, payload: { language } }) {
        const organization = yield* ownOrganization("conversations:write")
        if (!(yield* conversations.exists(organization.id, conversationId))) return yield* noSuchConversation()
        yield* count(organization.id)
        const summary = yield* summarize(organization, conversationId, language).pipe(
          Effect.catchTags({
            NoTokensLeft: () => new Forbidden({ error: "The AI tokens of this month are used." }),
            NothingToSum: ({ message }) => new Conflict({ error: message }),
            SummaryUnavailable: ({ message }) => new ServerError({ error: message })
          })
        )
        return summary ?? (yield* noSuchConversation())
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("conversations:write")
        if (Object.keys(payload).length === 0)
          return yield* new BadRequest({
            error: "Send at least one of status, assignee, labels, snoozedUntil and read."
          })
        const now = yield* Clock.currentTimeMillis
        const { snoozedUntil } = payload
        if (typeof snoozedUntil === "string") yield* checkSnooze(snoozedUntil, now)
        const changed = yield* commands.change(organizationId, params.conversationId, payload, now).pipe(
          Effect.catchTags({
            ImpossibleChange: ({ message }) => new BadRequest({ error: message }),
            ConversationBusy: conversationBusy,
            NoSuchAssignee: ({ id }) =>
              new NotFound({ error: `There is no person or AI agent with the id ${id.slice(0, 60)}.` })
          })
        )
        return changed ?? (yield* noSuchConversation())
      })
    })
  })
)

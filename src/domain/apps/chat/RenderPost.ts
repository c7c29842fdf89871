/** What a post says when it is written: conversations are shown as they are then. */
import { Clock, Effect, Stream } from "effect"
import { Conversations } from "../../messaging/conversations/Conversation.ts"
import { type Message, Messages } from "../../messaging/conversations/Message.ts"
import { MediaFiles } from "../../messaging/media/Media.ts"
import { Directory } from "../../people/access/Directory.ts"
import { Organizations } from "../../people/organizations/Organization.ts"
import { makeAnalytics } from "../../usage/AnalyticsReport.ts"
import { CallSummaries } from "../../voice/calls/records/CallSummary.ts"
import type { ChatButton, ChatFile } from "../AppChat.ts"
import { contactLabel } from "./ChatAlert.ts"
import { callLine, cardOf, messageLine, messageText } from "./ChatLine.ts"
import { type ClaimedPost, confirmAction, declineAction } from "./ChatPost.ts"
import { summaryText } from "./DailySummary.ts"

/** Messages that are shown of the time before the conversation came into the chat. */
const mostBefore = 10

const decisions = (value: string): ReadonlyArray<ChatButton> => [
  { action: confirmAction, value, label: "Confirm", style: "primary" },
  { action: declineAction, value, label: "Decline" }
]

export interface RenderedPost {
  readonly text: string
  readonly buttons?: ReadonlyArray<ChatButton>
  readonly alsoInChannel?: boolean
  readonly file?: ChatFile
}

/** Needs Conversations, Messages, MediaFiles, Directory, Organizations, CallSummaries and AnalyticsStore once; the function it gives needs nothing. */
export const makeRenderPost = Effect.fnUntraced(function* (publicBaseUrl: string) {
  const conversations = yield* Conversations
  const messages = yield* Messages
  const files = yield* MediaFiles
  const directory = yield* Directory
  const organizations = yield* Organizations
  const summaries = yield* CallSummaries
  const analytics = yield* makeAnalytics

  const nameOf = Effect.fnUntraced(function* (organizationId: string, id: string | null) {
    if (id === null) return null
    const found = yield* directory.nameOf(organizationId, id)
    return found ?? (id.startsWith("key_") ? "An API key" : "Somebody")
  })

  const fileOf = Effect.fnUntraced(
    function* (organizationId: string, mediaId: string, text: string) {
      const media = yield* files.find(organizationId, mediaId)
      if (media === undefined) return undefined
      const bytes = Buffer.concat(yield* Stream.runCollect(files.open(organizationId, mediaId)))
      return { name: media.filename ?? media.kind, bytes: new Uint8Array(bytes), text } satisfies ChatFile
    },
    Effect.catchTag("MediaNotFound", () => Effect.undefined)
  )

  const message = Effect.fnUntraced(function* (organizationId: string, found: Message, contact: string) {
    const author = found.direction === "inbound" ? contact : ((yield* nameOf(organizationId, found.sentBy)) ?? "We")
    const text = messageLine(found, author)
    const { mediaId } = found.content
    // The file of a contact's message comes after it.
    const file =
      found.direction === "outbound" && typeof mediaId === "string"
        ? yield* fileOf(organizationId, mediaId, text)
        : undefined
    return { text, ...(file === undefined ? {} : { file }) }
  })

  const summary = Effect.fnUntraced(function* (organizationId: string, day: string) {
    const organization = yield* organizations.find(organizationId)
    if (organization === undefined) return undefined
    const figures = yield* Effect.orDie(analytics(organization, { from: day, to: day }))
    const now = yield* Clock.currentTimeMillis
    const { open } = yield* conversations.counts(organizationId, undefined, now)
    return { text: summaryText(day, figures, open) } satisfies RenderedPost
  })

  /** `undefined`: there is nothing to say any more. */
  return Effect.fnUntraced(function* ({ organizationId, conversationId, content }: ClaimedPost) {
    if (content.type === "text" || content.type === "whisper") return { text: content.text } satisfies RenderedPost
    if (content.type === "decided") return { text: content.text, buttons: [] } satisfies RenderedPost
    if (content.type === "proposal")
      return { text: content.text, buttons: decisions(content.proposalId) } satisfies RenderedPost
    if (content.type === "summary") return yield* summary(organizationId, content.day)
    const now = yield* Clock.currentTimeMillis
    const found = yield* conversations.find(organizationId, conversationId ?? "", mostBefore + 1, now)
    if (found === undefined) return undefined
    const { timeZone = "UTC" } = (yield* organizations.find(organizationId)) ?? {}
    const contact = contactLabel(found.contact)
    const one = (id: string) => messages.find(organizationId, id)
    switch (content.type) {
      case "card":
      case "state": {
        const holder = yield* nameOf(organizationId, found.assignee)
        return cardOf(found, { publicBaseUrl, timeZone, holder }) satisfies RenderedPost
      }
      case "again":
        return { text: `🔔 ${contact} waits again.`, alsoInChannel: true } satisfies RenderedPost
      case "history": {
        const at = found.messages.findIndex(({ id }) => id === content.before)
        const older = found.messages.slice(at + 1, at + 1 + mostBefore).toReversed()
        if (older.length === 0) return undefined
        const lines = yield* Effect.forEach(older, (each) => message(organizationId, each, contact))
        return { text: ["_Before:_", ...lines.map(({ text }) => text)].join("\n") } satisfies RenderedPost
      }
      case "message": {
        const shown = yield* one(content.messageId)
        return shown === undefined ? undefined : yield* message(organizationId, shown, contact)
      }
      case "words": {
        const shown = yield* one(content.messageId)
        return shown === undefined ? undefined : ({ text: `*${contact}* ${messageText(shown)}` } satisfies RenderedPost)
      }
      case "file": {
        const mediaId = (yield* one(content.messageId))?.content.mediaId
        const file = typeof mediaId === "string" ? yield* fileOf(organizationId, mediaId, "") : undefined
        return file === undefined ? undefined : ({ text: "", file } satisfies RenderedPost)
      }
      case "failed": {
        const shown = yield* one(content.messageId)
        if (shown === undefined) return undefined
        const reason = shown.failure?.reason ?? "The channel did not take it."
        return { text: `⚠️ Not delivered: “${messageText(shown)}”. ${reason}` } satisfies RenderedPost
      }
      case "call": {
        const call = found.calls.find(({ id }) => id === content.callId)
        if (call === undefined) return undefined
        const summary = yield* summaries.find(organizationId, content.callId)
        return { text: callLine(call, summary, timeZone) } satisfies RenderedPost
      }
    }
  })
})

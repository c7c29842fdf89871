/**
 * Use case: send a message, for the REST interface, broadcasts, agents and assistants. It checks and stores the message, and gives the stored one,
 * which will be handed to the channel. The message's status then tells its progress.
 */
import { Cause, Clock, Data, Effect, Schema } from "effect"
import {
  makeCounter,
  makeGiveBack,
  type RateLimitRule,
  type RateLimitState,
  tooManySentence
} from "../../basics/limits/RateLimits.ts"
import { traced } from "../../basics/Traced.ts"
import { Operation } from "../../people/access/Idempotency.ts"
import { type ConversationBusy, ConversationCommands, messageIdOf } from "../conversations/ConversationCommand.ts"
import { type Message, Messages, type MessageWithheld, type NewMessage } from "../conversations/Message.ts"
import { MediaFiles } from "../media/Media.ts"
import { checkTemplate } from "../templates/CheckTemplate.ts"
import { Templates } from "../templates/Templates.ts"
import { contentOf, mediaIdOf, type OutgoingBody } from "./OutgoingMessage.ts"
import { type Recipient, Recipients } from "./Recipients.ts"
import type { SendTo } from "./SendRequest.ts"

export interface Sending {
  readonly organizationId: string
  readonly to: SendTo
  readonly body: OutgoingBody
  /** Our id of the message that this one answers. */
  readonly replyTo?: string | undefined
  /** Id of an API key, a person or an agent. */
  readonly sentBy: string
}

/** The request names something that does not exist. */
export class SendTargetMissing extends Schema.TaggedError<SendTargetMissing>()("SendTargetMissing", {
  message: Schema.String
}) {}
/** The request names something that does not fit the message. */
export class SendMismatch extends Schema.TaggedError<SendMismatch>()("SendMismatch", { message: Schema.String }) {}
/** The contact has opted out of such messages. */
export class ContactOptedOut extends Schema.TaggedError<ContactOptedOut>()("ContactOptedOut", {
  message: Schema.String
}) {}
/** The limit of messages to this recipient is reached. */
export class TooManySends extends Data.TaggedError("TooManySends")<{
  readonly message: string
  readonly limitState: RateLimitState
}> {}

export type SendError =
  | SendTargetMissing
  | SendMismatch
  | ContactOptedOut
  | TooManySends
  | ConversationBusy
  | MessageWithheld

/** The limit per recipient and organization, over all senders. */
export const sendRule: RateLimitRule = {
  name: "send",
  what: "messages to this recipient",
  limit: 20,
  window: "1 hour"
}

/** Whether a file of this kind can be sent as this type. Any file can be sent as a document. */
const fits = (type: OutgoingBody["type"], kind: string): boolean => type === "document" || type === kind

const optedOutSentence = (phone: string | null) =>
  `${phone ?? "This contact"} has opted out of messages, so templates are not sent to it. Answers to what it writes still are.`

/** Whether it is our fault that nothing was sent: a defect, or a conversation whose owner does not answer. */
const failedHere = (cause: Cause.Cause<SendError>): boolean =>
  Cause.hasDies(cause) || cause.reasons.some((it) => Cause.isFailReason(it) && it.error._tag === "ConversationBusy")

/** Needs the services it yields, and the RateLimiter. `limitState` of the result and of TooManySends: what the recipient has left of the limit. */
export const makeSendMessage = Effect.gen(function* () {
  const messages = yield* Messages
  const media = yield* MediaFiles
  const recipients = yield* Recipients
  const templates = yield* Templates
  const commands = yield* ConversationCommands
  const count = yield* makeCounter(sendRule)
  const giveBack = yield* makeGiveBack(sendRule)

  const checkMedia = Effect.fnUntraced(function* ({ organizationId, body }: Sending) {
    const mediaId = mediaIdOf(body)
    if (mediaId === undefined) return
    const file = yield* media.find(organizationId, mediaId)
    if (file === undefined)
      return yield* new SendTargetMissing({ message: `There is no upload with the id ${mediaId}.` })
    if (!fits(body.type, file.kind))
      return yield* new SendMismatch({
        message: `mediaId is invalid: ${mediaId} is of the kind ${file.kind} and cannot be sent as ${body.type}.`
      })
  })

  /** Checks a template message against our copy of the templates: the channel would report a problem only after it has accepted the message. */
  const checkFit = Effect.fnUntraced(function* ({ organizationId, body }: Sending) {
    if (body.type !== "template") return
    const problem = checkTemplate(yield* templates.named(organizationId, body.templateName), body)
    if (problem !== undefined) return yield* new SendMismatch({ message: problem })
  })

  /** The message that is answered or reacted to. It must belong to the recipient. */
  const related = Effect.fnUntraced(function* (
    organizationId: string,
    field: string,
    messageId: string,
    recipient: Recipient | undefined
  ) {
    const found = yield* messages.find(organizationId, messageId)
    if (found === undefined)
      return yield* new SendTargetMissing({ message: `There is no message with the id ${messageId}.` })
    const isTheirs =
      found.channel === "messaging"
        ? found.contactId === recipient?.contactId
        : found.conversationId === recipient?.conversationId
    if (!isTheirs)
      return yield* new SendMismatch({
        message: `${field} is invalid: ${messageId} is not a message of the conversation with this recipient.`
      })
    return found
  })

  const checkRelated = Effect.fnUntraced(function* (sending: Sending, recipient: Recipient | undefined) {
    const { organizationId, body, replyTo } = sending
    if (body.type === "reaction") yield* related(organizationId, "messageId", body.messageId, recipient)
    if (replyTo === undefined) return undefined
    const { id, channelMessageId } = yield* related(organizationId, "replyTo", replyTo, recipient)
    return { messageId: id, channelMessageId }
  })

  const checkConsent = ({ body }: Sending, recipient: Recipient | undefined) =>
    recipient?.optedOut === true && body.type === "template"
      ? Effect.fail(new ContactOptedOut({ message: optedOutSentence(recipient.phone) }))
      : Effect.void

  const limited = ({ organizationId, to }: Sending, recipient: Recipient | undefined) =>
    `${organizationId}:${recipient?.phone ?? Object.values(to).join()}`

  const checkLimit = Effect.fnUntraced(function* (sending: Sending, recipient: Recipient | undefined) {
    const limitState = yield* count(limited(sending, recipient))
    if (limitState.exceeded)
      return yield* new TooManySends({
        message: tooManySentence(sendRule, limitState),
        limitState
      })
    return limitState
  })

  const store = Effect.fnUntraced(function* (
    { organizationId, to, body, sentBy }: Sending,
    recipient: Recipient | undefined,
    replyTo: NewMessage["replyTo"]
  ) {
    const wanted =
      recipient?.contactId === undefined || "conversationId" in to ? to : { contactId: recipient.contactId }
    const conversationId = recipient?.conversationId ?? (yield* recipients.open(organizationId, wanted))
    if (conversationId === undefined)
      return yield* new SendTargetMissing({ message: "The contact was erased meanwhile." })
    const draft = { organizationId, conversationId, type: body.type, content: contentOf(body), sentBy }
    return yield* commands
      .send(replyTo === undefined ? draft : { ...draft, replyTo }, yield* Clock.currentTimeMillis)
      .pipe(
        Effect.catchTag("NoSuchConversation", () =>
          Effect.fail(new SendTargetMissing({ message: "The contact was erased meanwhile." }))
        )
      )
  })

  /** The message that an earlier attempt of the same operation has sent. */
  const earlier = Effect.fnUntraced(function* (organizationId: string) {
    const operation = yield* Operation
    return operation === undefined ? undefined : yield* messages.find(organizationId, messageIdOf(operation, 0))
  })

  return traced("SendMessage")(function* (
    sending: Sending
  ): Effect.fn.Return<{ readonly message: Message; readonly limitState: RateLimitState | undefined }, SendError> {
    const { organizationId, to } = sending
    const before = yield* earlier(organizationId)
    if (before !== undefined) return { message: before, limitState: undefined }
    yield* checkMedia(sending)
    yield* checkFit(sending)
    const known = yield* recipients.find(organizationId, to)
    if (known === undefined && "contactId" in to)
      return yield* new SendTargetMissing({ message: `There is no contact with the id ${to.contactId}.` })
    if (known === undefined && "conversationId" in to)
      return yield* new SendTargetMissing({
        message: `There is no conversation of team chat with the id ${to.conversationId}.`
      })
    const replyTo = yield* checkRelated(sending, known)
    yield* checkConsent(sending, known)
    const limitState = yield* checkLimit(sending, known)
    const message = yield* Effect.onError(store(sending, known, replyTo), (cause) =>
      // What failed on our side is not counted against the recipient.
      limitState !== undefined && failedHere(cause) ? giveBack(limited(sending, known)) : Effect.void
    )
    return { message, limitState }
  })
})

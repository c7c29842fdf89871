/**
 * Processes an inbox item about a message of a contact: finds the contact and the conversation, stores the message, and acts on it. Every step
 * may be repeated: the contact is found again, the message is stored once by the channel's id, and its file is requested once.
 */
import { Effect } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { ChannelInbox, type InboxItem, type NewInboxItem } from "../../../domain/messaging/channel/ChannelInbox.ts"
import { ChannelMessages } from "../../../domain/messaging/channel/ChannelMessages.ts"
import { type InboundMessage, inboundMessage, writtenAt } from "../../../domain/messaging/channel/cloudapi/Inbound.ts"
import { Conversations } from "../../../domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../../domain/messaging/conversations/ConversationCommand.ts"
import type { Message } from "../../../domain/messaging/conversations/Message.ts"
import { makeHearOptOut } from "../../../domain/messaging/sending/HearOptOut.ts"
import { type Contact, Contacts } from "../../../domain/people/contacts/Contact.ts"
import { channel, part, payloadOf, Unreadable } from "./InboxPayload.ts"

/** Takes the stores and ConversationCommands once. Returns a function that processes one item and acknowledges it. */
export const makeTakeMessage = Effect.gen(function* () {
  const inbox = yield* ChannelInbox
  const contacts = yield* Contacts
  const conversations = yield* Conversations
  const commands = yield* ConversationCommands
  const channelMessages = yield* ChannelMessages
  const hearOptOut = yield* makeHearOptOut

  /** The message that this one answers or reacts to: our id of it, and the channel's. */
  const tied = Effect.fnUntraced(function* (organizationId: string, about: string | undefined) {
    if (about === undefined) return undefined
    return { messageId: (yield* channelMessages.idOf(organizationId, about)) ?? null, channelMessageId: about }
  })

  /** The contact has a new number. A number that belongs to another contact already is left there. */
  const move = (organizationId: string, contact: Contact, phone: string) =>
    Effect.catchTag(contacts.update(organizationId, contact.id, { phone }, "channel"), "DuplicateContact", () =>
      Effect.logInfo("a contact's new number is another contact's already", { organizationId, contactId: contact.id })
    )

  const store = Effect.fnUntraced(function* (item: InboxItem, told: InboundMessage, contact: Contact) {
    const { organizationId } = item
    const conversationId = yield* conversations.answering(organizationId, contact.id, channel)
    const replyTo = yield* tied(organizationId, told.about)
    const content: Message["content"] =
      told.type === "reaction" ? { ...told.content, messageId: replyTo?.messageId ?? null } : told.content
    const { type, channelMessageId } = told
    return yield* commands.receive(
      {
        organizationId,
        conversationId,
        type,
        content,
        channelMessageId,
        ...(replyTo === undefined ? {} : { replyTo })
      },
      writtenAt(told.at, item.receivedAt)
    )
  })

  /** The file of the message becomes its own inbox item, so that the next message does not wait for it. */
  const fileItem = ({ file }: InboundMessage, { id: messageId }: Message): ReadonlyArray<NewInboxItem> =>
    file === undefined
      ? []
      : [
          {
            kind: "media",
            partition: `media:${messageId}`,
            deduplicationKey: `media:${messageId}`,
            payload: { messageId, ...file }
          }
        ]

  return traced("Inbox.message")(function* (item: InboxItem, now: number) {
    const { organizationId } = item
    const message = part(item, "message")
    const told = inboundMessage(message, payloadOf(item).contact)
    // System notes of the channel without a sender: the same news also comes as its own webhook.
    if (told === undefined && message.type === "system") return yield* inbox.settle(item, Effect.void, now)
    if (told === undefined) return yield* new Unreadable({ message: "The message has no id, or nobody it is from." })
    const contact = yield* contacts.identify(organizationId, channel, told.person)
    const stored = yield* store(item, told, contact)
    if (told.movedTo !== undefined) yield* move(organizationId, contact, told.movedTo)
    yield* hearOptOut(stored)
    yield* inbox.settleInto(item, fileItem(told, stored), now)
  })
})

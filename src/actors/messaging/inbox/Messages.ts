/**
 * A letter about a message of a contact: who wrote it, in which conversation, and what is to be done about it. Every step may be repeated: the
 * contact is found again, the message is stored once by the channel's id, its file is asked for once.
 */
import { Effect } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { ChannelInbox, type Letter, type NewLetter } from "../../../domain/messaging/channel/ChannelInbox.ts"
import { ChannelMessages } from "../../../domain/messaging/channel/ChannelMessages.ts"
import { type InboundMessage, inboundMessage, writtenAt } from "../../../domain/messaging/channel/cloudapi/Inbound.ts"
import { Conversations } from "../../../domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../../domain/messaging/conversations/ConversationCommand.ts"
import type { Message } from "../../../domain/messaging/conversations/Message.ts"
import { makeHearOptOut } from "../../../domain/messaging/sending/HearOptOut.ts"
import { type Contact, Contacts } from "../../../domain/people/contacts/Contact.ts"
import { channel, part, payloadOf, Unreadable } from "./Letter.ts"

/** Needs the stores and ConversationCommands once; the function it gives works on one letter and ticks it off. */
export const makeTakeMessage = Effect.gen(function* () {
  const inbox = yield* ChannelInbox
  const contacts = yield* Contacts
  const conversations = yield* Conversations
  const commands = yield* ConversationCommands
  const channelMessages = yield* ChannelMessages
  const hearOptOut = yield* makeHearOptOut

  /** The message it answers or reacts to, as both sides name it. */
  const tied = Effect.fnUntraced(function* (organizationId: string, about: string | undefined) {
    if (about === undefined) return undefined
    return { messageId: (yield* channelMessages.idOf(organizationId, about)) ?? null, channelMessageId: about }
  })

  /** Somebody has another number now. One that is somebody else's already stays theirs. */
  const move = (organizationId: string, contact: Contact, phone: string) =>
    Effect.catchTag(contacts.update(organizationId, contact.id, { phone }, "channel"), "DuplicateContact", () =>
      Effect.logInfo("a contact's new number is another contact's already", { organizationId, contactId: contact.id })
    )

  const store = Effect.fnUntraced(function* (letter: Letter, told: InboundMessage, contact: Contact) {
    const { organizationId } = letter
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
      writtenAt(told.at, letter.receivedAt)
    )
  })

  /** Its file is a letter of its own, so that whoever writes next does not wait for it. */
  const fileLetter = ({ file }: InboundMessage, { id: messageId }: Message): ReadonlyArray<NewLetter> =>
    file === undefined
      ? []
      : [{ kind: "media", line: `media:${messageId}`, once: `media:${messageId}`, payload: { messageId, ...file } }]

  return traced("Inbox.message")(function* (letter: Letter, now: number) {
    const { organizationId } = letter
    const message = part(letter, "message")
    const told = inboundMessage(message, payloadOf(letter).contact)
    // Notes of the channel about nobody: what they say comes as a webhook of its own, too.
    if (told === undefined && message.type === "system") return yield* inbox.settle(letter, Effect.void, now)
    if (told === undefined) return yield* new Unreadable({ message: "The message has no id, or nobody it is from." })
    const contact = yield* contacts.identify(organizationId, channel, told.person)
    const stored = yield* store(letter, told, contact)
    if (told.movedTo !== undefined) yield* move(organizationId, contact, told.movedTo)
    yield* hearOptOut(stored)
    yield* inbox.settleInto(letter, fileLetter(told, stored), now)
  })
})

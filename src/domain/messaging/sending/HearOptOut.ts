/**
 * Use case: detect in a contact's message the wish to get no more messages, or to get them again. The wish goes into the ledger of consents with the
 * contact's words, and is confirmed once. It is safe to repeat for the same message, because the process may die at any point.
 */
import { Clock, Effect } from "effect"
import { idFrom } from "../../basics/Ids.ts"
import { traced } from "../../basics/Traced.ts"
import { Contacts } from "../../people/contacts/Contact.ts"
import { MessagingConsents } from "../../people/contacts/MessagingConsent.ts"
import { ConversationCommands } from "../conversations/ConversationCommand.ts"
import type { Message } from "../conversations/Message.ts"
import { confirmation, type OptOutWish, optOutWish, textOfMessage } from "./OptOut.ts"

/** The id of the confirmation, which is always the same for the same message. */
const confirmationId = (messageId: string): string => idFrom("msg", `opt-out confirmation of ${messageId}`)

/** Needs Contacts, MessagingConsents and ConversationCommands once. The function it gives takes a message and gives the wish in it, if any. */
export const makeHearOptOut = Effect.gen(function* () {
  const contacts = yield* Contacts
  const consents = yield* MessagingConsents
  const commands = yield* ConversationCommands

  const confirm = Effect.fnUntraced(function* (heard: Message, wish: OptOutWish) {
    const { organizationId, conversationId } = heard
    const content = { text: confirmation(wish) }
    const draft = { id: confirmationId(heard.id), organizationId, conversationId, type: "text", content } as const
    yield* commands.send({ ...draft, sentBy: "system" }, yield* Clock.currentTimeMillis)
  })

  return traced("HearOptOut")(function* (heard: Message) {
    const said = heard.direction === "inbound" ? textOfMessage(heard) : undefined
    if (said === undefined) return undefined
    const contact = yield* contacts.find(heard.organizationId, heard.contactId)
    const wish = contact === undefined ? undefined : optOutWish(said, contact.phone)
    if (wish === undefined) return undefined
    const result = yield* consents.record(heard.organizationId, heard.contactId, {
      action: wish.wish === "stop" ? "withdrawn" : "granted",
      at: heard.createdAt,
      source: `message ${heard.id}`,
      text: said,
      recordedBy: "system"
    })
    if (result?.recorded === true) yield* confirm(heard, wish)
    return wish
  })
})

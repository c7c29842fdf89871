/** Letters about everything but messages: reports on ours, people with another id or another wish, templates. */
import { Effect } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { ChannelInbox, type Letter } from "../../../domain/messaging/channel/ChannelInbox.ts"
import {
  inboundIdentity,
  inboundPreference,
  inboundStatus
} from "../../../domain/messaging/channel/cloudapi/Inbound.ts"
import { textOf } from "../../../domain/messaging/channel/cloudapi/Webhook.ts"
import { Messages } from "../../../domain/messaging/conversations/Message.ts"
import { makeSyncTemplates } from "../../../domain/messaging/templates/SyncTemplates.ts"
import { Contacts } from "../../../domain/people/contacts/Contact.ts"
import { MessagingConsents } from "../../../domain/people/contacts/MessagingConsent.ts"
import { channel, part, payloadOf, Unreadable } from "./Letter.ts"

/** Needs the stores and MessagingChannel once; each function it gives works on one letter and ticks it off. */
export const makeTakeNews = Effect.gen(function* () {
  const inbox = yield* ChannelInbox
  const contacts = yield* Contacts
  const messages = yield* Messages
  const consents = yield* MessagingConsents
  const syncTemplates = yield* makeSyncTemplates

  /** A report on a message we do not know is of one that another program sent from the same number. */
  const status = traced("Inbox.status")(function* (letter: Letter, now: number) {
    const told = inboundStatus(part(letter, "status"), now)
    if (told === undefined) return yield* inbox.settle(letter, Effect.void, now)
    const { report, ...which } = told
    yield* inbox.settle(letter, messages.report(letter.organizationId, which, report), now)
  })

  const identity = traced("Inbox.identity")(function* (letter: Letter, now: number) {
    const told = inboundIdentity(part(letter, "update"), payloadOf(letter).contact)
    if (told === undefined) return yield* new Unreadable({ message: "The new identity of somebody is not told." })
    const { previousUserId, person } = told
    yield* inbox.settle(letter, contacts.identify(letter.organizationId, channel, { ...person, previousUserId }), now)
  })

  /** The channel's own switch against marketing: as evidence like any other word of the contact. */
  const preference = traced("Inbox.preference")(function* (letter: Letter, now: number) {
    const told = inboundPreference(part(letter, "preference"))
    if (told === undefined) return yield* inbox.settle(letter, Effect.void, now)
    const { organizationId } = letter
    const contact = yield* contacts.identify(organizationId, channel, told.person)
    const entry = {
      action: told.wanted ? ("granted" as const) : ("withdrawn" as const),
      at: new Date(told.at ?? now).toISOString(),
      source: `channel preference ${letter.id}`,
      text: told.text,
      recordedBy: "system"
    }
    yield* inbox.settle(letter, consents.record(organizationId, contact.id, entry), now)
  })

  /** What exactly has changed the channel tells best itself. A sync that fails now is done within the hour anyway. */
  const template = traced("Inbox.template")(function* (letter: Letter, now: number) {
    yield* Effect.catchTag(syncTemplates(letter.organizationId), "TemplatesNotListed", (error) =>
      error.refused ? Effect.void : Effect.fail(error)
    )
    yield* inbox.settle(letter, Effect.void, now)
  })

  const other = traced("Inbox.other")(function* (letter: Letter, now: number) {
    const field = textOf(payloadOf(letter).field)
    yield* Effect.logInfo("the messaging channel told something that nobody here acts on", {
      organizationId: letter.organizationId,
      field
    })
    yield* inbox.settle(letter, Effect.void, now)
  })

  return { status, identity, preference, template, other }
})

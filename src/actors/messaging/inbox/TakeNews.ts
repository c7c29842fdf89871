/** Processes inbox items that are no messages: delivery reports, new identities and preferences of contacts, template changes. */
import { Effect } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { ChannelInbox, type InboxItem } from "../../../domain/messaging/channel/ChannelInbox.ts"
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
import { channel, part, payloadOf, Unreadable } from "./InboxPayload.ts"

/** Takes the stores and MessagingChannel once. Each function it returns processes one item and acknowledges it. */
export const makeTakeNews = Effect.gen(function* () {
  const inbox = yield* ChannelInbox
  const contacts = yield* Contacts
  const messages = yield* Messages
  const consents = yield* MessagingConsents
  const syncTemplates = yield* makeSyncTemplates

  /** A report on an unknown message is about one that another program sent from the same number. */
  const status = traced("Inbox.status")(function* (item: InboxItem, now: number) {
    const told = inboundStatus(part(item, "status"), now)
    if (told === undefined) return yield* inbox.settle(item, Effect.void, now)
    const { report, ...which } = told
    yield* inbox.settle(item, messages.report(item.organizationId, which, report), now)
  })

  const identity = traced("Inbox.identity")(function* (item: InboxItem, now: number) {
    const told = inboundIdentity(part(item, "update"), payloadOf(item).contact)
    if (told === undefined) return yield* new Unreadable({ message: "The new identity of somebody is not told." })
    const { previousUserId, person } = told
    yield* inbox.settle(item, contacts.identify(item.organizationId, channel, { ...person, previousUserId }), now)
  })

  /** The contact used the channel's own switch for marketing messages. It is recorded like any other consent or withdrawal. */
  const preference = traced("Inbox.preference")(function* (item: InboxItem, now: number) {
    const told = inboundPreference(part(item, "preference"))
    if (told === undefined) return yield* inbox.settle(item, Effect.void, now)
    const { organizationId } = item
    const contact = yield* contacts.identify(organizationId, channel, told.person)
    const entry = {
      action: told.wanted ? ("granted" as const) : ("withdrawn" as const),
      at: new Date(told.at ?? now).toISOString(),
      source: `channel preference ${item.id}`,
      text: told.text,
      recordedBy: "system"
    }
    yield* inbox.settle(item, consents.record(organizationId, contact.id, entry), now)
  })

  /** A template changed: reads all templates from the channel again. When the channel refuses the list, the hourly sync tries again. */
  const template = traced("Inbox.template")(function* (item: InboxItem, now: number) {
    yield* Effect.catchTag(syncTemplates(item.organizationId), "TemplatesNotListed", (error) =>
      error.refused ? Effect.void : Effect.fail(error)
    )
    yield* inbox.settle(item, Effect.void, now)
  })

  const other = traced("Inbox.other")(function* (item: InboxItem, now: number) {
    const field = textOf(payloadOf(item).field)
    yield* Effect.logInfo("the messaging channel told something that nobody here acts on", {
      organizationId: item.organizationId,
      field
    })
    yield* inbox.settle(item, Effect.void, now)
  })

  return { status, identity, preference, template, other }
})

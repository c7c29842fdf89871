/**
 * Use case: remind a customer of an abandoned cart by a template message with the link to go on. Only where the store's connection names a template, only
 * customers who have agreed to messages, only while the organization is open, once for each cart, and at most once a day for each customer.
 */
import { Clock, Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { type Cart, Carts } from "../../business/carts/Cart.ts"
import { decimalAmount } from "../../business/records/Money.ts"
import { makeSendMessage } from "../../messaging/sending/SendMessage.ts"
import { makeLinkTemplate } from "../../messaging/templates/LinkTemplate.ts"
import { Operation } from "../../people/access/Idempotency.ts"
import { Contacts } from "../../people/contacts/Contact.ts"
import { openingState } from "../../people/organizations/BusinessHours.ts"
import { Organizations, planRefusal } from "../../people/organizations/Organization.ts"
import { AppConnections } from "../AppConnection.ts"
import { rowOf } from "../Catalogue.ts"
import { reminderOf, storeSourceOf } from "./Stores.ts"

const dayMs = 86_400_000
/** Nobody wants to be reminded of a cart from before. */
const longestMs = 3 * dayMs
const againMs = 5 * 60_000

/** What became of a reminder: it was sent, it waits until a time (Unix milliseconds), or there is none, and why. */
type Outcome = { readonly sent: true } | { readonly waitUntil: number } | { readonly none: string }

const whatOf = ({ lines: [first, ...rest], total, currency }: Cart): string => {
  const more = rest.length === 0 ? "" : ` and ${rest.length} more`
  return `${first?.name ?? "your cart"}${more}, ${decimalAmount(total, currency)} ${currency}`.slice(0, 500)
}

/** Needs Carts, Contacts, Organizations, AppConnections, Templates and what `makeSendMessage` needs once; the function it gives needs nothing. */
export const makeRemindOfCart = Effect.gen(function* () {
  const carts = yield* Carts
  const contacts = yield* Contacts
  const organizations = yield* Organizations
  const connections = yield* AppConnections
  const templateOf = yield* makeLinkTemplate
  const send = yield* makeSendMessage

  /** The connection of the store of a cart, if it reminds. */
  const storeOf = Effect.fnUntraced(function* ({ organizationId, source }: Cart) {
    for (const [provider, { id, enabled, settings }] of yield* connections.list(organizationId)) {
      const template = reminderOf(settings)
      if (enabled && template !== undefined && storeSourceOf({ provider, settings }) === source)
        return { id, provider, template }
    }
    return undefined
  })

  const attempt = Effect.fnUntraced(function* (cart: Cart, now: number): Effect.fn.Return<Outcome> {
    const { organizationId, contactId, recoveryUrl, abandonedAt } = cart
    const store = yield* storeOf(cart)
    if (store === undefined || contactId === null || recoveryUrl === null) return { none: "nobody is to be reminded" }
    if (now - Date.parse(abandonedAt ?? "") > longestMs) return { none: "it is too late" }
    const organization = yield* organizations.find(organizationId)
    if (organization === undefined || planRefusal(rowOf(store.provider).feature, organization) !== undefined)
      return { none: "the plan has no integrations" }
    const contact = yield* contacts.find(organizationId, contactId)
    if (contact?.optedIn !== true) return { none: "the customer has not agreed to messages" }
    const { open, opensAt } = openingState(organization.businessHours, organization.timeZone, now)
    if (!open) return opensAt === null ? { none: "the organization does not open" } : { waitUntil: Date.parse(opensAt) }
    const last = yield* carts.lastReminder(organizationId, contactId)
    if (last !== undefined && now - last < dayMs) return { waitUntil: last + dayMs }
    const body = yield* templateOf(organizationId, store.template, whatOf(cart), recoveryUrl)
    // The id of the message comes from the cart: a reminder that was sent before a crash is not sent again.
    return yield* send({ organizationId, to: { contactId }, body, sentBy: store.id }).pipe(
      Effect.provideService(Operation, cart.id),
      Effect.as({ sent: true } as const),
      Effect.catch((error) =>
        Effect.succeed<Outcome>(
          error._tag === "TooManySends" || error._tag === "ConversationBusy"
            ? { waitUntil: now + againMs }
            : { none: error.message }
        )
      )
    )
  })

  return traced("RemindOfCart.remind")(function* (cart: Cart) {
    const now = yield* Clock.currentTimeMillis
    const { organizationId, id } = cart
    const outcome = yield* attempt(cart, now)
    if ("none" in outcome)
      yield* Effect.logDebug("a cart is not reminded of", { organizationId, id, reason: outcome.none })
    const nextAt = "waitUntil" in outcome ? outcome.waitUntil : null
    yield* carts.reminded(organizationId, id, { nextAt, sentAt: "sent" in outcome ? now : null })
  })
})

/**
 * Use case: ask for a payment, for the REST interface, assistants and agents. The link is stored before the provider is asked, under an id that is the
 * same in each attempt: so a repeated request makes no second link.
 */
import { Clock, Data, Effect, Schema } from "effect"
import { Instant } from "../basics/Calendar.ts"
import { exampleIds } from "../basics/Examples.ts"
import { oneLine, plainText } from "../basics/PlainText.ts"
import { traced } from "../basics/Traced.ts"
import { Orders } from "../business/orders/Order.ts"
import type { AskedLink } from "../business/payments/PaymentNews.ts"
import { amountForm, amountOf, Currency, decimalAmount } from "../business/records/Money.ts"
import { Audit } from "../people/access/Audit.ts"
import { idOfOperation, Operation } from "../people/access/Idempotency.ts"
import { type Contact, Contacts } from "../people/contacts/Contact.ts"
import { makePlanRefusal } from "../people/organizations/PlanGate.ts"
import { InvalidPaymentLink, PaymentLinks, PaymentProvider, type StoredPaymentLink } from "./PaymentLink.ts"
import { makePaymentProviders, PaymentUnavailable } from "./PaymentProviders.ts"

const minute = 60_000
/** How long a link can be paid: by itself, at least and at most. Milliseconds. */
export const linkLifetime = { usual: 7 * 24 * 60 * minute, least: 30 * minute, most: 90 * 24 * 60 * minute }

const Reference = Schema.NullOr(oneLine(60))

export const PaymentLinkInput = Schema.Struct({
  /** A decimal with the currency's own number of decimals: "24.99" USD, "2499" JPY. Left out, it is the order's total. */
  amount: Schema.optionalKey(oneLine(20)),
  /** Left out, it is the order's. */
  currency: Schema.optionalKey(Currency),
  /** Whoever pays reads it. */
  description: Schema.optionalKey(plainText(200)),
  contactId: Schema.optionalKey(Reference),
  orderId: Schema.optionalKey(Reference),
  conversationId: Schema.optionalKey(Reference),
  /** When it cannot be paid any more: 30 minutes to 90 days from now. By itself after 7 days. */
  expiresAt: Schema.optionalKey(Instant),
  provider: Schema.optionalKey(PaymentProvider)
}).annotate({
  title: "NewPaymentLink",
  examples: [{ amount: "59.23", currency: "USD", description: "Order 427", contactId: exampleIds.contact }]
})
export type PaymentLinkInput = typeof PaymentLinkInput.Type

export interface Asker {
  /** Id of a person, an API key or an AI agent. */
  readonly createdBy: string
  /** The call in which it is asked for. */
  readonly callId: string | null
  /** The same for each attempt of what cannot be told apart otherwise: the id of the link. */
  readonly id?: string
}

/** 403: the plan has no payment links. */
export class PaymentsNotAllowed extends Data.TaggedError("PaymentsNotAllowed")<{ readonly message: string }> {}

/** Where the link is paid when the provider has no page of its own. */
export const pageOf = (publicBaseUrl: string, id: string) => `${publicBaseUrl}/pay/${id}`

/** What a provider is asked for. */
export const askedLink = (
  { id, amount, currency, description, expiresAt, attempts }: StoredPaymentLink,
  contact: Pick<Contact, "name" | "phone" | "email"> | undefined,
  publicBaseUrl: string
): AskedLink => ({
  ...{ reference: id, amount, currency, description, expiresAt, attempts },
  customer: contact === undefined ? null : { name: contact.name, phone: contact.phone, email: contact.email },
  pageUrl: pageOf(publicBaseUrl, id)
})

/** Needs the services it yields, and what `makePaymentProviders` needs, once; the function it gives needs nothing. */
export const makeCreatePaymentLink = Effect.fnUntraced(function* (publicBaseUrl: string) {
  const links = yield* PaymentLinks
  const orders = yield* Orders
  const contacts = yield* Contacts
  const refusalOf = yield* makePlanRefusal
  const audit = yield* Audit
  const providers = yield* makePaymentProviders

  const allowed = Effect.fnUntraced(function* (organizationId: string) {
    const refusal = yield* refusalOf(organizationId, "integrations")
    if (refusal !== undefined) return yield* new PaymentsNotAllowed({ message: refusal })
  })

  const invalid = (message: string) => Effect.fail(new InvalidPaymentLink({ message }))

  /** What is asked for: as it is said, or as the order says it. */
  const sum = Effect.fnUntraced(function* (organizationId: string, input: PaymentLinkInput) {
    const { orderId = null } = input
    const order = orderId === null ? undefined : yield* orders.find(organizationId, orderId)
    if (orderId !== null && order === undefined) return yield* invalid(`There is no order ${orderId}.`)
    const currency = input.currency ?? order?.currency
    if (currency === undefined) return yield* invalid("currency is required, unless the order says it.")
    if (input.amount === undefined && (order === undefined || order.currency !== currency))
      return yield* invalid("amount is required, unless an order of this currency says it.")
    const amount = input.amount === undefined ? (order?.total ?? 0) : amountOf(input.amount, currency)
    if (amount === undefined) return yield* invalid(`amount is invalid: it must be ${amountForm(currency)}.`)
    if (amount === 0) return yield* invalid("amount is invalid: it must be more than 0.")
    const description = input.description ?? (order === undefined ? undefined : `Order ${order.number}`)
    if (description === undefined)
      return yield* invalid("description is required, unless an order says what it is for.")
    return { amount, currency, description, orderId, contactId: input.contactId ?? order?.contactId ?? null }
  })

  const expiry = (expiresAt: string | undefined, now: number) => {
    const at = expiresAt === undefined ? now + linkLifetime.usual : Date.parse(expiresAt)
    return at >= now + linkLifetime.least && at <= now + linkLifetime.most
      ? Effect.succeed(at)
      : invalid("expiresAt is invalid: it must be 30 minutes to 90 days from now.")
  }

  /** Has the provider make a link that is stored. */
  const make = Effect.fnUntraced(function* (link: StoredPaymentLink, now: number) {
    const { organizationId, id, provider, contactId, amount, currency } = link
    const { payments, asked } = yield* providers.connection(organizationId, provider)
    const contact = contactId === null ? undefined : yield* contacts.find(organizationId, contactId)
    const wanted = askedLink(link, contact, publicBaseUrl)
    const made = yield* asked((session) => payments.create(session, wanted, now)).pipe(
      Effect.tapErrorTag("PaymentRefused", () => links.drop(organizationId, id))
    )
    const { currency: _, ...told } = {
      currency,
      provider,
      amount: decimalAmount(amount, currency),
      orderId: link.orderId
    }
    return yield* audit.recorded(organizationId, links.made(organizationId, id, made, now), () => ({
      action: "payment_link.created",
      subjectId: id,
      after: { ...told, currency }
    }))
  })

  return traced("CreatePaymentLink")(function* (organizationId: string, input: PaymentLinkInput, asker: Asker) {
    yield* allowed(organizationId)
    const now = yield* Clock.currentTimeMillis
    const id = asker.id ?? idOfOperation("pay", yield* Operation, now)
    const before = yield* links.find(organizationId, id)
    if (before !== undefined && before.made !== null) return before
    yield* links.named(organizationId, input)
    const what = yield* sum(organizationId, input)
    const expiresAt = yield* expiry(input.expiresAt, now)
    const provider = yield* providers.choose(organizationId, input.provider)
    const { payments } = yield* providers.connection(organizationId, provider)
    const problem = payments.problem({ ...what, lifetimeMs: expiresAt - now })
    if (problem !== undefined) return yield* invalid(problem)
    const { createdBy, callId } = asker
    const made = { id, provider, ...what, conversationId: input.conversationId ?? null, callId, createdBy, expiresAt }
    const link = yield* make(yield* links.begin(organizationId, made, now), now)
    return link ?? (yield* new PaymentUnavailable({ message: "The payment link was removed meanwhile." }))
  })
})

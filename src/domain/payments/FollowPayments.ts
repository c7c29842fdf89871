/**
 * Use cases about links that there are: ask the provider what it knows, close one that is over, cancel one. A payment that no webhook has told is found
 * here.
 */
import { Clock, Data, Effect } from "effect"
import { traced } from "../basics/Traced.ts"
import type { PaymentNews } from "../business/payments/PaymentNews.ts"
import { Audit } from "../people/access/Audit.ts"
import { PaymentLinks, type StoredPaymentLink } from "./PaymentLink.ts"
import { makePaymentProviders } from "./PaymentProviders.ts"
import { isPending, nextAskAt } from "./PaymentState.ts"

/** 404: the organization has no such link. */
export class PaymentLinkNotFound extends Data.TaggedError("PaymentLinkNotFound") {}
/** 409: the link was paid already. */
export class PaymentLinkPaid extends Data.TaggedError("PaymentLinkPaid")<{ readonly message: string }> {}

/** A link that the provider has not made after this time is forgotten: nobody has its address. Milliseconds. */
const forgottenAfterMs = 3_600_000

/** Whether a link can be paid at this time. */
export const isPayable = ({ facts, expiresAt }: StoredPaymentLink, now: number) => {
  const { paid, canceledAt, expiredAt } = facts
  return paid === null && !isPending(facts) && canceledAt === null && expiredAt === null && now < expiresAt
}

/** Needs PaymentLinks, Audit and what `makePaymentProviders` needs once; the functions it gives need nothing. */
export const makeFollowPayments = Effect.gen(function* () {
  const links = yield* PaymentLinks
  const audit = yield* Audit
  const providers = yield* makePaymentProviders

  const absorb = (link: StoredPaymentLink, news: PaymentNews, now: number) =>
    Effect.map(
      links.absorb(link.organizationId, link.provider, { ...news, reference: link.id }, now),
      (after) => after ?? link
    )

  /** What the provider knows, joined with what we know. With `closing` nobody can pay any more before it is asked. */
  const refreshed = Effect.fnUntraced(function* (link: StoredPaymentLink, closing: boolean, now: number) {
    if (link.made === null) return link
    const { payments, asked } = yield* providers.connection(link.organizationId, link.provider)
    const { id: reference, amount, currency, attempts, made } = link
    const isOpen = !closing && isPayable(link, now)
    const known = { reference, externalId: made.externalId, amount, currency, attempts, isOpen }
    if (closing) yield* asked((session) => payments.close(session, known, now))
    return yield* absorb(link, yield* asked((session) => payments.ask(session, known, now)), now)
  })

  /** Asks about a claimed link, and says when to ask again. Never fails: what could not be asked is asked later. */
  const follow = traced("FollowPayments.follow")(function* (link: StoredPaymentLink) {
    const { organizationId, id, createdAt, expiresAt } = link
    const now = yield* Clock.currentTimeMillis
    if (link.made === null) {
      if (now - createdAt > forgottenAfterMs) return yield* links.drop(organizationId, id)
      return yield* links.asked(organizationId, id, createdAt + forgottenAfterMs + 1)
    }
    const over = link.facts.paid === null && link.facts.canceledAt === null && now >= expiresAt
    const ending = over && link.facts.expiredAt === null
    const attempt = Effect.gen(function* () {
      const after = yield* refreshed(link, ending, now)
      if (!ending || after.facts.paid !== null) return after
      return yield* absorb(after, { reference: id, expiredAt: expiresAt }, now)
    })
    const after = yield* Effect.catch(attempt, ({ message }) =>
      Effect.as(Effect.logWarning("a payment could not be asked about", { organizationId, id, reason: message }), link)
    )
    yield* links.asked(organizationId, id, nextAskAt({ ...after, createdAt, expiresAt, asks: link.asks }, now))
  })

  /** Cancels a link, so that nobody can pay by it. One that was canceled or has expired stays as it is. */
  const cancel = traced("FollowPayments.cancel")(function* (organizationId: string, id: string) {
    const link = yield* links.find(organizationId, id)
    if (link === undefined || link.made === null) return yield* new PaymentLinkNotFound()
    const now = yield* Clock.currentTimeMillis
    const { facts } = link
    if (facts.paid === null && (facts.canceledAt !== null || facts.expiredAt !== null)) return link
    const after = facts.paid === null ? yield* refreshed(link, true, now) : link
    if (after.facts.paid !== null)
      return yield* new PaymentLinkPaid({ message: "This link was paid already, so it cannot be canceled." })
    return yield* audit.recorded(organizationId, absorb(after, { reference: id, canceledAt: now }, now), () => ({
      action: "payment_link.canceled",
      subjectId: id
    }))
  })

  /** Asks about a link that can be paid at once, because somebody waits for what comes of it. */
  const ask = traced("FollowPayments.ask")(function* (link: StoredPaymentLink) {
    return yield* refreshed(link, false, yield* Clock.currentTimeMillis)
  })

  return { follow, cancel, ask }
})

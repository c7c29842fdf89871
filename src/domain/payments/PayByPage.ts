/**
 * Use cases of our page for a payment link, at a provider that has no lasting page of its own. Anybody who has the address sees it: it names the organization,
 * the amount and what it is for, and nobody.
 */
import { Clock, Effect } from "effect"
import { traced } from "../basics/Traced.ts"
import { Organizations } from "../people/organizations/Organization.ts"
import { askedLink, pageOf } from "./CreatePaymentLink.ts"
import { isPayable, makeFollowPayments, PaymentLinkNotFound } from "./FollowPayments.ts"
import { PaymentLinks, type StoredPaymentLink } from "./PaymentLink.ts"
import { makePaymentProviders, PaymentRefused } from "./PaymentProviders.ts"

const idForm = /^pay_[0-9A-HJKMNP-TV-Z]{26}$/
/** So often a payment can be begun on the page of a link. */
const mostAttempts = 20

/** Needs Organizations and what `makeFollowPayments` needs once; the functions it gives need nothing. */
export const makePayByPage = Effect.fnUntraced(function* (publicBaseUrl: string) {
  const links = yield* PaymentLinks
  const organizations = yield* Organizations
  const providers = yield* makePaymentProviders
  const { ask } = yield* makeFollowPayments

  const found = Effect.fnUntraced(function* (id: string) {
    const link = idForm.test(id) ? yield* links.ofPage(id) : undefined
    // Other links are paid at their provider.
    return link?.made?.url === pageOf(publicBaseUrl, id) ? link : yield* new PaymentLinkNotFound()
  })

  const shown = Effect.fnUntraced(function* (link: StoredPaymentLink) {
    const organization = yield* organizations.find(link.organizationId)
    if (organization === undefined) return yield* new PaymentLinkNotFound()
    const isOpen = isPayable(link, yield* Clock.currentTimeMillis)
    return { link: link.shown, isOpen, payee: organization.name }
  })

  /** The link as it is. */
  const show = traced("PayByPage.show")((id: string) => Effect.flatMap(found(id), shown))

  /** Begins a payment, and gives where the payer goes on; undefined when the link cannot be paid, or was paid meanwhile. */
  const begin = traced("PayByPage.begin")(function* (id: string) {
    const before = yield* found(id)
    const now = yield* Clock.currentTimeMillis
    if (!isPayable(before, now)) return undefined
    // Somebody may have agreed to pay and never come back.
    const link = before.attempts.length === 0 ? before : yield* ask(before)
    if (!isPayable(link, now)) return undefined
    if (link.attempts.length >= mostAttempts)
      return yield* new PaymentRefused({ message: "A payment was begun too often by this link. Ask for a new one." })
    const { payments, asked } = yield* providers.connection(link.organizationId, link.provider)
    const { begin } = payments
    if (begin === undefined) return yield* new PaymentLinkNotFound()
    const { attempt, url } = yield* asked((session) => begin(session, askedLink(link, undefined, publicBaseUrl), now))
    yield* links.began(link.organizationId, id, attempt)
    return url
  })

  /** The payer comes back from the provider with the id of a payment that was begun: the money is taken, if the payer has agreed. */
  const returned = traced("PayByPage.returned")(function* (id: string, attempt: string) {
    const link = yield* found(id)
    const isOurs = link.attempts.includes(attempt) && isPayable(link, yield* Clock.currentTimeMillis)
    return yield* shown(isOurs ? yield* ask(link) : link)
  })

  return { show, begin, returned }
})

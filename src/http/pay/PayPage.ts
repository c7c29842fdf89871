/** The page of a payment link, as whoever pays sees it. */
import type { PaymentLink } from "../../domain/payments/PaymentLink.ts"
import { html, nothing, page } from "../wire/pages/Page.ts"

export interface PayPageOptions {
  readonly link: PaymentLink
  /** Whether it can be paid now. */
  readonly isOpen: boolean
  /** The organization that gets the money. */
  readonly payee: string
  /** The name of the payment provider. */
  readonly provider: string
}

const stateOf = ({ status, paidAmount, currency }: PaymentLink, payee: string) => {
  if (paidAmount !== null)
    return status === "refunded" || status === "partially_refunded"
      ? html`<p><strong>This was paid, and money was given back.</strong></p>`
      : html`<p><strong>Paid: ${paidAmount} ${currency}. Thank you.</strong></p>
<p class="soft">You can close this window.</p>`
  if (status === "pending")
    return html`<p><strong>Your payment has come and is being checked. That may take some days.</strong></p>
<p class="soft">You can close this window.</p>`
  return html`<p class="warn">This link cannot be paid any more. Ask ${payee} for a new one.</p>`
}

export const payPage = ({ link, isOpen, payee, provider }: PayPageOptions) => {
  const { id, amount, currency, description, failureReason, live } = link
  const failed =
    isOpen && failureReason !== null
      ? html`<p class="bad" role="alert">The last attempt did not go through. You can try it again.</p>`
      : nothing
  const test = live ? nothing : html`<p class="warn">This is a test: no money moves.</p>`
  const action = isOpen
    ? html`<form method="post" action="/pay/${id}"><div class="row"><button class="main" type="submit">Pay with ${provider}</button></div></form>`
    : stateOf(link, payee)
  return page({
    status: 200,
    title: `${amount} ${currency} to ${payee}`,
    // The form leads to the provider's page.
    formTargets: "https:",
    body: html`<h1>${amount} ${currency}</h1>
<dl>
<dt>To</dt><dd>${payee}</dd>
<dt>For</dt><dd>${description}</dd>
</dl>
${test}${failed}
${action}`
  })
}

/** What is said of a payment: in its conversation, for people; and to the agent of a call, which tells the caller. */
import type { PaymentLink } from "./PaymentLink.ts"
import type { PaymentHappening } from "./PaymentState.ts"

const sumOf = ({ amount, currency }: PaymentLink) => `${amount} ${currency}`

/** A note for people. */
export const happeningText = (happened: PaymentHappening, link: PaymentLink): string => {
  const { description, paidAmount, refundedAmount, currency, failureReason, dispute, provider } = link
  switch (happened) {
    case "completed":
      return `Paid: ${paidAmount} ${currency} for "${description}" (${provider}).`
    case "failed":
      return `A payment of ${sumOf(link)} for "${description}" failed: ${failureReason}`
    case "expired":
      return `The payment link for ${sumOf(link)}, "${description}", has expired without a payment.`
    case "canceled":
      return `The payment link for ${sumOf(link)}, "${description}", was canceled.`
    case "refunded":
      return `Refunded: ${refundedAmount} of ${paidAmount} ${currency} for "${description}".`
    case "disputed":
      return dispute === "open"
        ? `The payer objects to the payment of ${paidAmount} ${currency} for "${description}".`
        : `The dispute about ${paidAmount} ${currency} for "${description}" was ${dispute}.`
  }
}

/** A sentence for the agent in a call that asked for the payment. */
export const noticeText = (happened: "completed" | "failed", link: PaymentLink): string =>
  happened === "completed"
    ? `The payment link for ${sumOf(link)} (${link.description}) has just been paid.`
    : `An attempt to pay the link for ${sumOf(link)} (${link.description}) failed. The link can be tried again.`

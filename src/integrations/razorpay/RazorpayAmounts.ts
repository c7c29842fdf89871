/**
 * Amounts as Razorpay writes them: in the smallest unit of the currency, as ours are, but of currencies with three decimals only in steps of ten
 * (https://razorpay.com/docs/payments/international-payments).
 */
import { decimalsOf } from "../../domain/business/records/Money.ts"

/** Whether Razorpay can ask for the amount. */
export const canAsk = (amount: number, currency: string): boolean => decimalsOf(currency) < 3 || amount % 10 === 0

/**
 * What a provider tells us of its records, in the words of ours: what webhooks and pulled pages become. Amounts are integers of the smallest unit of their
 * currency (ISO 4217, upper case). Phone numbers are as the provider spells them. Times are Unix milliseconds.
 */
import type { PaymentNews } from "../business/payments/PaymentNews.ts"
import type { ChatRecord } from "../messaging/channel/ChatRecord.ts"
import type { ContactFields } from "./ContactFields.ts"

interface Told {
  /** The provider's id of the record. */
  readonly externalId: string
  /** When it changed there: an older state never overwrites a newer one. */
  readonly updatedAt: number
}

/** A person in a CRM or a database of notes. Fields that are absent are not told; null or empty: it has none. */
export interface ContactRecord extends Told {
  readonly _tag: "contact"
  readonly fields: Partial<ContactFields>
  /** It says nothing by which a contact could be found or made: it changes a contact that is linked, and no other. */
  readonly onlyLinked?: boolean
}

/** A customer of a store. */
export interface CustomerRecord extends Told {
  readonly _tag: "customer"
  readonly name: string | null
  readonly phone: string | null
  readonly email: string | null
  readonly tags: ReadonlyArray<string>
}

export interface ProductRecord extends Told {
  readonly _tag: "product"
  readonly name: string
  readonly sku: string | null
  readonly description: string | null
  readonly price: { readonly amount: number; readonly currency: string } | null
  /** How many there are; null: it is not counted. */
  readonly stock: number | null
}

export interface LineRecord {
  /** The provider's id of the product, as `ProductRecord` has it. */
  readonly productExternalId: string | null
  readonly sku: string | null
  readonly name: string
  readonly quantity: number
  /** For one, without tax. */
  readonly unitPrice: number
  /** For the whole line. */
  readonly tax: number
}

/** Who ordered, as the order itself says it: the customer need not be known yet. */
export type BuyerRecord = Pick<CustomerRecord, "name" | "phone" | "email"> & {
  readonly externalId: string | null
}

export interface OrderRecord extends Told {
  readonly _tag: "order"
  readonly number: string
  readonly status: "pending" | "paid" | "fulfilled" | "canceled" | "refunded"
  readonly buyer: BuyerRecord | null
  /** The checkout that it came from. */
  readonly checkoutExternalId: string | null
  readonly currency: string
  readonly lines: ReadonlyArray<LineRecord>
  /** The sums as the provider says them, whatever the lines add up to. */
  readonly subtotal: number
  readonly tax: number
  readonly discount: number
  readonly shipping: number
  readonly total: number
  readonly notes: string | null
  readonly placedAt: number
  readonly paidAt: number | null
}

/** A cart on its way to an order. */
export interface CheckoutRecord extends Told {
  readonly _tag: "checkout"
  readonly buyer: BuyerRecord | null
  readonly currency: string
  readonly lines: ReadonlyArray<LineRecord>
  readonly total: number
  /** Where the customer can go on with it. */
  readonly recoveryUrl: string | null
  readonly startedAt: number
  /** When it became an order. */
  readonly completedAt: number | null
}

/** What a provider says of the payment by a link of ours. */
export interface PaymentRecord extends Told, PaymentNews {
  readonly _tag: "payment"
}

export interface AppRecordTags {
  readonly contact: ContactRecord
  readonly customer: CustomerRecord
  readonly product: ProductRecord
  readonly order: OrderRecord
  readonly checkout: CheckoutRecord
  readonly payment: PaymentRecord
  readonly chat: ChatRecord
}
export type AppRecordTag = keyof AppRecordTags

export const appRecordTags = [
  "contact",
  "customer",
  "product",
  "order",
  "checkout",
  "payment",
  "chat"
] as const satisfies ReadonlyArray<AppRecordTag>

/** A record that the provider has no longer. */
export interface RemovedRecord extends Told {
  readonly _tag: "removed"
  readonly what: AppRecordTag
}

export type AppRecord = AppRecordTags[AppRecordTag] | RemovedRecord

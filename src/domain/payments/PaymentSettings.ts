/** How an organization asks for payments: by which of its providers, and with which template a link is sent to somebody who has not written of late. */
import { Context, type Effect, Schema } from "effect"
import { plainText } from "../basics/PlainText.ts"
import { PaymentProvider } from "./PaymentLink.ts"

/** An approved template whose body has one placeholder, the link; or two: what it is for, and the link. */
const LinkTemplateSetting = Schema.Struct({ name: plainText(512), language: plainText(20) })

export const PaymentSettings = Schema.Struct({
  /** The provider of links that name none; null: the one that is connected, or was connected first. */
  provider: Schema.NullOr(PaymentProvider),
  template: Schema.NullOr(LinkTemplateSetting)
}).annotate({
  title: "PaymentSettings",
  examples: [{ provider: "stripe", template: { name: "payment_link", language: "en_US" } }]
})
export type PaymentSettings = typeof PaymentSettings.Type

export const noPaymentSettings: PaymentSettings = { provider: null, template: null }

/** Port of the stored settings. */
export class PaymentSettingsStore extends Context.Service<
  PaymentSettingsStore,
  {
    readonly get: (organizationId: string) => Effect.Effect<PaymentSettings>
    readonly put: (organizationId: string, settings: PaymentSettings) => Effect.Effect<PaymentSettings>
  }
>()("parley/domain/PaymentSettingsStore") {}

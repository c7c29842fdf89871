/** `/api/payment-settings`: by which provider payments are asked for. Set up in the dashboard. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PaymentProvider } from "../../../domain/payments/PaymentLink.ts"
import { PaymentSettings } from "../../../domain/payments/PaymentSettings.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"

const ShownSettings = Schema.Struct({
  ...PaymentSettings.fields,
  /** The providers that are connected and switched on. */
  connected: Schema.Array(
    Schema.Struct({
      provider: PaymentProvider,
      title: Schema.String,
      account: Schema.String,
      /** False: it has credentials for tests, and no money moves. */
      live: Schema.Boolean
    })
  )
}).annotate({
  title: "ShownPaymentSettings",
  examples: [
    {
      provider: "stripe",
      template: { name: "payment_link", language: "en_US" },
      connected: [{ provider: "stripe", title: "Stripe", account: "Maple Books (live)", live: true }]
    }
  ]
})

export class PaymentSettingsGroup extends HttpApiGroup.make("paymentSettings")
  .add(
    HttpApiEndpoint.get("get", "/", { success: ShownSettings, error: Forbidden }).annotateMerge(
      OpenApi.annotations({
        summary: "How payments are asked for",
        description: "`live` says whether money moves. Scope `admin`."
      })
    ),
    HttpApiEndpoint.put("put", "/", {
      payload: PaymentSettings,
      success: ShownSettings,
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change how payments are asked for",
        description:
          "`provider`: the one of links that name none; null: the one that was connected first. `template`: an approved template by which agents of calls " +
          "send a link to somebody who has not written in the last 24 hours; its body has one placeholder, the link, or two, what it is for and the " +
          "link. Scope `admin`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/payment-settings") {}

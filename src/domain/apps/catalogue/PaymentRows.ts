/** The payment providers in the catalogue of integrations. */
import type { CatalogueRow } from "./CatalogueRow.ts"

export const stripe = {
  kind: "payments",
  title: "Stripe",
  feature: "integrations",
  fields: [
    {
      name: "secretKey",
      type: "secret",
      label: "Secret key",
      help: "Developers, API keys: sk_live_… or sk_test_…, or a restricted key (rk_…) that may write payment links and read Checkout Sessions.",
      required: true
    },
    {
      name: "webhookSecret",
      type: "secret",
      label: "Signing secret of the webhook",
      help: "whsec_…, of the endpoint that you made with this connection's webhook address.",
      required: false
    }
  ]
} as const satisfies CatalogueRow

export const razorpay = {
  kind: "payments",
  title: "Razorpay",
  feature: "integrations",
  fields: [
    {
      name: "keyId",
      type: "secret",
      label: "Key id",
      help: "Account & Settings, API keys: rzp_live_… or rzp_test_….",
      required: true
    },
    {
      name: "keySecret",
      type: "secret",
      label: "Key secret",
      help: "It is shown once, when the key is made.",
      required: true
    },
    {
      name: "webhookSecret",
      type: "secret",
      label: "Secret of the webhook",
      help: "The one that you entered with this connection's webhook address: Account & Settings, Webhooks.",
      required: false
    }
  ]
} as const satisfies CatalogueRow

export const paypal = {
  kind: "payments",
  title: "PayPal",
  feature: "integrations",
  fields: [
    {
      name: "clientId",
      type: "secret",
      label: "Client id",
      help: "developer.paypal.com, Apps & Credentials: that of an app.",
      required: true
    },
    {
      name: "clientSecret",
      type: "secret",
      label: "Client secret",
      help: "The secret of the same app.",
      required: true
    },
    {
      name: "sandbox",
      type: "boolean",
      label: "Sandbox",
      help: "true: the app is one of the sandbox, and no money moves.",
      required: false
    }
  ]
} as const satisfies CatalogueRow

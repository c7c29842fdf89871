/** The stores in the catalogue of integrations. */
import type { CatalogueRow } from "./CatalogueRow.ts"

const cartMinutes = {
  name: "cartMinutes",
  type: "text",
  label: "Minutes until a cart is abandoned",
  help: "A cart that has not changed for so long and is no order counts as abandoned. 60 without it.",
  required: false
} as const

const reminder = [
  {
    name: "reminderTemplate",
    type: "text",
    label: "Template of the cart reminder",
    help: "An approved template: its body has one placeholder, the link to go on, or two, what is in the cart and the link. Without it nobody is reminded.",
    required: false
  },
  {
    name: "reminderLanguage",
    type: "text",
    label: "Language of that template",
    help: "en_US without it.",
    required: false
  }
] as const

export const shopify = {
  kind: "store",
  title: "Shopify",
  feature: "integrations",
  fields: [
    {
      name: "shop",
      type: "text",
      label: "Shop",
      help: "The shop's own domain, like maple-books.myshopify.com.",
      required: true
    },
    {
      name: "clientId",
      type: "secret",
      label: "Client id",
      help: "That of an app of your organization in the Dev Dashboard, which is installed in the shop.",
      required: false
    },
    {
      name: "clientSecret",
      type: "secret",
      label: "Client secret",
      help: "It gives access for a day at a time, and signs the webhooks of the app.",
      required: false
    },
    {
      name: "accessToken",
      type: "secret",
      label: "Access token",
      help: "Only for an app from before 2026: the token that begins with shpat_, instead of client id and secret.",
      required: false
    },
    {
      name: "webhookSecret",
      type: "secret",
      label: "Secret of webhooks",
      help: "Only when a person registers the webhooks: Settings, Notifications, Webhooks shows it.",
      required: false
    },
    cartMinutes,
    ...reminder
  ]
} as const satisfies CatalogueRow

export const woocommerce = {
  kind: "store",
  title: "WooCommerce",
  feature: "integrations",
  fields: [
    { name: "url", type: "url", label: "Address", help: "The https address of the store.", required: true },
    {
      name: "consumerKey",
      type: "secret",
      label: "Consumer key",
      help: "WooCommerce, Settings, Advanced, REST API: a key that may read, or read and write.",
      required: true
    },
    {
      name: "consumerSecret",
      type: "secret",
      label: "Consumer secret",
      help: "It is shown once, with the key.",
      required: true
    },
    {
      name: "webhookSecret",
      type: "secret",
      label: "Secret of webhooks",
      help: "Only when a person registers the webhooks, because the key may not write.",
      required: false
    },
    cartMinutes,
    ...reminder
  ]
} as const satisfies CatalogueRow

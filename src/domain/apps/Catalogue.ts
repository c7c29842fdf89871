/**
 * The catalogue of integrations: what can be connected, what each needs, and what the plan must allow. A new integration is a row here, an adapter in
 * a folder of `integrations`, a simulator and a page of the documentation.
 */
import { Schema } from "effect"
import type { PlanFeature } from "../people/organizations/Organization.ts"

export const AppKind = Schema.Literals(["crm", "notes", "webhook", "store", "payments", "team_chat"])
export type AppKind = typeof AppKind.Type

/** `secret` is stored encrypted and never shown; a `mapping` gives our fields the names that the other side has for them. */
export const FieldType = Schema.Literals(["text", "url", "secret", "boolean", "mapping"])

/** What a person enters to connect. */
export const AppField = Schema.Struct({
  name: Schema.String,
  type: FieldType,
  label: Schema.String,
  /** Where to find it, and its form. */
  help: Schema.String,
  required: Schema.Boolean
}).annotate({
  title: "IntegrationField",
  examples: [
    { name: "url", type: "url", label: "Address", help: "An https address that takes POST requests.", required: true }
  ]
})
export type AppField = typeof AppField.Type

/** The names that the organization gives our fields. */
const mapping = (help: string) =>
  ({ name: "mapping", type: "mapping", label: "Names of fields", help, required: false }) as const

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

interface CatalogueRow {
  readonly kind: AppKind
  readonly title: string
  readonly feature: PlanFeature
  /** What a person enters. A provider of OAuth can be connected without secrets. */
  readonly fields: ReadonlyArray<AppField>
}

export const catalogue = {
  webhook: {
    kind: "webhook",
    title: "Webhook",
    feature: "integrations",
    fields: [
      {
        name: "url",
        type: "url",
        label: "Address",
        help: "An https address that takes POST requests.",
        required: true
      },
      {
        name: "signingSecret",
        type: "secret",
        label: "Signing secret",
        help: "whsec_ and 24 to 64 bytes in base64. Requests are signed with it, as Standard Webhooks describes.",
        required: true
      },
      mapping(
        "Gives fields of a contact (id, phone, name, email, tags, optedIn) other names. Without it they keep their own."
      )
    ]
  },
  hubspot: {
    kind: "crm",
    title: "HubSpot",
    feature: "integrations",
    fields: [
      {
        name: "accessToken",
        type: "secret",
        label: "Access token",
        help: "That of a private app: Settings, Integrations, Private Apps. Not needed when you authorize HubSpot.",
        required: false
      },
      mapping(
        "Gives fields of a contact other properties of HubSpot, e.g. tags: parley_tags. Without it phone, name and email are sent."
      )
    ]
  },
  stripe: {
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
  },
  razorpay: {
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
  },
  paypal: {
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
  },
  salesforce: {
    kind: "crm",
    title: "Salesforce",
    feature: "integrations",
    fields: [
      mapping(
        "Gives fields of a contact other fields of Contact, e.g. tags: Tags__c. Without it MobilePhone, Email, FirstName and LastName are written."
      ),
      {
        name: "externalIdField",
        type: "text",
        label: "External id field",
        help: "A text field of Contact that is unique and an external id, e.g. Parley_Id__c. It holds our id; contacts are then found by it first.",
        required: false
      }
    ]
  },
  shopify: {
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
  },
  woocommerce: {
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
  },
  zoho_crm: {
    kind: "crm",
    title: "Zoho CRM",
    feature: "integrations",
    fields: [
      mapping(
        "Gives fields of a contact other fields of Contacts by their API names, e.g. tags: Tag, which are the tags of Zoho and are kept the same on both sides. Without it Mobile, Email, First_Name and Last_Name are written."
      )
    ]
  },
  notion: {
    kind: "notes",
    title: "Notion",
    feature: "integrations",
    fields: [
      {
        name: "accessToken",
        type: "secret",
        label: "Secret",
        help: "That of an internal integration: ntn_…. Not needed when you authorize Notion.",
        required: false
      },
      {
        name: "database",
        type: "text",
        label: "Database of contacts",
        help: "Its address in Notion. The integration must be added to it (⋯, Connections). Without it no contacts are synced.",
        required: false
      },
      mapping(
        "Gives fields of a contact other properties, e.g. tags: Labels. Without it the name is the title, and number, address and tags go to the first property of their type."
      )
    ]
  }
} as const satisfies Readonly<Record<string, CatalogueRow>>

export type AppProvider = keyof typeof catalogue
export const appProviders = Object.keys(catalogue) as ReadonlyArray<AppProvider>

export const isAppProvider = (name: string): name is AppProvider => Object.hasOwn(catalogue, name)

/** The row of a provider, without the literal types of the table. */
export const rowOf = (provider: AppProvider): CatalogueRow => catalogue[provider]

/**
 * The catalogue of integrations: what can be connected, what each needs, and what the plan must allow. A new integration is a row here, an adapter in
 * a folder of `integrations`, a simulator and a page of the documentation.
 */
import type { CatalogueRow } from "./catalogue/CatalogueRow.ts"
import { paypal, razorpay, stripe } from "./catalogue/PaymentRows.ts"
import { shopify, woocommerce } from "./catalogue/StoreRows.ts"

/** The names that the organization gives our fields. */
const mapping = (help: string) =>
  ({ name: "mapping", type: "mapping", label: "Names of fields", help, required: false }) as const

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
        "Gives fields of a contact other properties of HubSpot, e.g. tags: parley_tags, which is kept the same on both sides. Without it phone, name and email are sent."
      )
    ]
  },
  stripe,
  razorpay,
  paypal,
  salesforce: {
    kind: "crm",
    title: "Salesforce",
    feature: "integrations",
    fields: [
      mapping(
        "Gives fields of a contact other fields of Contact, e.g. tags: Tags__c, which is kept the same on both sides. Without it MobilePhone, Email, FirstName and LastName are written."
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
  shopify,
  woocommerce,
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
  slack: { kind: "team_chat", title: "Slack", feature: "integrations", fields: [] },
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

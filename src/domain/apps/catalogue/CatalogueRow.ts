/** A row of the catalogue of integrations: what an integration is, what a person enters to connect it, and what the plan must allow. */
import { Schema } from "effect"
import type { PlanFeature } from "../../people/organizations/Organization.ts"

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

export interface CatalogueRow {
  readonly kind: AppKind
  readonly title: string
  readonly feature: PlanFeature
  /** What a person enters. A provider of OAuth can be connected without secrets. */
  readonly fields: ReadonlyArray<AppField>
}

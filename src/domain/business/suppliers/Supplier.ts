/** Suppliers: who an organization buys its products from. */
import { Context, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Records } from "../records/ModuleRecord.ts"
import { newPartnerFields, PartnerName, partnerFields } from "../records/Partner.ts"

export const Supplier = Schema.Struct(partnerFields).annotate({
  title: "Supplier",
  examples: [
    {
      id: exampleIds.supplier,
      organizationId: exampleIds.organization,
      name: "Paper Mill Press",
      phone: "+14155550180",
      email: "orders@mill.example.com",
      address: null,
      notes: "Delivers on Tuesdays.",
      customFields: {},
      source: null,
      archivedAt: null,
      createdAt: "2026-11-20T08:00:00.000Z",
      updatedAt: "2026-11-20T08:00:00.000Z"
    }
  ]
})
export type Supplier = typeof Supplier.Type

export const NewSupplier = Schema.Struct({ name: PartnerName, ...newPartnerFields }).annotate({
  title: "NewSupplier",
  examples: [{ name: "Paper Mill Press", email: "orders@mill.example.com", notes: "Delivers on Tuesdays." }]
})
export type NewSupplier = typeof NewSupplier.Type

export const SupplierChanges = Schema.Struct({
  name: Schema.optionalKey(PartnerName),
  ...newPartnerFields
}).annotate({ title: "SupplierChanges", examples: [{ phone: "+14155550181" }] })
export type SupplierChanges = typeof SupplierChanges.Type

export class Suppliers extends Context.Service<Suppliers, Records<Supplier, NewSupplier, SupplierChanges>>()(
  "parley/domain/Suppliers"
) {}

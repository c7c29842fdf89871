/** Suppliers in Postgres. */
import { Effect, Layer } from "effect"
import {
  type NewSupplier,
  Supplier,
  type SupplierChanges,
  Suppliers
} from "../../../domain/business/suppliers/Supplier.ts"
import { searchable } from "../../../domain/people/contacts/Contact.ts"
import { makeModuleRecords } from "./ModuleRecords.ts"
import type { ModuleTable } from "./ModuleTable.ts"
import { partnerColumns, partnerOf } from "./PartnerRows.ts"

const suppliers: ModuleTable<Supplier, NewSupplier, SupplierChanges> = {
  module: "suppliers",
  prefix: "sup",
  fields: (_sql, _organizationId, input, before) => Effect.succeed(partnerOf(input, before)),
  columns: (_, supplier) => partnerColumns(supplier),
  unique: ({ name }) => ({ key: searchable(name), has: `the name ${name}` }),
  keyOf: searchable,
  adopts: true,
  texts: ({ name, phone, email }) => [name, phone, email],
  filters: {},
  read: ({ name, phone, email, address, notes }) => ({ name, phone, email, address, notes })
}

export const layer = Layer.effect(Suppliers, makeModuleRecords(Supplier, suppliers))

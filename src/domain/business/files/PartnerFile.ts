/** Files of companies and suppliers. */
import { searchable } from "../../people/contacts/Contact.ts"
import { type Company, NewCompany } from "../companies/Company.ts"
import { NewSupplier, type Supplier } from "../suppliers/Supplier.ts"
import type { FileColumn, ModuleFile, Reference } from "./ModuleFile.ts"
import { type Cells, listIn } from "./RowText.ts"

type Partner = Pick<Supplier, "name" | "phone" | "email" | "address" | "notes">

const columns = (...names: ReadonlyArray<string>): ReadonlyArray<FileColumn<Partner>> => [
  { field: "name", required: true, names: ["name", ...names], write: ({ name }) => name },
  { field: "phone", names: ["phone", "phonenumber", "telephone", "tel"], write: ({ phone }) => phone },
  { field: "email", names: ["email", "emailaddress", "mail"], write: ({ email }) => email },
  { field: "address", names: ["address", "postaladdress"], write: ({ address }) => address },
  { field: "notes", names: ["notes", "note", "remarks", "description"], write: ({ notes }) => notes }
]

const given = (cells: Cells, ...fields: ReadonlyArray<string>) =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = cells(field)
      return text === undefined ? [] : [[field, text] as const]
    })
  )

const partner = (cells: Cells) => given(cells, "name", "phone", "email", "address", "notes")
const keyOfName = ({ name }: Pick<Partner, "name">) => searchable(name)
const person = (cells: Cells) => ({ phone: cells("phone"), email: cells("email") })

export const supplierFile: ModuleFile<Supplier, NewSupplier> = {
  module: "suppliers",
  columns: columns("supplier", "suppliername", "vendor"),
  schema: NewSupplier,
  read: (cells) => ({ record: partner(cells), references: [] }),
  key: keyOfName,
  person
}

export const companyFile: ModuleFile<Company, NewCompany> = {
  module: "companies",
  columns: [
    ...columns("company", "companyname", "organization", "organisation"),
    { field: "domain", names: ["domain", "companydomainname"], write: ({ domain }) => domain },
    { field: "contactIds", names: ["contactids"], write: ({ contactIds }) => contactIds.join(";") },
    { field: "contactPhones", names: ["contactphones", "contactphone"] }
  ],
  schema: NewCompany,
  read: (cells) => {
    const ids = listIn(cells("contactIds"))
    const phones = listIn(cells("contactPhones"))
    const reference: Reference = { field: "contactPhones", of: "contacts", into: "contactIds", texts: phones ?? [] }
    return {
      record: { ...partner(cells), ...given(cells, "domain"), ...(ids === undefined ? {} : { contactIds: ids }) },
      references: phones === undefined ? [] : [reference]
    }
  },
  key: keyOfName,
  person
}

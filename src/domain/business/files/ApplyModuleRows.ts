/**
 * Stores the rows of a file of a module's records, in the transaction of the import. A row that names its id at a source is what the source says:
 * an older row never replaces a newer one. Any other row makes a new record, or by `onDuplicate` changes the one that has its name or number.
 */
import { Effect, Schema } from "effect"
import { contactPhone } from "../../basics/Phone.ts"
import type { ImportJob, RowOutcome, WaitingRow } from "../../imports/Imports.ts"
import { ImportQueue } from "../../imports/Imports.ts"
import { Acting } from "../../people/access/Audit.ts"
import { Contacts } from "../../people/contacts/Contact.ts"
import { Companies } from "../companies/Company.ts"
import { Orders } from "../orders/Order.ts"
import { Products } from "../products/Product.ts"
import type { CustomValues } from "../records/CustomFields.ts"
import { makeManageRecords } from "../records/ManageRecords.ts"
import type { Module } from "../records/Module.ts"
import type { ModuleRecord, Records } from "../records/ModuleRecord.ts"
import { Suppliers } from "../suppliers/Supplier.ts"
import { type ModuleFile, type Reference, StagedRecord } from "./ModuleFile.ts"
import { orderFile } from "./OrderFile.ts"
import { companyFile, supplierFile } from "./PartnerFile.ts"
import { productFile } from "./ProductFile.ts"
import { type RowProblem, rowProblem } from "./RowText.ts"

const decode = Schema.decodeUnknownEffect(StagedRecord)
const skipped: RowOutcome = { _tag: "Skipped" }
const created: RowOutcome = { _tag: "Created" }
const updated: RowOutcome = { _tag: "Updated" }
const refused = ({ field, problem }: RowProblem): RowOutcome => ({ _tag: "Refused", field, problem })

type Staged = typeof StagedRecord.Type
interface Custom {
  readonly customFields?: CustomValues
}
interface Row extends Staged {
  readonly number: number
}

const outcomes = { created, updated, kept: skipped }
const many = ["contactIds", "supplierIds"]
const one: Readonly<Record<Reference["of"], string>> = {
  contacts: "contact with this number",
  companies: "company with this name",
  suppliers: "supplier with this name"
}

/** Needs the modules, Contacts, Organizations, CustomFieldDefinitions, Audit and ImportQueue once. */
export const makeApplyModuleRows = Effect.gen(function* () {
  const contacts = yield* Contacts
  const queue = yield* ImportQueue
  const [companies, products] = [yield* Companies, yield* Products]
  const [orders, suppliers] = [yield* Orders, yield* Suppliers]

  const idOf = (organizationId: string, of: Reference["of"], text: string) => {
    if (of === "companies") return companies.findByKey(organizationId, text)
    if (of === "suppliers") return suppliers.findByKey(organizationId, text)
    const phone = contactPhone(text)
    return phone === undefined ? Effect.undefined : contacts.findByPhone(organizationId, phone)
  }

  /** The record with the ids of those that it names. */
  const resolved = Effect.fnUntraced(function* (organizationId: string, { record, references }: Staged) {
    const made: Record<string, unknown> = { ...record }
    for (const { field, of, into, texts } of references) {
      const ids: Array<string> = []
      for (const text of texts) {
        const found = yield* idOf(organizationId, of, text)
        if (found === undefined)
          return yield* rowProblem(field, `${field} is invalid: there is no ${one[of]} (${text.slice(0, 60)}).`)
        ids.push(found.id)
      }
      made[into] = many.includes(into) ? ids : ids[0]
    }
    return made
  })

  /** The function that applies rows of one module. */
  const applying = Effect.fnUntraced(function* <
    Kept extends ModuleRecord,
    New extends Custom,
    Changes extends Custom,
    Reported extends Custom,
    Input extends New & Changes & Reported
  >({ module, schema, key: keyOf }: ModuleFile<Kept, Input>, records: Records<Kept, New, Changes, Reported>) {
    const typed = Schema.decodeUnknownEffect(schema)
    const manage = yield* makeManageRecords(module, records)

    // The rows were checked by this schema when the file was read.
    const inputOf = (organizationId: string, row: Row) =>
      Effect.flatMap(resolved(organizationId, row), (record) => Effect.orDie(typed(record)))

    const byKey = (organizationId: string, record: Input) => {
      const key = keyOf(record)
      return key === undefined ? Effect.undefined : records.findByKey(organizationId, key)
    }

    const make = Effect.fnUntraced(function* ({ organizationId, onDuplicate }: ImportJob, row: Row) {
      const input = yield* inputOf(organizationId, row)
      if (row.origin !== null) {
        const { outcome } = yield* manage.report(organizationId, row.origin, input)
        return outcomes[outcome]
      }
      const before = yield* byKey(organizationId, input)
      if (before === undefined) return yield* Effect.as(manage.create(organizationId, input), created)
      if (onDuplicate === "skip") return skipped
      const after = yield* manage.update(organizationId, before.id, input)
      return after.updatedAt === before.updatedAt ? skipped : updated
    })

    const foresee = Effect.fnUntraced(function* (job: ImportJob, row: Row, repeated: boolean) {
      const { organizationId, onDuplicate } = job
      const input = yield* inputOf(organizationId, row)
      if (row.origin !== null) {
        const before = yield* records.findReported(organizationId, row.origin)
        const newer = before?.source != null && Date.parse(before.source.updatedAt) >= row.origin.updatedAt
        if (newer) return skipped
        return before === undefined && !repeated ? created : updated
      }
      if (!repeated && (yield* byKey(organizationId, input)) === undefined) return created
      return onDuplicate === "skip" ? skipped : updated
    })

    return Effect.fnUntraced(function* (job: ImportJob, rows: ReadonlyArray<Row>) {
      const numbers = rows.map(({ number }) => number)
      const repeated = job.dryRun ? yield* queue.repeated(job.organizationId, job.id, numbers) : new Set<number>()
      return yield* Effect.forEach(rows, (row) =>
        (job.dryRun ? foresee(job, row, repeated.has(row.number)) : make(job, row)).pipe(
          Effect.catchTags({
            RowProblem: (error) => Effect.succeed(refused(error)),
            InvalidRecord: ({ message }) => Effect.succeed(refused(rowProblem("row", message))),
            DuplicateRecord: ({ has }) =>
              Effect.succeed(refused(rowProblem("row", `There is already one with ${has}.`))),
            ModulesNotAllowed: ({ message }) => Effect.succeed(refused(rowProblem("row", message))),
            RecordNotFound: () => Effect.succeed(refused(rowProblem("row", "The record was removed meanwhile.")))
          })
        )
      )
    })
  })

  const appliers = {
    companies: yield* applying(companyFile, companies),
    products: yield* applying(productFile, products),
    orders: yield* applying(orderFile, orders),
    suppliers: yield* applying(supplierFile, suppliers)
  }

  return Effect.fnUntraced(function* (job: ImportJob, kind: Module, waiting: ReadonlyArray<WaitingRow>) {
    const rows = yield* Effect.forEach(waiting, ({ number, input }) =>
      Effect.map(Effect.orDie(decode(input)), (row): Row => ({ ...row, number }))
    )
    const acting = { actor: job.actor, ip: null, requestId: null }
    return yield* Effect.provideService(appliers[kind](job, rows), Acting, acting)
  })
})

/** Files of the records of a module: which columns they have, what a row means, and how a record is written as a row. An export can be imported again. */
import { Result, Schema, SchemaIssue } from "effect"
import { toE164 } from "../../basics/Phone.ts"
import type { ColumnMap, ImportField } from "../../imports/Columns.ts"
import type { RowReading } from "../../imports/ReceiveImport.ts"
import { type CustomField, type CustomValues, customProblem } from "../records/CustomFields.ts"
import type { Module } from "../records/Module.ts"
import type { ModuleRecord } from "../records/ModuleRecord.ts"
import { type Cells, flagIn, instantIn, numberIn, RowProblem, rowProblem } from "./RowText.ts"

export interface FileColumn<Kept> extends ImportField {
  /** The cell of an export; a column without it is read and not written. */
  readonly write?: (record: Kept) => string | number | null
}

/** Records that a row names by a number or name: their ids become a field of the row's record. */
export interface Reference {
  /** The column. */
  readonly field: string
  readonly of: "contacts" | "companies" | "suppliers"
  readonly into: "contactId" | "contactIds" | "companyId" | "supplierIds"
  readonly texts: ReadonlyArray<string>
}

/** What a row says, beside its own fields and its source. */
export interface RowMeaning {
  readonly record: Readonly<Record<string, unknown>>
  readonly references: ReadonlyArray<Reference>
}

/** The file of a module. `schema` is that of a new record. */
export interface ModuleFile<Kept extends ModuleRecord, Input> {
  readonly module: Module
  readonly columns: ReadonlyArray<FileColumn<Kept>>
  readonly schema: Schema.Decoder<Input>
  readonly read: (cells: Cells) => RowMeaning | RowProblem
  /** What makes two rows one record. */
  readonly key: (record: Input) => string | undefined
  /** Whom a row is about. */
  readonly person?: (cells: Cells) => { readonly phone?: string | undefined; readonly email?: string | undefined }
}

/** A row of a file as it waits for its turn. */
export const StagedRecord = Schema.Struct({
  record: Schema.Record(Schema.String, Schema.Json),
  origin: Schema.NullOr(Schema.Struct({ source: Schema.String, externalId: Schema.String, updatedAt: Schema.Finite })),
  references: Schema.Array(
    Schema.Struct({
      field: Schema.String,
      of: Schema.Literals(["contacts", "companies", "suppliers"]),
      into: Schema.Literals(["contactId", "contactIds", "companyId", "supplierIds"]),
      texts: Schema.Array(Schema.String)
    })
  )
})

/** The columns of where a record comes from. */
export const sourceColumns: ReadonlyArray<FileColumn<ModuleRecord>> = [
  { field: "source", names: ["source"], write: ({ source }) => source?.name ?? null },
  { field: "externalId", names: ["externalid"], write: ({ source }) => source?.externalId ?? null },
  {
    field: "sourceUpdatedAt",
    names: ["sourceupdatedat", "updatedat"],
    write: ({ source }) => source?.updatedAt ?? null
  }
]

const plainName = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

const customPrefix = "customFields."

/** The columns of the organization's own fields: `customFields.<key>`, or their key or label where no other column has that name. */
export const customColumns = (
  taken: ReadonlyArray<ImportField>,
  fields: ReadonlyArray<CustomField>
): ReadonlyArray<FileColumn<ModuleRecord>> => {
  const used = new Set(taken.flatMap(({ names }) => names))
  return fields.map(({ key, label }) => {
    const names = [...new Set([key, label].map(plainName))].filter((name) => name !== "" && !used.has(name))
    for (const name of names) used.add(name)
    return {
      field: customPrefix + key,
      names: [plainName(customPrefix + key), ...names],
      write: ({ customFields }) => {
        const value = customFields[key]
        return value === undefined || value === null ? null : String(value)
      }
    }
  })
}

/** All columns of a file. */
export const columnsOf = <Kept extends ModuleRecord, Input>(
  file: ModuleFile<Kept, Input>,
  fields: ReadonlyArray<CustomField>
): ReadonlyArray<FileColumn<Kept>> => {
  const own = [...file.columns, ...sourceColumns]
  return [...own, ...customColumns(own, fields)]
}

const customValue = (type: CustomField["type"], text: string) => {
  if (type === "number") return numberIn(text)
  return type === "boolean" ? flagIn(text) : text
}

const customIn = (cells: Cells, fields: ReadonlyArray<CustomField>): CustomValues | RowProblem => {
  const given = fields.flatMap(({ key, type }) => {
    const text = cells(customPrefix + key)
    return text === undefined ? [] : [[key, customValue(type, text)] as const]
  })
  const values = Object.fromEntries(given)
  const problem = customProblem(fields, values)
  return problem === undefined ? values : rowProblem(problem.split(" ", 1)[0], problem)
}

/** The source of a row that names its id there. Without a time the row is as old as time, so that it replaces nothing that has one. */
const originIn = (cells: Cells) => {
  const externalId = cells("externalId")
  if (externalId === undefined) return null
  const source = cells("source") ?? "import"
  if (source.length > 200) return rowProblem("source", "source must have at most 200 characters.")
  if (externalId.length > 200) return rowProblem("externalId", "externalId must have at most 200 characters.")
  const told = cells("sourceUpdatedAt")
  const at = told === undefined ? isoStart : instantIn(told)
  if (at === undefined)
    return rowProblem("sourceUpdatedAt", "sourceUpdatedAt must be a time like 2026-11-25T09:30:00Z.")
  return { source, externalId, updatedAt: Date.parse(at) }
}
const isoStart = "1970-01-01T00:00:00.000Z"

const issues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Why the record does not fit the schema of a new one. */
const problemOf = (error: Schema.SchemaError): RowProblem => {
  const issue = issues(error.issue).issues[0]
  const path = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part))
  const message = issue?.message ?? ""
  return rowProblem(
    path[0] ?? "row",
    `${path.join(".")} ${message.startsWith("must ") ? message : "is missing or invalid."}`
  )
}

/** How the rows of a module's file are read. */
export const readingOf = <Kept extends ModuleRecord, Input>(
  file: ModuleFile<Kept, Input>,
  fields: ReadonlyArray<CustomField>
): RowReading => {
  const check = Schema.decodeUnknownResult(file.schema)
  const read = (map: ColumnMap, values: ReadonlyArray<string>): ReturnType<RowReading["read"]> => {
    const cells: Cells = (field) => {
      const at = map.get(field)
      const text = at === undefined ? "" : (values[at] ?? "").trim()
      return text === "" ? undefined : text
    }
    const { phone, email } = file.person?.(cells) ?? {}
    const subject = { phone: toE164(phone ?? "") ?? null, email: email?.toLowerCase().slice(0, 254) ?? null }
    const refuse = ({ field, problem }: RowProblem) => ({ _tag: "Refused" as const, field, problem, subject })
    const origin = originIn(cells)
    if (origin instanceof RowProblem) return refuse(origin)
    const custom = customIn(cells, fields)
    if (custom instanceof RowProblem) return refuse(custom)
    const meaning = file.read(cells)
    if (meaning instanceof RowProblem) return refuse(meaning)
    const record = { ...meaning.record, ...(Object.keys(custom).length === 0 ? {} : { customFields: custom }) }
    const checked = check(record)
    if (Result.isFailure(checked)) return refuse(problemOf(checked.failure))
    const key = origin === null ? file.key(checked.success) : `${origin.source} ${origin.externalId}`
    return {
      ...{ _tag: "Read", subject },
      input: { record, origin, references: meaning.references },
      ...(key === undefined ? {} : { key })
    }
  }
  return { fields: columnsOf(file, fields), read }
}

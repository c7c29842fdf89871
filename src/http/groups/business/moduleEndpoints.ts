/** The routes that all modules have. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import { oneLine } from "../../../domain/basics/PlainText.ts"
import { sourceColumns } from "../../../domain/business/files/ModuleFile.ts"
import { RecordSort } from "../../../domain/business/records/ModuleRecord.ts"
import { Import } from "../../../domain/imports/Import.ts"
import { needsFeature } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"
import { yesOrNo } from "../../wire/QueryNumber.ts"
import { columnName, importedBody, importPayload, importQuery, textOf } from "../imports/importFile.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

/** A field of a record that a list can be filtered by. */
export const filterField = Schema.optionalKey(oneLine(200))

interface Words {
  /** E.g. `a company`. */
  readonly one: string
  readonly many: string
  /** What a search finds, as the end of a sentence. */
  readonly searched: string
  /** What is particular to this module, as sentences. */
  readonly list?: string
  readonly create: string
  /** A file of it, with its head: CSV, and the same in JSON. */
  readonly file: { readonly csv: string; readonly json: Readonly<Record<string, Schema.Json>> }
}

/** The names of the columns of a file. */
export const columnsOfFile = ({ columns }: { readonly columns: ReadonlyArray<{ readonly field: string }> }) => [
  ...columns.map(({ field }) => field),
  ...sourceColumns.map(({ field }) => field)
]

/** A parameter for each column, e.g. `nameColumn`. */
const columnNames = <Columns extends string>(columns: ReadonlyArray<Columns>) =>
  Object.fromEntries(columns.map((column) => [`${column}Column`, columnName])) as {
    readonly [Column in Columns as `${Column}Column`]: typeof columnName
  }

/** The routes of a module with these records and filters. */
export const moduleEndpoints = <
  Kept extends Schema.Top,
  New extends Schema.Top,
  Changes extends Schema.Top,
  Filters extends Schema.Struct.Fields,
  Columns extends string
>(
  kept: Kept,
  input: New,
  changes: Changes,
  filters: Filters,
  columns: ReadonlyArray<Columns>,
  { one, many, searched, list = "", create, file }: Words
) =>
  [
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...listQuery,
        ...filters,
        search: Schema.optionalKey(oneLine(200)),
        archived: yesOrNo,
        sort: Schema.optionalKey(RecordSort)
      },
      success: listOf(kept),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `List ${many}, newest first`,
        description:
          `\`search\` finds beginnings of words of ${searched}, whatever their case and accents. ${list}\`sort\` is \`-createdAt\` unless it is ` +
          "sent. Of a search or a filter at most 1,000 are counted, of frequent words perhaps fewer than there are. Archived ones are listed only with `archived=true`. Scope `modules:read`."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: input,
      success: kept.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, Conflict]
    })
      .annotateMerge(needsFeature("modules"))
      .annotateMerge(
        OpenApi.annotations({ summary: `Create ${one}`, description: `${create} Scope \`modules:write\`.` })
      ),
    HttpApiEndpoint.get("export", "/export", {
      query: { ...filters, search: Schema.optionalKey(oneLine(200)), archived: yesOrNo },
      success: textOf("text/csv", file.csv),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Export ${many} as CSV`,
        description:
          "In the columns that an import reads, oldest first, with the filters of the list. A cell that a spreadsheet would run as a formula begins with an " +
          "apostrophe, which an import takes away. Scope `modules:read`."
      })
    ),
    HttpApiEndpoint.post("import", "/import", {
      query: { ...importQuery, ...columnNames(columns) },
      payload: importPayload(
        Schema.Array(Schema.Record(Schema.String, Schema.Json)).annotate({
          title: `${many[0].toUpperCase()}${many.slice(1)}Rows`,
          examples: [[file.json]]
        }),
        file.csv,
        `${JSON.stringify(file.json)}\n`
      ),
      success: Import.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, Conflict]
    })
      .annotateMerge(needsFeature("modules"))
      .annotateMerge(
        OpenApi.annotations({
          summary: `Import ${many} from a file`,
          description:
            "CSV or JSON, as `POST /api/messaging-api/contacts/import` takes it; its state, its refused rows and their report are those of `/api/messaging-api/imports/{id}`. " +
            "A row with `externalId` is the state of a record at its `source` (without one: `import`) at `sourceUpdatedAt`, and an older one never replaces a newer one. Of other rows " +
            "`onDuplicate` says what happens to one that is known: `skip` (the default) or `update` with the cells that have a value. Scope `modules:write`."
        })
      )
      .annotateMerge(importedBody),
    HttpApiEndpoint.get("get", "/:id", { params, success: kept, error }).annotateMerge(
      OpenApi.annotations({ summary: `Get ${one}, also an archived one`, description: "Scope `modules:read`." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: changes,
      success: kept,
      error: [...error, Conflict]
    })
      .annotateMerge(needsFeature("modules"))
      .annotateMerge(
        OpenApi.annotations({
          summary: `Change ${one}`,
          description:
            "What is not sent keeps its value; null removes one; lists are replaced as a whole, `customFields` field by field. Scope `modules:write`."
        })
      ),
    HttpApiEndpoint.post("archive", "/:id/archive", { params, success: kept, error }).annotateMerge(
      OpenApi.annotations({
        summary: `Archive ${one}`,
        description: "It leaves the lists; everything about it stays. Scope `modules:write`."
      })
    ),
    HttpApiEndpoint.post("restore", "/:id/restore", { params, success: kept, error }).annotateMerge(
      OpenApi.annotations({ summary: `Bring ${one} back from the archive`, description: "Scope `modules:write`." })
    )
  ] as const

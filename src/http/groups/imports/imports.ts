/** `/api/messaging-api/imports`: files of many records. Each kind has an address of its own to send them to. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { oneLine } from "../../../domain/basics/PlainText.ts"
import { Import, mostImportBytes, mostRows, RefusedRow } from "../../../domain/imports/Import.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"
import { columnName, importedBody, importPayload, importQuery, textOf } from "./importFile.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

/** A contact in JSON. The names of its fields may be others that columns of CSV may have, too; others are not read. */
const ContactRows = Schema.Array(Schema.Record(Schema.String, Schema.Json)).annotate({
  title: "ContactRows",
  examples: [
    [
      { phone: "+14155550123", name: "Asha Rao", email: "asha@example.com", tags: ["book club"], optedIn: true },
      { phone: "+919812345678", name: "Ravi Iyer" }
    ]
  ]
})

const payload = importPayload(
  ContactRows,
  "phone,name,tags\n+14155550123,Asha Rao,book club;poetry\n+919812345678,Ravi Iyer,\n",
  '{"phone":"+14155550123","name":"Asha Rao"}\n{"phone":"+919812345678"}\n'
)

const query = {
  ...importQuery,
  /** With commas between them. */
  tags: Schema.optionalKey(oneLine(1_000)),
  phoneColumn: columnName,
  nameColumn: columnName,
  firstNameColumn: columnName,
  lastNameColumn: columnName,
  emailColumn: columnName,
  tagsColumn: columnName,
  optedInColumn: columnName
}

export class ImportsGroup extends HttpApiGroup.make("imports")
  .add(
    HttpApiEndpoint.post("contacts", "/contacts/import", {
      query,
      payload,
      success: Import.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, Conflict]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Import contacts from a file",
          description:
            `CSV (with a first row that names the columns) or JSON (a list, or an object on each line): as the part \`file\` of a form, or as the body. At most ${mostRows.toLocaleString("en")} rows and ` +
            `${mostImportBytes / 1024 / 1024} MB, in UTF-8 or UTF-16 with its mark. It is worked off in the background: ask for its state with \`GET\`. \`onDuplicate\` says what ` +
            "happens to a number that is known: `skip` (the default), or `update` with what the row says, as `POST /contacts?upsert=true` does it; tags are added. " +
            "`tags` (with commas between them) are for all rows. With `dryRun=true` nothing is stored, and the counts say what would be. `phoneColumn` and its " +
            "like name columns whose names are not known. With an `Idempotency-Key` the same key is the same import; the bodies are not compared. Scope `contacts:write`."
        })
      )
      .annotateMerge(importedBody),
    HttpApiEndpoint.get("list", "/imports", {
      query: listQuery,
      success: listOf(Import),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List imports, newest first",
        description:
          "Those that are under way, and those of the last 7 days: of contacts and of the modules. Scope `contacts:read`."
      })
    ),
    HttpApiEndpoint.get("get", "/imports/:id", { params, success: Import, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Get an import and how far it is",
        description:
          "`created`, `updated`, `skipped` and `refused` add up to `rows` at its end, unless a contact was erased meanwhile. Scope `contacts:read`; of a module `modules:read`."
      })
    ),
    HttpApiEndpoint.get("refused", "/imports/:id/refused", {
      params,
      query: pageQuery,
      success: pageOf(RefusedRow),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the rows that were refused, in the order of the file",
        description:
          "`values` are in the order of the `columns` of the import. Scope `contacts:read`; of a module `modules:read`."
      })
    ),
    HttpApiEndpoint.get("report", "/imports/:id/report", {
      params,
      success: textOf(
        "text/csv",
        'import row,import field,import problem,Mobile\r\n17,phone,"phone must be a phone number with its country code, like +14155550123.",98765\r\n'
      ),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The rows that were refused, as CSV",
        description:
          "With their original values, to be corrected and sent again: its first three columns are not read then. A cell that a spreadsheet would run as a formula " +
          "begins with an apostrophe, which an import takes away. Scope `contacts:read`; of a module `modules:read`."
      })
    ),
    HttpApiEndpoint.post("cancel", "/imports/:id/cancel", {
      params,
      success: Import,
      error: [...error, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel an import",
        description:
          "The records that it has made stay. 409 when it has ended. Scope `contacts:write`; of a module `modules:write`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api") {}

/** What the routes that take a file of records have in common. */
import { Context, Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import { oneLine } from "../../../domain/basics/PlainText.ts"
import { mostImportBytes, OnDuplicate } from "../../../domain/imports/Import.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { yesOrNo } from "../../wire/QueryNumber.ts"
import { streamedBody } from "../../wire/StreamedBody.ts"
import { formLimits } from "../../wire/UploadedFile.ts"

/** The file and the form around it, in bytes. */
const longestForm = mostImportBytes + 64 * 1024

/** The body is read as it comes, and may be as long as a file with its form. */
export const importedBody = Context.merge(bodyLimit(longestForm), streamedBody)

export const textOf = (type: string, example: string) =>
  Schema.String.annotate({ examples: [example] }).pipe(HttpApiSchema.asText({ contentType: type }))

/** The bodies that are taken: a form with the file, CSV, a list of `rows` in JSON, and JSON in lines. */
export const importPayload = <Rows extends Schema.Top>(rows: Rows, csv: string, lines: string) =>
  [
    Schema.Struct({ file: Multipart.SingleFileSchema }).pipe(HttpApiSchema.asMultipartStream(formLimits)),
    textOf("text/csv", csv),
    rows,
    textOf("application/x-ndjson", lines)
  ] as const

/** The name of a column that is read as a field. */
export const columnName = Schema.optionalKey(oneLine(200))

export const importQuery = {
  dryRun: yesOrNo,
  onDuplicate: Schema.optionalKey(OnDuplicate),
  fileName: Schema.optionalKey(oneLine(200))
}

/** The file of an import in a request: a part of a form, or the body itself. Its format is that of its type or, in a form, of its name. */
import { Effect, type Scope, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { mostImportBytes } from "../../../domain/imports/Import.ts"
import type { RowFormat } from "../../../domain/imports/RowFile.ts"
import { isForm } from "../../server/UwsBody.ts"
import { BadRequest } from "../../wire/Errors.ts"
import { type FormRefused, uploadedFile } from "../../wire/UploadedFile.ts"

type Kind = RowFormat["kind"]

const kinds: Readonly<Record<string, Kind>> = {
  "text/csv": "csv",
  "application/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
  "application/jsonl": "ndjson",
  "application/x-jsonlines": "ndjson"
}
const endings: Readonly<Record<string, Kind>> = {
  csv: "csv",
  tsv: "csv",
  txt: "csv",
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson"
}

const types =
  "text/csv, application/json, application/x-ndjson, or multipart/form-data with the file in the part `file`"

const parsedType = (header: string) => {
  const [type, ...parameters] = header.split(";").map((part) => part.trim().toLowerCase())
  const charset = parameters
    .find((part) => part.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "")
  return { type, ...(charset === undefined || charset === "" ? {} : { charset }) }
}

const ending = (fileName: string): Kind | undefined => endings[/\.(\w{1,6})$/.exec(fileName)?.[1].toLowerCase() ?? ""]

export interface ImportBody {
  readonly fileName: string | null
  readonly format: RowFormat
  readonly bytes: Stream.Stream<Uint8Array, FormRefused>
}

const ofForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { filename, claimedType, bytes } = yield* uploadedFile(request.multipartStream, "file", mostImportBytes)
  const { type, ...charset } = parsedType(claimedType)
  // Programs do not agree on the type of CSV, so the name counts first.
  const kind = ending(filename) ?? kinds[type]
  if (kind === undefined)
    return yield* new BadRequest({
      error: "The file is neither CSV nor JSON: its name must end with .csv, .tsv, .txt, .json, .ndjson or .jsonl."
    })
  return { fileName: filename, format: { kind, ...charset }, bytes }
})

/** Gives the file without reading more than its head. */
export const importBody = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<ImportBody, BadRequest | FormRefused, Scope.Scope> => {
  if (isForm(request.headers)) return ofForm(request)
  const header = request.headers["content-type"]
  if (header === undefined)
    return Effect.fail(new BadRequest({ error: `Send the header Content-Type with the file: ${types}.` }))
  const { type, ...charset } = parsedType(header)
  const kind = kinds[type]
  if (kind === undefined)
    return Effect.fail(
      new BadRequest({ error: `The Content-Type ${type.slice(0, 60)} cannot be imported. Send ${types}.` })
    )
  // Why a body is not read is answered alike for all routes.
  return Effect.succeed({ fileName: null, format: { kind, ...charset }, bytes: Stream.orDie(request.stream) })
}

/** Takes the file of an import: of contacts, or of a module's records. */
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { storable } from "../../../domain/basics/PlainText.ts"
import type { ImportKind, OnDuplicate } from "../../../domain/imports/Import.ts"
import { makeReceiveImport, type RowReading } from "../../../domain/imports/ReceiveImport.ts"
import { callerId, type Principal } from "../../../domain/people/access/Access.ts"
import { Acting } from "../../../domain/people/access/Audit.ts"
import { BadRequest, Conflict } from "../../wire/Errors.ts"
import { asUpload } from "../../wire/UploadedFile.ts"
import { importBody } from "./ImportBody.ts"

const mostTags = 20

/** The tags with commas between them. */
export const tagsIn = Effect.fnUntraced(function* (text: string | undefined) {
  const tags = [...new Set((text ?? "").split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "")
  if (tags.length > mostTags || tags.some((tag) => [...tag].length > 64))
    return yield* new BadRequest({
      error: `tags is invalid: it must be at most ${mostTags} tags of at most 64 characters.`
    })
  return tags
})

/** What the sender says of a file. */
export interface AskedImport {
  readonly dryRun?: "true" | "false"
  readonly onDuplicate?: OnDuplicate
  readonly fileName?: string
}

/** The names of columns that the sender gives, by field. */
const columnsIn = (query: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      name.endsWith("Column") && typeof value === "string" && value.trim() !== ""
        ? [[name.slice(0, -"Column".length), value]]
        : []
    )
  )

interface Taken {
  readonly kind: ImportKind
  readonly tags: ReadonlyArray<string>
  readonly reading: RowReading
}

/** Makes the function that takes a file of records of any kind. Needs Imports, RowFiles and Audit. */
export const makeTakeFile = Effect.gen(function* () {
  const receive = yield* makeReceiveImport
  return Effect.fnUntraced(
    function* (
      caller: Principal,
      request: HttpServerRequest.HttpServerRequest,
      query: AskedImport,
      { kind, tags, reading }: Taken
    ) {
      const { actor } = yield* Acting
      const { fileName, ...file } = yield* importBody(request)
      const given = {
        kind,
        dryRun: query.dryRun === "true",
        onDuplicate: query.onDuplicate ?? "skip",
        tags,
        fileName: query.fileName?.trim() || storable((fileName ?? "").slice(0, 200)) || null,
        actor,
        requestedBy: callerId(caller)
      }
      const made = yield* receive(caller.organizationId, given, reading, { ...file, columns: columnsIn(query) })
      return HttpServerResponse.jsonUnsafe(made, { status: 201 })
    },
    asUpload,
    Effect.catchTags({
      ImportRefused: ({ message }) => new BadRequest({ error: message }),
      TooManyImports: ({ limit }) =>
        new Conflict({
          error: `${limit} imports of this organization are not finished yet. Wait for one of them, or cancel it.`
        })
    })
  )
})

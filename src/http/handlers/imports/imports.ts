import { Clock, Effect, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { storable } from "../../../domain/basics/PlainText.ts"
import { contactFields, readContactRow } from "../../../domain/imports/ContactRow.ts"
import type { OnDuplicate } from "../../../domain/imports/Import.ts"
import { reportHead, reportLine } from "../../../domain/imports/ImportReport.ts"
import { Imports } from "../../../domain/imports/Imports.ts"
import { makeReceiveImport, type RowReading } from "../../../domain/imports/ReceiveImport.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { Acting, Audit } from "../../../domain/people/access/Audit.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, NotFound } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import { toPage, window } from "../../wire/Paging.ts"
import { importBody } from "./ImportBody.ts"

/** An upload that takes longer is aborted. 32 MB at 20 KB a second take less. */
const longestUpload = "30 minutes"

const missing = () => new NotFound({ error: "There is no such import. Imports are kept for 7 days." })

const mostTags = 20

const tagsIn = Effect.fnUntraced(function* (text: string | undefined) {
  const tags = [...new Set((text ?? "").split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "")
  if (tags.length > mostTags || tags.some((tag) => [...tag].length > 64))
    return yield* new BadRequest({
      error: `tags is invalid: it must be at most ${mostTags} tags of at most 64 characters.`
    })
  return tags
})

interface Asked {
  readonly dryRun?: "true" | "false"
  readonly onDuplicate?: OnDuplicate
  readonly tags?: string
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

/** Makes the function that takes a file. Needs Imports, RowFiles and Audit. */
const makeCreate = Effect.gen(function* () {
  const receive = yield* makeReceiveImport
  return Effect.fnUntraced(
    function* (request: HttpServerRequest.HttpServerRequest, query: Asked) {
      const caller = yield* requireScope("contacts:write")
      const tags = yield* tagsIn(query.tags)
      const { actor } = yield* Acting
      const { fileName, ...file } = yield* importBody(request)
      const given = {
        kind: "contacts" as const,
        dryRun: query.dryRun === "true",
        onDuplicate: query.onDuplicate ?? "skip",
        tags,
        fileName: query.fileName?.trim() || storable((fileName ?? "").slice(0, 200)) || null,
        actor,
        requestedBy: callerId(caller)
      }
      const reading: RowReading = {
        fields: contactFields,
        read: (map, values) => readContactRow(map, values, { tags })
      }
      const made = yield* receive(caller.organizationId, given, reading, { ...file, columns: columnsIn(query) })
      return HttpServerResponse.jsonUnsafe(made, { status: 201 })
    },
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: longestUpload,
      orElse: () => new BadRequest({ error: "The upload took longer than 30 minutes." })
    }),
    Effect.catchTags({
      FormRefused: ({ message }) => new BadRequest({ error: message }),
      ImportRefused: ({ message }) => new BadRequest({ error: message }),
      TooManyImports: ({ limit }) =>
        new Conflict({
          error: `${limit} imports of this organization are not finished yet. Wait for one of them, or cancel it.`
        })
    })
  )
})

/** Needs Imports, RowFiles and Audit. */
export const layer = group(
  AppApi,
  "imports",
  Effect.fn(function* (handlers) {
    const imports = yield* Imports
    const audit = yield* Audit
    const create = yield* makeCreate

    const known = Effect.fnUntraced(function* (organizationId: string, id: string) {
      return (yield* imports.find(organizationId, id)) ?? (yield* missing())
    })

    return handlers
      .handleRaw("contacts", ({ request, query }) => create(request, query))
      .handle(
        "list",
        Effect.fnUntraced(function* ({ query }) {
          const { organizationId } = yield* requireScope("contacts:read")
          const part = yield* partOf("imports", query)
          return toList(yield* imports.list(organizationId, part), part)
        })
      )
      .handle(
        "get",
        Effect.fnUntraced(function* ({ params }) {
          const { organizationId } = yield* requireScope("contacts:read")
          return yield* known(organizationId, params.id)
        })
      )
      .handle(
        "refused",
        Effect.fnUntraced(function* ({ params, query }) {
          const { organizationId } = yield* requireScope("contacts:read")
          const { id } = yield* known(organizationId, params.id)
          const { page, limit } = window(query)
          return toPage(yield* imports.refused(organizationId, id, page, limit), { page, limit })
        })
      )
      .handleRaw(
        "report",
        Effect.fnUntraced(function* ({ params }) {
          const { organizationId } = yield* requireScope("contacts:read")
          const { id, columns } = yield* known(organizationId, params.id)
          const lines = Stream.map(imports.everyRefused(organizationId, id), (row) => reportLine(row, columns))
          const text = Stream.concat(Stream.succeed(reportHead(columns)), lines)
          return HttpServerResponse.stream(Stream.encodeText(text), {
            contentType: "text/csv; charset=utf-8",
            headers: {
              "content-disposition": `attachment; filename="refused-${id}.csv"`,
              "cache-control": "private, no-cache"
            }
          })
        })
      )
      .handle(
        "cancel",
        Effect.fnUntraced(function* ({ params }) {
          const { organizationId } = yield* requireScope("contacts:write")
          const canceled = Effect.flatMap(Clock.currentTimeMillis, (now) =>
            imports.cancel(organizationId, params.id, now)
          ).pipe(
            Effect.flatMap((found) => {
              if (found === undefined) return Effect.fail(missing())
              if (found === "over") return Effect.fail(new Conflict({ error: "The import has ended already." }))
              return Effect.succeed(found)
            })
          )
          return yield* audit.recorded(organizationId, canceled, ({ id, created, updated }) => ({
            action: "import.canceled",
            subjectId: id,
            after: { created, updated }
          }))
        })
      )
  })
)

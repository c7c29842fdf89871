import { Clock, Effect, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { contactFields, readContactRow } from "../../../domain/imports/ContactRow.ts"
import type { ImportKind } from "../../../domain/imports/Import.ts"
import { reportHead, reportLine } from "../../../domain/imports/ImportReport.ts"
import { Imports } from "../../../domain/imports/Imports.ts"
import type { RowReading } from "../../../domain/imports/ReceiveImport.ts"
import { Audit } from "../../../domain/people/access/Audit.ts"
import { AppApi } from "../../groups/Api.ts"
import { Caller, requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { Conflict, NotFound } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import { toPage, window } from "../../wire/Paging.ts"
import { type AskedImport, makeTakeFile, tagsIn } from "./TakeFile.ts"

const missing = () => new NotFound({ error: "There is no such import. Imports are kept for 7 days." })

/** The scopes of a kind of records. */
const scopesOf = (kind: ImportKind) =>
  kind === "contacts"
    ? ({ read: "contacts:read", write: "contacts:write" } as const)
    : ({ read: "modules:read", write: "modules:write" } as const)

/** Needs Imports, RowFiles and Audit. */
export const layer = group(
  AppApi,
  "imports",
  Effect.fn(function* (handlers) {
    const imports = yield* Imports
    const audit = yield* Audit
    const take = yield* makeTakeFile

    const contacts = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      query: AskedImport & { readonly tags?: string }
    ) {
      const caller = yield* requireScope("contacts:write")
      const tags = yield* tagsIn(query.tags)
      const reading: RowReading = {
        fields: contactFields,
        read: (map, values) => readContactRow(map, values, { tags })
      }
      return yield* take(caller, request, query, { kind: "contacts", tags, reading })
    })

    /** The import, when the caller may do this with records of its kind. Without the right for contacts the caller needs that of the kind to know of it. */
    const known = Effect.fnUntraced(function* (id: string, right: "read" | "write") {
      const { organizationId, scopes } = yield* Caller
      const found = yield* imports.find(organizationId, id)
      const scope = scopesOf(found?.kind ?? "contacts")[right]
      if (found === undefined && scopes.some((one) => one === "modules:read" || one === scope)) return yield* missing()
      yield* requireScope(scope)
      return found ?? (yield* missing())
    })

    return handlers
      .handleRaw("contacts", ({ request, query }) => contacts(request, query))
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
          return yield* known(params.id, "read")
        })
      )
      .handle(
        "refused",
        Effect.fnUntraced(function* ({ params, query }) {
          const { organizationId } = yield* Caller
          const { id } = yield* known(params.id, "read")
          const { page, limit } = window(query)
          return toPage(yield* imports.refused(organizationId, id, page, limit), { page, limit })
        })
      )
      .handleRaw(
        "report",
        Effect.fnUntraced(function* ({ params }) {
          const { organizationId } = yield* Caller
          const { id, columns } = yield* known(params.id, "read")
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
          const { organizationId } = yield* Caller
          yield* known(params.id, "write")
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

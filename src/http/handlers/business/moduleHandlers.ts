/** Translates the requests of all modules. */
import { Effect, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { exportRecords } from "../../../domain/business/files/ExportRecords.ts"
import { type ModuleFile, readingOf } from "../../../domain/business/files/ModuleFile.ts"
import type { CustomValues } from "../../../domain/business/records/CustomFields.ts"
import { makeDefineCustomFields } from "../../../domain/business/records/DefineCustomFields.ts"
import {
  type ModulesNotAllowed,
  makeManageRecords,
  type RecordNotFound
} from "../../../domain/business/records/ManageRecords.ts"
import type {
  DuplicateRecord,
  InvalidRecord,
  ModuleRecord,
  RecordSort,
  Records
} from "../../../domain/business/records/ModuleRecord.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { BadRequest, existing, Forbidden, NotFound } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import { type AskedImport, makeTakeFile } from "../imports/TakeFile.ts"

interface ListQuery {
  readonly page?: number
  readonly limit?: number
  readonly cursor?: string
  readonly search?: string
  readonly archived?: "true" | "false"
  readonly sort?: RecordSort
}

interface Which {
  readonly params: { readonly id: string }
}

interface Raw {
  readonly request: HttpServerRequest.HttpServerRequest
}

interface Input {
  readonly customFields?: CustomValues
}

/** What a plan without the modules gets. */
export const forbidden = {
  ModulesNotAllowed: ({ message }: ModulesNotAllowed) => new Forbidden({ error: message })
}
/** The same, and what an id that is none of the organization's gets. */
export const recordMissing = {
  ...forbidden,
  RecordNotFound: ({ module }: RecordNotFound) =>
    new NotFound({ error: `There is no such record among the ${module}.` })
}
const unfit = {
  InvalidRecord: ({ message }: InvalidRecord) => new BadRequest({ error: message }),
  DuplicateRecord: ({ existingId, has }: DuplicateRecord) =>
    existing(existingId, `There is already one with ${has}: ${existingId}.`)
}

/** The handlers of a module. Needs what `makeManageRecords` needs, Imports and RowFiles. */
export const moduleHandlers = Effect.fnUntraced(function* <
  Kept extends ModuleRecord,
  New extends Input,
  Changes extends Input,
  Reported extends Input,
  Row extends Input
>(file: ModuleFile<Kept, Row>, records: Records<Kept, New, Changes, Reported>) {
  const { module } = file
  const manage = yield* makeManageRecords(module, records)
  const custom = yield* makeDefineCustomFields
  const take = yield* makeTakeFile

  const archive = (archived: boolean) =>
    Effect.fnUntraced(function* ({ params }: Which) {
      const { organizationId } = yield* requireScope("modules:write")
      return yield* manage.setArchived(organizationId, params.id, archived).pipe(Effect.catchTags(recordMissing))
    })

  /** The fields of a query that are filters. */
  const filtersIn = (query: object) =>
    Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))
    )

  return {
    /** Takes the file of an import. It reads its body itself. */
    import: Effect.fnUntraced(function* ({ request, query }: Raw & { readonly query: AskedImport }) {
      const caller = yield* requireScope("modules:write")
      const fields = yield* custom.list(caller.organizationId, module).pipe(Effect.catchTags(forbidden))
      return yield* take(caller, request, query, { kind: module, tags: [], reading: readingOf(file, fields) })
    }),
    export: Effect.fnUntraced(function* ({ query }: { readonly query: ListQuery }) {
      const { organizationId } = yield* requireScope("modules:read")
      const fields = yield* custom.list(organizationId, module).pipe(Effect.catchTags(forbidden))
      const { search, archived, ...others } = query
      const filter = { search, archived: archived === "true", fields: filtersIn(others) }
      const text = exportRecords(file, records, organizationId, filter, fields)
      return HttpServerResponse.stream(Stream.encodeText(text), {
        contentType: "text/csv; charset=utf-8",
        headers: {
          "content-disposition": `attachment; filename="${module}.csv"`,
          "cache-control": "private, no-cache"
        }
      })
    }),
    list: Effect.fnUntraced(function* ({ query }: { readonly query: ListQuery & Readonly<Record<string, unknown>> }) {
      const { organizationId } = yield* requireScope("modules:read")
      const part = yield* partOf(module, query)
      const { page: _p, limit: _l, cursor: _c, search, archived, sort = "-createdAt", ...others } = query
      const filter = { search, archived: archived === "true", sort, fields: filtersIn(others) }
      const found = yield* manage.list(organizationId, filter, part).pipe(Effect.catchTags(forbidden))
      return toList(found, part)
    }),
    create: Effect.fnUntraced(function* ({ payload }: { readonly payload: New }) {
      const { organizationId } = yield* requireScope("modules:write")
      return yield* manage.create(organizationId, payload).pipe(Effect.catchTags({ ...forbidden, ...unfit }))
    }),
    get: Effect.fnUntraced(function* ({ params }: Which) {
      const { organizationId } = yield* requireScope("modules:read")
      return yield* manage.get(organizationId, params.id).pipe(Effect.catchTags(recordMissing))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }: Which & { readonly payload: Changes }) {
      const { organizationId } = yield* requireScope("modules:write")
      if (Object.keys(payload).length === 0) return yield* new BadRequest({ error: "Send at least one field." })
      return yield* manage
        .update(organizationId, params.id, payload)
        .pipe(Effect.catchTags({ ...recordMissing, ...unfit }))
    }),
    archive: archive(true),
    restore: archive(false)
  }
})

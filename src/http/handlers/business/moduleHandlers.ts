/** Translates the requests of all modules. */
import { Effect } from "effect"
import type { CustomValues } from "../../../domain/business/records/CustomFields.ts"
import {
  type ModulesNotAllowed,
  makeManageRecords,
  type RecordNotFound
} from "../../../domain/business/records/ManageRecords.ts"
import type { Module } from "../../../domain/business/records/Module.ts"
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

/** The handlers of a module. Needs what `makeManageRecords` needs. */
export const moduleHandlers = Effect.fnUntraced(function* <
  Kept extends ModuleRecord,
  New extends Input,
  Changes extends Input
>(module: Module, records: Records<Kept, New, Changes>) {
  const manage = yield* makeManageRecords(module, records)

  const archive = (archived: boolean) =>
    Effect.fnUntraced(function* ({ params }: Which) {
      const { organizationId } = yield* requireScope("modules:write")
      return yield* manage.setArchived(organizationId, params.id, archived).pipe(Effect.catchTags(recordMissing))
    })

  return {
    list: Effect.fnUntraced(function* ({ query }: { readonly query: ListQuery & Readonly<Record<string, unknown>> }) {
      const { organizationId } = yield* requireScope("modules:read")
      const part = yield* partOf(module, query)
      const { page: _p, limit: _l, cursor: _c, search, archived, sort = "-createdAt", ...others } = query
      const fields = Object.fromEntries(
        Object.entries(others).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))
      )
      const filter = { search, archived: archived === "true", sort, fields }
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

/** Use case: people and API keys keep the records of a module. The audit log records each change, without the values of personal fields. */
import { Data, Effect } from "effect"
import type { Part } from "../../basics/Listing.ts"
import { traced } from "../../basics/Traced.ts"
import { Audit, changedFields } from "../../people/access/Audit.ts"
import { makePlanRefusal } from "../../people/organizations/PlanGate.ts"
import { CustomFieldDefinitions } from "./CustomFieldDefinitions.ts"
import { type CustomValues, customProblem, shownValues } from "./CustomFields.ts"
import type { Module } from "./Module.ts"
import { InvalidRecord, type ModuleRecord, type RecordFilter, type Records } from "./ModuleRecord.ts"
import type { Origin } from "./Source.ts"

/** 403: the organization's plan does not have the modules. */
export class ModulesNotAllowed extends Data.TaggedError("ModulesNotAllowed")<{ readonly message: string }> {}

/** 404: the organization has no such record. */
export class RecordNotFound extends Data.TaggedError("RecordNotFound")<{ readonly module: Module }> {}

/** Needs Organizations once. The function it gives fails when the organization's plan does not have the modules. */
export const makeAllowModules = Effect.map(makePlanRefusal, (refusalOf) =>
  Effect.fnUntraced(function* (organizationId: string) {
    const refusal = yield* refusalOf(organizationId, "modules")
    if (refusal !== undefined) return yield* new ModulesNotAllowed({ message: refusal })
  })
)

const singular: Readonly<Record<Module, string>> = {
  companies: "company",
  products: "product",
  orders: "order",
  suppliers: "supplier"
}

/** What the audit log shows of a record: that its free texts have a value, and everything else as it is. */
const shown = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      ["phone", "email", "address", "notes", "customFields"].includes(name) && value !== null ? "(personal)" : value
    ])
  )

const own = ({ id: _i, organizationId: _o, createdAt: _c, updatedAt: _u, ...fields }: ModuleRecord) => fields

/** Needs Organizations, CustomFieldDefinitions and Audit once; the functions it gives need nothing. */
export const makeManageRecords = Effect.fnUntraced(function* <
  Kept extends ModuleRecord,
  New extends { readonly customFields?: CustomValues },
  Changes extends { readonly customFields?: CustomValues },
  Reported extends { readonly customFields?: CustomValues } = New
>(module: Module, records: Records<Kept, New, Changes, Reported>) {
  const allowModules = yield* makeAllowModules
  const definitions = yield* CustomFieldDefinitions
  const audit = yield* Audit
  const kind = singular[module]

  const allowed = (organizationId: string) =>
    Effect.andThen(allowModules(organizationId), definitions.list(organizationId, module))

  const fitting = Effect.fnUntraced(function* (
    organizationId: string,
    { customFields = {} }: New | Changes | Reported
  ) {
    const fields = yield* allowed(organizationId)
    const problem = customProblem(fields, customFields)
    if (problem !== undefined) return yield* new InvalidRecord({ message: problem })
    return fields
  })

  const known = (found: Kept | undefined): Effect.Effect<Kept, RecordNotFound> =>
    found === undefined ? Effect.fail(new RecordNotFound({ module })) : Effect.succeed(found)

  const find = (organizationId: string, id: string) => Effect.flatMap(records.find(organizationId, id), known)

  const change = <E>(
    organizationId: string,
    id: string,
    action: string,
    changed: Effect.Effect<Kept | undefined, E>
  ): Effect.Effect<Kept, E | RecordNotFound> =>
    Effect.gen(function* () {
      const before = yield* find(organizationId, id)
      return { before, after: yield* known(yield* changed) }
    }).pipe(
      (both) =>
        audit.recorded(organizationId, both, ({ before, after }) => ({
          action: `${kind}.${action}`,
          subjectId: id,
          ...changedFields(own(before), own(after), shown)
        })),
      Effect.map(({ after }) => after)
    )

  return {
    list: traced("ManageRecords.list")(function* (organizationId: string, filter: RecordFilter, part: Part) {
      const fields = yield* allowed(organizationId)
      const found = yield* records.list(organizationId, filter, part)
      return { ...found, data: found.data.map((record) => withShown(fields, record)) }
    }),
    get: traced("ManageRecords.get")(function* (organizationId: string, id: string) {
      const fields = yield* allowed(organizationId)
      return withShown(fields, yield* find(organizationId, id))
    }),
    create: traced("ManageRecords.create")(function* (organizationId: string, input: New) {
      const fields = yield* fitting(organizationId, input)
      const made = yield* audit.recorded(organizationId, records.create(organizationId, input), (record) => ({
        action: `${kind}.created`,
        subjectId: record.id,
        after: shown(own(record))
      }))
      return withShown(fields, made)
    }),
    update: traced("ManageRecords.update")(function* (organizationId: string, id: string, changes: Changes) {
      const fields = yield* fitting(organizationId, changes)
      return withShown(
        fields,
        yield* change(organizationId, id, "updated", records.update(organizationId, id, changes))
      )
    }),
    /** Stores what a source says of a record. There is no entry in the audit log when what is stored is newer. */
    report: traced("ManageRecords.report")(function* (organizationId: string, origin: Origin, input: Reported) {
      yield* fitting(organizationId, input)
      const before = yield* records.findReported(organizationId, origin)
      if (before?.source != null && Date.parse(before.source.updatedAt) > origin.updatedAt)
        return { record: before, outcome: "kept" as const }
      return yield* audit.recorded(organizationId, records.report(organizationId, origin, input), ({ record }) => ({
        action: before === undefined ? `${kind}.created` : `${kind}.updated`,
        subjectId: record.id,
        ...(before === undefined ? { after: shown(own(record)) } : changedFields(own(before), own(record), shown))
      }))
    }),
    setArchived: traced("ManageRecords.setArchived")(function* (organizationId: string, id: string, archived: boolean) {
      const fields = yield* allowed(organizationId)
      const action = archived ? "archived" : "restored"
      const changed = records.setArchived(organizationId, id, archived)
      return withShown(fields, yield* change(organizationId, id, action, changed))
    })
  }
})

const withShown = <Kept extends ModuleRecord>(fields: Parameters<typeof shownValues>[0], record: Kept): Kept => ({
  ...record,
  customFields: shownValues(fields, record.customFields)
})

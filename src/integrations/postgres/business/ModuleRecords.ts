/** The records of a module in Postgres: one way of listing, keeping and finding them for all modules. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Equal, Schema } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import type { CustomValues } from "../../../domain/business/records/CustomFields.ts"
import type { Module } from "../../../domain/business/records/Module.ts"
import { DuplicateRecord, type ModuleRecord, type Records } from "../../../domain/business/records/ModuleRecord.ts"
import { type Origin, type ReportOutcome, versionOf } from "../../../domain/business/records/Source.ts"
import { recordEvents } from "../events/EventLog.ts"
import { iso, isoOrNull, makeSql, within } from "../tenancy/Sql.ts"
import { makeModuleLists } from "./ModuleLists.ts"
import type { FieldsOf, ModuleTable } from "./ModuleTable.ts"
import { searchText, wordsOf } from "./SearchWords.ts"

interface Row {
  readonly id: string
  readonly organizationId: string
  readonly customFields: CustomValues
  readonly source: string | null
  readonly externalId: string | null
  readonly sourceAt: Date | null
  readonly archivedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly linked?: ReadonlyArray<string>
}

const sourceOf = ({ source, externalId, sourceAt }: Row) =>
  source === null || externalId === null || sourceAt === null
    ? null
    : { name: source, externalId, updatedAt: iso(sourceAt) }

interface Input {
  readonly customFields?: CustomValues
}

/** A record about to be stored. `customFields` are those that change. */
interface Stored<Kept extends ModuleRecord> {
  readonly id: string
  readonly fields: FieldsOf<Kept>
  readonly key: string | null
  readonly customFields: CustomValues | undefined
}

const withoutNulls = (values: CustomValues): CustomValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** The advisory lock of a name or number of a module's record, or of its source and its id there. */
export const recordLock = (sql: PgClient.PgClient, module: Module, organizationId: string, what: string) =>
  sql`hashtextextended(${`${module} ${organizationId} ${what}`}, 0)`

/** The store of one module. `schema` is that of its records. */
export const makeModuleRecords = Effect.fnUntraced(function* <
  Kept extends ModuleRecord,
  New extends Input,
  Changes extends Input,
  Reported extends Input = New
>(schema: Schema.Codec<Kept, unknown>, table: ModuleTable<Kept, New, Changes, Reported>) {
  const { sql, asTenant } = yield* makeSql
  const { module, links } = table
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))

  const records = (rows: ReadonlyArray<Row>) =>
    Effect.orDie(
      decode(
        rows.map((row) => ({
          id: row.id,
          organizationId: row.organizationId,
          customFields: row.customFields,
          source: sourceOf(row),
          archivedAt: isoOrNull(row.archivedAt),
          createdAt: iso(row.createdAt),
          updatedAt: iso(row.updatedAt),
          ...Object(table.read({ ...row }, row.linked ?? []))
        }))
      )
    )

  const columns =
    links === undefined
      ? sql`r.*`
      : sql`r.*, ARRAY(SELECT l.${sql(links.other)} FROM ${sql(links.table)} l
          WHERE l.organization_id = r.organization_id AND l.${sql(links.own)} = r.id ORDER BY 1) AS linked`

  const firstOf = (rows: ReadonlyArray<Row>) => Effect.map(records(rows), (found) => found.at(0))

  const byId = (id: string, locking = sql``) =>
    sql<Row>`SELECT ${columns} FROM ${sql(module)} r WHERE r.id = ${id} ${locking}`.pipe(Effect.flatMap(firstOf))

  const list = makeModuleLists<Row, Kept>(sql, {
    module,
    columns,
    filters: table.filters,
    broad: table.broadFilters ?? [],
    links,
    records
  })

  /** Writes the words that searches look up. Those that stay are not written again. */
  const index = (organizationId: string, id: string, words: ReadonlyArray<string>) =>
    sql`WITH gone AS (DELETE FROM module_words
        WHERE organization_id = ${organizationId} AND module = ${module} AND record_id = ${id} AND word <> ALL (${words}::text[]))
      INSERT INTO module_words (organization_id, module, word, record_id, created_at, archived)
        SELECT r.organization_id, ${module}, word, r.id, r.created_at, r.archived_at IS NOT NULL
        FROM ${sql(module)} r, unnest(${words}::text[]) AS word WHERE r.organization_id = ${organizationId} AND r.id = ${id}
        ON CONFLICT DO NOTHING`

  const written = Effect.fnUntraced(function* (
    organizationId: string,
    id: string,
    fields: FieldsOf<Kept>,
    before: FieldsOf<Kept> | undefined
  ) {
    const words = wordsOf(table.texts(fields))
    if (before === undefined || !Equal.equals(wordsOf(table.texts(before)), words))
      yield* index(organizationId, id, words)
    if (links === undefined) return
    yield* sql`DELETE FROM ${sql(links.table)} WHERE organization_id = ${organizationId} AND ${sql(links.own)} = ${id}`
    yield* sql`INSERT INTO ${sql(links.table)} (organization_id, ${sql(links.own)}, ${sql(links.other)})
      SELECT ${organizationId}, ${id}, other FROM unnest(${[...new Set(links.of(fields))].sort()}::text[]) AS other`
  })

  const lock = (organizationId: string, what: string) =>
    sql`SELECT pg_advisory_xact_lock(${recordLock(sql, module, organizationId, what)})`

  /** Lets one writer at a time take a name or number, so that a free one stays free. Fails when another record has it. */
  const takeKey = Effect.fnUntraced(function* (organizationId: string, id: string, fields: FieldsOf<Kept>) {
    const unique = table.unique(fields)
    if (unique === undefined) return null
    const { key, has } = unique
    yield* lock(organizationId, key)
    const [other] = yield* sql<{ id: string }>`SELECT id FROM ${sql(module)}
      WHERE organization_id = ${organizationId} AND unique_key = ${key} AND id <> ${id}`
    return other === undefined ? key : yield* new DuplicateRecord({ existingId: other.id, has })
  })

  const told = Effect.fnUntraced(function* (organizationId: string, before: Kept | undefined, id: string, now: number) {
    const after = yield* byId(id)
    if (after === undefined) return yield* Effect.die(new Error("What was just stored is not there"))
    const events = table.events?.(before, after) ?? []
    if (events.length > 0) yield* recordEvents(sql, organizationId, events, now)
    return after
  })

  const customColumn = (before: CustomValues, changes: CustomValues = {}) =>
    sql.json(withoutNulls({ ...before, ...changes }))

  const insert = Effect.fnUntraced(function* (
    organizationId: string,
    { id, fields, key, customFields }: Stored<Kept>,
    source: object,
    now: number
  ) {
    const row = {
      organization_id: organizationId,
      id,
      unique_key: key,
      ...table.columns(sql, fields),
      ...source,
      custom_fields: customColumn({}, customFields),
      words: searchText(table.texts(fields)),
      created_at: new Date("source" in source ? (table.madeAt?.(fields) ?? now) : now),
      updated_at: new Date(now)
    }
    yield* sql`INSERT INTO ${sql(module)} ${sql.insert(row)}`
    yield* written(organizationId, id, fields, undefined)
    return yield* told(organizationId, undefined, id, now)
  })

  /** Stores what has changed. Without a change there is no event, and the time of the last one stays. */
  const replace = Effect.fnUntraced(function* (
    organizationId: string,
    before: Kept,
    { id, fields, key, customFields }: Stored<Kept>,
    source: object,
    now: number
  ) {
    const custom = { ...before.customFields, ...customFields }
    const same =
      Object.entries(fields).every(([name, value]) => Equal.equals(value, Reflect.get(before, name))) &&
      Equal.equals(withoutNulls(custom), before.customFields)
    if (same) {
      if (Object.keys(source).length > 0)
        yield* sql`UPDATE ${sql(module)} SET ${sql.update({ ...source })} WHERE id = ${id}`
      return before
    }
    const row = {
      unique_key: key,
      ...table.columns(sql, fields),
      ...source,
      custom_fields: customColumn(before.customFields, customFields),
      words: searchText(table.texts(fields)),
      updated_at: new Date(now)
    }
    yield* sql`UPDATE ${sql(module)} SET ${sql.update(row)} WHERE id = ${id}`
    yield* written(organizationId, id, fields, before)
    return yield* told(organizationId, before, id, now)
  })

  const create = Effect.fnUntraced(function* (organizationId: string, input: New) {
    const now = yield* Clock.currentTimeMillis
    const id = newId(table.prefix, now)
    const fields = yield* table.fields(sql, organizationId, input, undefined, now)
    const key = yield* takeKey(organizationId, id, fields)
    return yield* insert(organizationId, { id, fields, key, customFields: input.customFields }, {}, now)
  })

  const update = Effect.fnUntraced(function* (organizationId: string, id: string, changes: Changes) {
    const now = yield* Clock.currentTimeMillis
    const before = yield* byId(id, sql`FOR NO KEY UPDATE OF r`)
    if (before === undefined) return undefined
    const fields = yield* table.fields(sql, organizationId, changes, before, now)
    const own = before.source === null || table.unique(fields)?.key !== table.unique(before)?.key
    const key = own ? yield* takeKey(organizationId, id, fields) : (table.unique(fields)?.key ?? null)
    return yield* replace(organizationId, before, { id, fields, key, customFields: changes.customFields }, {}, now)
  })

  const reported = (organizationId: string, { source, externalId }: Pick<Origin, "source" | "externalId">) =>
    sql<Row & { readonly sourceVersion: string }>`SELECT ${columns} FROM ${sql(module)} r
      WHERE r.organization_id = ${organizationId} AND r.source = ${source} AND r.external_id = ${externalId}`

  /** The record that was made here and has this key. */
  const madeHere = (organizationId: string, key: string) =>
    sql<{ id: string }>`SELECT id FROM ${sql(module)}
      WHERE organization_id = ${organizationId} AND unique_key = ${key} AND source IS NULL`

  const report = Effect.fnUntraced(function* (organizationId: string, origin: Origin, input: Reported) {
    const now = yield* Clock.currentTimeMillis
    const { source, externalId, updatedAt } = origin
    yield* lock(organizationId, `${source} ${externalId}`)
    const [known] = yield* reported(organizationId, origin)
    const version = versionOf(origin, input)
    if (known !== undefined && known.sourceVersion >= version) {
      const [record] = yield* records([known])
      return { record, outcome: "kept" as ReportOutcome }
    }
    const columnsOfSource = {
      source,
      external_id: externalId,
      source_at: new Date(updatedAt),
      source_version: version
    }
    const said = { customFields: input.customFields }
    if (known === undefined) {
      const fields = yield* table.fields(sql, organizationId, input, undefined, now)
      const key = table.unique(fields)?.key ?? null
      if (key !== null) yield* lock(organizationId, key)
      const [twin] = key === null || table.adopts !== true ? [] : yield* madeHere(organizationId, key)
      if (twin === undefined) {
        const made = { id: newId(table.prefix, now), fields, key, ...said }
        return {
          record: yield* insert(organizationId, made, columnsOfSource, now),
          outcome: "created" as ReportOutcome
        }
      }
      return yield* replaced(organizationId, twin.id, input, columnsOfSource, now)
    }
    return yield* replaced(organizationId, known.id, input, columnsOfSource, now)
  })

  const replaced = Effect.fnUntraced(function* (
    organizationId: string,
    id: string,
    input: Reported,
    source: object,
    now: number
  ) {
    const before = yield* byId(id, sql`FOR NO KEY UPDATE OF r`)
    if (before === undefined) return yield* Effect.die(new Error("A record that was just found is not there"))
    const fields = yield* table.fields(sql, organizationId, input, before, now)
    const made = { id, fields, key: table.unique(fields)?.key ?? null, customFields: input.customFields }
    return {
      record: yield* replace(organizationId, before, made, source, now),
      outcome: "updated" as ReportOutcome
    }
  })

  const setArchived = (id: string, archived: boolean) =>
    Effect.andThen(
      sql`UPDATE ${sql(module)} SET archived_at = ${archived ? sql`coalesce(archived_at, now())` : null}, updated_at = now() WHERE id = ${id}`,
      byId(id)
    )

  const store: Records<Kept, New, Changes, Reported> = {
    list: traced(`${module}.list`)(
      (organizationId, filter, part) => asTenant(organizationId)(list(organizationId, filter, part)),
      Effect.orDie
    ),
    find: traced(`${module}.find`)((organizationId, id) => asTenant(organizationId)(byId(id)), Effect.orDie),
    findReported: traced(`${module}.findReported`)(
      (organizationId, origin) =>
        asTenant(organizationId)(Effect.flatMap(reported(organizationId, origin), (rows) => firstOf(rows))),
      Effect.orDie
    ),
    findByKey: traced(`${module}.findByKey`)(
      (organizationId, key) =>
        asTenant(organizationId)(
          sql<Row>`SELECT ${columns} FROM ${sql(module)} r WHERE r.organization_id = ${organizationId}
            AND r.unique_key = ${table.keyOf(key)} ORDER BY r.created_at DESC, r.id DESC LIMIT 1`.pipe(
            Effect.flatMap(firstOf)
          )
        ),
      Effect.orDie
    ),
    report: traced(`${module}.report`)((organizationId, origin, input) =>
      within(asTenant(organizationId))(Effect.catchTag(report(organizationId, origin, input), "SqlError", Effect.die))
    ),
    create: traced(`${module}.create`)((organizationId, input) =>
      within(asTenant(organizationId))(Effect.catchTag(create(organizationId, input), "SqlError", Effect.die))
    ),
    update: traced(`${module}.update`)((organizationId, id, changes) =>
      within(asTenant(organizationId))(Effect.catchTag(update(organizationId, id, changes), "SqlError", Effect.die))
    ),
    setArchived: traced(`${module}.setArchived`)(
      (organizationId, id, archived) => asTenant(organizationId)(setArchived(id, archived)),
      Effect.orDie
    )
  }
  return store
})

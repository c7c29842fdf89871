/** Sources of knowledge bases in Postgres, and the claims of those that are to be synced. */
import { Clock, Effect, Layer, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import {
  KnowledgeSource,
  type KnowledgeSourceChanges,
  KnowledgeSources,
  type NewFileSource,
  type NewKnowledgeSource,
  type SyncJob
} from "../../../domain/ai/knowledge/KnowledgeSource.ts"
import { ProcessBus } from "../../../domain/basics/bus/ProcessBus.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import type { Part } from "../../../domain/basics/Listing.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { Plan, plans } from "../../../domain/people/organizations/Organization.ts"
import { newestFirst } from "../tenancy/Parts.ts"
import { iso, isoOrNull, makeSql } from "../tenancy/Sql.ts"
import { dueKnowledgeSources } from "./AcrossTenants.ts"
import { hasBase } from "./KnowledgeBasesPostgres.ts"
import { makeReplacePassages } from "./ReplacePassages.ts"

interface Row {
  readonly id: string
  /** What is synced: `file`, `pages`, `notion` or `answers`, by the type. */
  readonly content: unknown
  readonly type: KnowledgeSource["type"]
  readonly generation: number
  readonly attempts: number
  readonly vectorsModel: string | null
  readonly vectorsProblem: string | null
  readonly syncedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const decode = Schema.decodeUnknownEffect(Schema.Array(KnowledgeSource))

const toSources = (rows: ReadonlyArray<Row>) =>
  decode(
    rows.map(({ content, type, vectorsModel, vectorsProblem: problem, ...row }) => ({
      ...row,
      type,
      file: null,
      pages: null,
      notion: null,
      answers: null,
      [type]: content,
      vectors: { state: problem !== null ? "failing" : vectorsModel === null ? "none" : "ready", problem },
      syncedAt: isoOrNull(row.syncedAt),
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt)
    }))
  )

const contentOf = (input: NewKnowledgeSource | NewFileSource) => {
  if ("file" in input) return { type: "file", content: input.file, hours: null }
  if ("answers" in input) return { type: "answers", content: input.answers, hours: null }
  const hours = input.syncEveryHours ?? null
  return "notion" in input
    ? { type: "notion", content: input.notion, hours }
    : { type: "pages", content: input.pages, hours }
}

export const layer = Layer.effect(
  KnowledgeSources,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const replacePassages = makeReplacePassages(sql)

    const first = (statement: Fragment) =>
      Effect.flatMap(sql<Row>`${statement}`, (rows) => Effect.map(toSources(rows), (all) => all.at(0)))

    const list = Effect.fnUntraced(function* (baseId: string, part: Part) {
      if (!(yield* hasBase(sql, baseId))) return undefined
      const where = sql`knowledge_base_id = ${baseId}`
      return yield* newestFirst(sql, { table: "knowledge_sources", where, decode: toSources }, part)
    })

    const create = Effect.fnUntraced(function* (
      organizationId: string,
      baseId: string,
      input: NewKnowledgeSource | NewFileSource
    ) {
      // The lock waits for a removal of the knowledge base.
      const held = yield* sql`SELECT 1 FROM knowledge_bases WHERE id = ${baseId} FOR KEY SHARE`
      if (held.length === 0) return undefined
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const { type, content, hours } = contentOf(input)
      const id = "file" in input ? input.id : newId("kns", now)
      return yield* first(sql`INSERT INTO knowledge_sources
        (organization_id, id, knowledge_base_id, type, title, content, sync_every_hours, state, due_at, created_at, updated_at)
        VALUES (${organizationId}, ${id}, ${baseId}, ${type}, ${input.title}, ${JSON.stringify(content)}::jsonb, ${hours}, 'queued',
          ${at}, ${at}, ${at}) RETURNING *`)
    })

    const queued = sql`state = 'queued', problem = NULL, attempts = 0, generation = generation + 1`

    const update = Effect.fnUntraced(function* (
      baseId: string,
      id: string,
      { title, pages, notion, answers, syncEveryHours }: KnowledgeSourceChanges
    ) {
      const at = new Date(yield* Clock.currentTimeMillis)
      const content = pages ?? notion ?? answers
      const hours = syncEveryHours === undefined ? sql`sync_every_hours` : sql`${syncEveryHours}::integer`
      // The title is part of every passage.
      const changes =
        content === undefined && title === undefined
          ? sql`due_at = CASE WHEN state IN ('queued', 'syncing') THEN due_at ELSE synced_at + ${hours} * interval '1 hour' END`
          : sql`${queued}, due_at = ${at}, content = coalesce(${content === undefined ? null : JSON.stringify(content)}::jsonb, content),
              title = coalesce(${title ?? null}, title)`
      return yield* first(sql`UPDATE knowledge_sources SET ${changes}, sync_every_hours = ${hours}, updated_at = ${at}
        WHERE id = ${id} AND knowledge_base_id = ${baseId} RETURNING *`)
    })

    /** One source whose time has come, for this worker alone. */
    const claimOne = Effect.fnUntraced(function* (id: string, now: number, leaseMs: number) {
      const [row] = yield* sql<
        Row & { readonly organizationId: string; readonly knowledgeBaseId: string }
      >`UPDATE knowledge_sources
        SET state = 'syncing', attempts = attempts + 1, due_at = ${new Date(now + leaseMs)}, progress = '{"done":0,"total":0}'
        WHERE id = ${id} AND due_at <= ${new Date(now)} RETURNING *`
      if (row === undefined) return []
      const [source] = yield* toSources([row])
      const [{ language, plan }] = yield* sql<{ language: string; plan: string }>`SELECT b.language, o.plan
        FROM knowledge_bases b JOIN organizations o ON o.id = b.organization_id WHERE b.id = ${row.knowledgeBaseId}`
      const { passages } = plans[yield* Schema.decodeUnknownEffect(Plan)(plan)].knowledge
      const { organizationId, generation, attempts } = row
      return [{ organizationId, source, language, mostPassages: passages, generation, attempts } satisfies SyncJob]
    })

    /** Changes a source that is still being synced by this job. */
    const during = ({ organizationId, source, generation }: SyncJob, changes: Fragment) =>
      asTenant(organizationId)(
        sql`UPDATE knowledge_sources SET ${changes} WHERE id = ${source.id} AND generation = ${generation} AND state = 'syncing'`
      ).pipe(Effect.asVoid, Effect.orDie)

    const bus = yield* ProcessBus
    /** Tells whoever looks at the base that it changes. */
    const told = <A, E>(organizationId: string, baseId: string, change: Effect.Effect<A, E>, sourceId?: string) =>
      Effect.tap(change, () =>
        Effect.map(Clock.currentTimeMillis, (at) =>
          bus.publish({
            organizationId,
            type: "knowledge.updated",
            at,
            data: { knowledgeBase: { id: baseId }, source: sourceId === undefined ? null : { id: sourceId } }
          })
        )
      )

    return KnowledgeSources.of({
      list: traced("KnowledgeSources.list")(
        (organizationId, baseId, part) => asTenant(organizationId)(list(baseId, part)),
        Effect.orDie
      ),
      find: traced("KnowledgeSources.find")(
        (organizationId, baseId, id) =>
          asTenant(organizationId)(
            first(sql`SELECT * FROM knowledge_sources WHERE id = ${id} AND knowledge_base_id = ${baseId}`)
          ),
        Effect.orDie
      ),
      create: traced("KnowledgeSources.create")(
        (organizationId, baseId, input) =>
          told(organizationId, baseId, asTenant(organizationId)(create(organizationId, baseId, input))),
        Effect.orDie
      ),
      update: traced("KnowledgeSources.update")(
        (organizationId, baseId, id, changes) =>
          told(organizationId, baseId, asTenant(organizationId)(update(baseId, id, changes))),
        Effect.orDie
      ),
      queue: traced("KnowledgeSources.queue")(function* (organizationId, baseId, id) {
        const at = new Date(yield* Clock.currentTimeMillis)
        const queueing = asTenant(organizationId)(
          first(sql`UPDATE knowledge_sources SET ${queued}, due_at = ${at}, updated_at = ${at}
            WHERE id = ${id} AND knowledge_base_id = ${baseId} RETURNING *`)
        )
        return yield* told(organizationId, baseId, queueing)
      }, Effect.orDie),
      remove: traced("KnowledgeSources.remove")(
        (organizationId, baseId, id) =>
          told(
            organizationId,
            baseId,
            Effect.map(
              asTenant(organizationId)(
                sql`DELETE FROM knowledge_sources WHERE id = ${id} AND knowledge_base_id = ${baseId} RETURNING id`
              ),
              (gone) => gone.length > 0
            )
          ),
        Effect.orDie
      ),
      files: traced("KnowledgeSources.files")(
        (organizationId, baseId) =>
          Effect.map(
            asTenant(organizationId)(
              sql<{
                id: string
              }>`SELECT id FROM knowledge_sources WHERE knowledge_base_id = ${baseId} AND type = 'file'`
            ),
            (rows) => rows.map(({ id }) => id)
          ),
        Effect.orDie
      ),
      claim: traced("KnowledgeSources.claim")(function* (now, leaseMs, most) {
        const due = yield* dueKnowledgeSources(sql, now, most)
        const claimed = yield* Effect.forEach(due, ({ organizationId, id }) =>
          asTenant(organizationId)(claimOne(id, now, leaseMs))
        )
        return claimed.flat()
      }, Effect.orDie),
      hold: traced("KnowledgeSources.hold")((job, until, progress) =>
        told(
          job.organizationId,
          job.source.knowledgeBaseId,
          during(job, sql`due_at = ${new Date(until)}, progress = ${JSON.stringify(progress)}::jsonb`),
          job.source.id
        )
      ),
      replace: traced("KnowledgeSources.replace")(
        (job, passages, dictionaries, skipped) =>
          told(
            job.organizationId,
            job.source.knowledgeBaseId,
            asTenant(job.organizationId)(replacePassages(job, passages, dictionaries, skipped)),
            job.source.id
          ),
        Effect.orDie
      ),
      failed: traced("KnowledgeSources.failed")(function* (job, problem, skipped, again) {
        const { syncEveryHours: hours } = job.source
        // A source that is synced by itself tries again at its next time.
        const next = hours === null ? undefined : (yield* Clock.currentTimeMillis) + hours * 3_600_000
        const due = again ?? next
        const failing = during(
          job,
          sql`state = 'failed', problem = ${problem}, skipped = ${JSON.stringify(skipped)}::jsonb, progress = NULL,
            due_at = ${due === undefined ? null : new Date(due)}, attempts = CASE WHEN ${again === undefined} THEN 0 ELSE attempts END`
        )
        yield* told(job.organizationId, job.source.knowledgeBaseId, failing, job.source.id)
      })
    })
  })
)

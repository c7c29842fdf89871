/**
 * The audit log: who changed what, from where, with the values before and after. An entry is written in the transaction of its change. It is never
 * changed: the service's database role may not.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import { JsonRecord } from "../../basics/Json.ts"
import type { Page } from "../../basics/Listing.ts"

/** Who made a change. `operator`: a person at the command line; `system`: the service itself, or an engine that reports a call. */
export const Actor = Schema.Struct({
  type: Schema.Literals(["key", "user", "operator", "system"]),
  id: Schema.NullOr(Schema.String)
})
export type Actor = typeof Actor.Type

/** On whose behalf a fiber works. */
export const ActingFor = Schema.Struct({
  actor: Actor,
  ip: Schema.NullOr(Schema.String),
  requestId: Schema.NullOr(Schema.String)
})
export type Acting = typeof ActingFor.Type

/** Set where a request is authenticated, so that use cases need not pass it on. Default: the service itself. */
export const Acting = Context.Reference<Acting>("parley/domain/Acting", {
  defaultValue: () => ({ actor: { type: "system", id: null }, ip: null, requestId: null })
})

/** What a person (`usr_…`) or an API key (`key_…`) of the organization does outside a request, e.g. by a button of a team chat. */
export const actingAs = (id: string): Acting => ({
  actor: { type: id.startsWith("key_") ? "key" : "user", id },
  ip: null,
  requestId: null
})

/** An entry without secrets: its writer masks them. */
export interface AuditEntry {
  /** `<kind>.<what happened>`, e.g. `voice_agent.updated`. */
  readonly action: string
  readonly subjectId: string
  readonly before?: object
  readonly after?: object
}

export const AuditRecord = Schema.Struct({
  id: Schema.String,
  action: Schema.String,
  subjectId: Schema.String,
  actor: Actor,
  before: Schema.NullOr(JsonRecord),
  after: Schema.NullOr(JsonRecord),
  /** Further facts about a call: what moderation flagged, why it was handed over. */
  details: JsonRecord,
  ip: Schema.NullOr(Schema.String),
  requestId: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotate({
  title: "AuditEntry",
  examples: [
    {
      id: exampleIds.auditEntry,
      action: "contact.archived",
      subjectId: exampleIds.contact,
      actor: { type: "user", id: exampleIds.owner },
      before: { archivedAt: null },
      after: { archivedAt: "2026-11-22T10:00:00.000Z" },
      details: {},
      ip: "203.0.113.7",
      requestId: exampleIds.request,
      createdAt: "2026-11-22T10:00:00.000Z"
    }
  ]
})
export type AuditRecord = typeof AuditRecord.Type

export interface AuditFilter {
  /** An action; `contact.*` for all about one kind of subject, `*.erased` for all of one kind of act. Several are separated by commas. */
  readonly action?: string
  readonly actorId?: string
  readonly subjectId?: string
  /** From this time on. */
  readonly from?: Date
  /** Before this time. */
  readonly to?: Date
}

export class Audit extends Context.Service<
  Audit,
  {
    /** Makes the change and writes its `entry` in one transaction: both are committed, or neither is. */
    readonly recorded: <A, E>(
      organizationId: string,
      change: Effect.Effect<A, E>,
      entry: (result: A) => AuditEntry
    ) => Effect.Effect<A, E>
    /** Newest first. */
    readonly list: (
      organizationId: string,
      filter: AuditFilter,
      page: number,
      limit: number
    ) => Effect.Effect<Page<AuditRecord>>
  }
>()("parley/domain/Audit") {}

/** The fields that differ, with their values before and after. `show` masks secrets after the comparison. */
export const changedFields = <A extends object>(
  before: A,
  after: A,
  show: (record: A) => object = (record) => record
): { readonly before: object; readonly after: object } => {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const field = (record: object, name: string) => JSON.stringify(Reflect.get(record, name))
  const changed = [...names].filter((name) => field(before, name) !== field(after, name))
  const only = (record: object) => Object.fromEntries(changed.map((name) => [name, Reflect.get(record, name) ?? null]))
  return { before: only(show(before)), after: only(show(after)) }
}

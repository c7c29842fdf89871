/**
 * The audit log: who changed what, from where, and what it was before. An entry is written in the transaction of its change, and never
 * changed: the service's role in the database may not.
 */
import { Context, type Effect, Schema } from "effect"
import { JsonRecord } from "../../basics/Json.ts"
import type { Page } from "../../basics/Listing.ts"

/** `operator`: somebody at the command line; `system`: the service by itself, or an engine telling of a call. */
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

/** Set where a request is authenticated, so that use cases need not hand it on; the service itself when nothing was set. */
export const Acting = Context.Reference<Acting>("parley/domain/Acting", {
  defaultValue: () => ({ actor: { type: "system", id: null }, ip: null, requestId: null })
})

/** Not a secret among it: who writes an entry masks them. */
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
  /** What else is told of a call: what moderation flagged, why it was handed over. */
  details: JsonRecord,
  ip: Schema.NullOr(Schema.String),
  requestId: Schema.NullOr(Schema.String),
  createdAt: Schema.String
})
export type AuditRecord = typeof AuditRecord.Type

export interface AuditFilter {
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
    /** Makes the change and writes what `entry` says of it in one transaction: either both are there afterwards or neither is. */
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

/** The fields that differ, as they were and as they are; `show` masks secrets after they were compared. */
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

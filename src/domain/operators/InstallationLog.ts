/**
 * What happened to the installation: what operators did, with the reason that they gave, and what its nodes and providers did by themselves. An entry
 * is written in the transaction of its change, and is never changed. What an operator changes of an organization is in that organization's audit log, too.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import { JsonRecord } from "../basics/Json.ts"
import type { Page } from "../basics/Listing.ts"

/** What can happen. */
export const installationEventTypes = [
  "operator.added",
  "operator.removed",
  "operator.password_changed",
  "session.started",
  "session.ended",
  "organization.changed",
  "flag.gated",
  "resync.started",
  "resync.paused",
  "resync.resumed",
  "resync.cancelled",
  "resync.completed",
  "node.started",
  "node.drained",
  "node.opened",
  "node.stopped",
  "node.lost",
  "provider.failed",
  "provider.recovered"
] as const
export const InstallationEventType = Schema.Literals(installationEventTypes)
export type InstallationEventType = typeof InstallationEventType.Type

/** Why an operator does something: a sentence for whoever reads it later. */
export const Reason = Schema.String.check(Schema.isMinLength(3), Schema.isMaxLength(500)).annotate({
  examples: ["They signed the Enterprise contract of November."]
})

export const InstallationEvent = Schema.Struct({
  id: Schema.String,
  type: InstallationEventType,
  /** `operator` without an id: somebody at the command line. */
  actor: Schema.Struct({
    type: Schema.Literals(["operator", "system"]),
    id: Schema.NullOr(Schema.String),
    name: Schema.NullOr(Schema.String)
  }),
  /** The organization that it is about. */
  organizationId: Schema.NullOr(Schema.String),
  /** The operator, session, flag, resync, node or provider that it is about. */
  subjectId: Schema.NullOr(Schema.String),
  /** The fields that changed, `before` and `after`; or what is known of it. */
  details: JsonRecord,
  reason: Schema.NullOr(Schema.String),
  ip: Schema.NullOr(Schema.String),
  requestId: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotate({
  title: "InstallationEvent",
  examples: [
    {
      id: exampleIds.installationEvent,
      type: "organization.changed",
      actor: { type: "operator", id: exampleIds.operator, name: "Noor Haddad" },
      organizationId: exampleIds.organization,
      subjectId: null,
      details: { before: { plan: "PREMIUM" }, after: { plan: "ENTERPRISE" } },
      reason: "They signed the Enterprise contract of November.",
      ip: "203.0.113.7",
      requestId: exampleIds.request,
      createdAt: "2026-11-22T10:00:00.000Z"
    }
  ]
})
export type InstallationEvent = typeof InstallationEvent.Type

export interface InstallationEntry {
  readonly type: InstallationEventType
  readonly organizationId?: string
  readonly subjectId?: string
  readonly details?: object
  readonly reason?: string
}

export interface InstallationFilter {
  readonly type?: InstallationEventType
  readonly organizationId?: string
}

export class InstallationLog extends Context.Service<
  InstallationLog,
  {
    /** Makes the change and writes its entry in one transaction, which is that of the organization when the entry names one. */
    readonly recorded: <A, E>(
      change: Effect.Effect<A, E>,
      entry: (result: A) => InstallationEntry,
      organizationId?: string
    ) => Effect.Effect<A, E>
    /** Runs one such effect at a time, over all processes, in a transaction: it sees what those before it have written. */
    readonly inTurn: (name: string) => <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
    /** Writes what the service saw by itself at `at` (Unix milliseconds). What several processes saw is written once for each `seed`. */
    readonly saw: (seed: string, entry: InstallationEntry, at: number) => Effect.Effect<void>
    /** Newest first. */
    readonly list: (filter: InstallationFilter, page: number, limit: number) => Effect.Effect<Page<InstallationEvent>>
    /** Removes at most `most` entries: of the service itself from before `seen`, of operators from before `done` (Unix milliseconds). Gives how many. */
    readonly expire: (before: { readonly seen: number; readonly done: number }, most: number) => Effect.Effect<number>
  }
>()("parley/domain/InstallationLog") {}

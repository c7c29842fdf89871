/**
 * A run that brings the voice agents of one organization, or of all, up to date: each gets the locked provider stack, and the engines its configuration
 * (`ResyncAgents`). One process works it off, agent by agent; it can be paused and goes on where it stopped, also after a crash. At most one run is
 * under way.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import type { Page } from "../basics/Listing.ts"
import type { Resynced } from "../voice/agents/ResyncAgents.ts"

/** The failures that a run keeps; beyond it they are only counted. */
export const mostResyncFailures = 500

export const ResyncFailure = Schema.Struct({
  organizationId: Schema.String,
  agentId: Schema.String,
  /** Why, as a sentence. The agent keeps working as before. */
  reason: Schema.String
})
export type ResyncFailure = typeof ResyncFailure.Type

const summary = {
  id: Schema.String,
  /** Null: all organizations. */
  organizationId: Schema.NullOr(Schema.String),
  status: Schema.Literals(["running", "paused", "cancelled", "completed"]),
  reason: Schema.String,
  /** How many agents there were at the beginning; null until they are counted. */
  total: Schema.NullOr(Schema.Int),
  updated: Schema.Int,
  unchanged: Schema.Int,
  failed: Schema.Int,
  createdAt: Schema.String,
  updatedAt: Schema.String,
  endedAt: Schema.NullOr(Schema.String)
}

const example = {
  id: exampleIds.resync,
  organizationId: null,
  status: "running" as const,
  reason: "The new voices reach everybody.",
  total: 1_840,
  updated: 212,
  unchanged: 300,
  failed: 1,
  createdAt: "2026-11-22T10:00:00.000Z",
  updatedAt: "2026-11-22T10:04:10.000Z",
  endedAt: null
}

export const Resync = Schema.Struct(summary).annotate({ title: "Resync", examples: [example] })
export type Resync = typeof Resync.Type

export const ResyncDetail = Schema.Struct({ ...summary, failures: Schema.Array(ResyncFailure) }).annotate({
  title: "ResyncDetail",
  examples: [
    {
      ...example,
      failures: [
        {
          organizationId: exampleIds.organization,
          agentId: exampleIds.agent,
          reason: 'There is another agent with the name "Reception".'
        }
      ]
    }
  ]
})
export type ResyncDetail = typeof ResyncDetail.Type

/** A run that a process has claimed, and the last agent that was brought up to date. */
export interface ClaimedResync {
  readonly id: string
  readonly claim: string
  readonly organizationId: string | undefined
  readonly total: number | undefined
  readonly after: { readonly organizationId: string; readonly agentId: string } | undefined
}

/** 409: another run is under way. */
export class ResyncUnderWay extends Schema.TaggedError<ResyncUnderWay>()("ResyncUnderWay", {}) {}

/** Port of the stored runs. Times are Unix milliseconds. */
export class Resyncs extends Context.Service<
  Resyncs,
  {
    readonly start: (
      input: { readonly organizationId: string | null; readonly reason: string },
      now: number
    ) => Effect.Effect<Resync, ResyncUnderWay>
    readonly find: (id: string) => Effect.Effect<ResyncDetail | undefined>
    /** Newest first. */
    readonly list: (page: number, limit: number) => Effect.Effect<Page<Resync>>
    /** Moves a run from one of the states `from` to another. False when it is in none of them. */
    readonly move: (
      id: string,
      from: ReadonlyArray<Resync["status"]>,
      to: Resync["status"],
      now: number
    ) => Effect.Effect<boolean>
    /** Takes the run that waits for a process, until `until`. */
    readonly claim: (now: number, until: number) => Effect.Effect<ClaimedResync | undefined>
    readonly counted: (claimed: ClaimedResync, total: number) => Effect.Effect<void>
    /** Notes what became of an agent, and keeps the claim until `until`. False when the run was paused or ended, or another process has it. */
    readonly progress: (claimed: ClaimedResync, result: Resynced, now: number, until: number) => Effect.Effect<boolean>
    /** Nobody works on the run any more: another process may take it at once. */
    readonly release: (claimed: ClaimedResync) => Effect.Effect<void>
  }
>()("parley/domain/Resyncs") {}

/**
 * A broadcast sends one template to many contacts. Its audience is frozen when it starts. From then on each recipient has a row of its own, gets
 * one message even when processes die, and counts in exactly one status.
 *
 *   draft ──start──▶ running ◀──▶ paused          scheduled: starts by itself, or earlier when somebody starts it
 *   scheduled ──────▶   │           │             failed: it could not start when its time had come
 *                    completed   cancelled
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { TemplateComponents } from "../templates/TemplateComponents.ts"
import { Audience } from "./Audience.ts"
import { BroadcastCounts, noneSkipped } from "./BroadcastCounts.ts"
import type { BroadcastRecipient } from "./BroadcastRecipient.ts"

export const BroadcastStatus = Schema.Literals([
  "draft",
  "scheduled",
  "running",
  "paused",
  "completed",
  "cancelled",
  "failed"
])
export type BroadcastStatus = typeof BroadcastStatus.Type

export const Broadcast = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  name: Schema.String,
  templateName: Schema.String,
  language: Schema.String,
  /** As the client sent them, with placeholders. */
  components: TemplateComponents,
  audience: Audience,
  status: BroadcastStatus,
  scheduledAt: Schema.NullOr(Schema.String),
  startedAt: Schema.NullOr(Schema.String),
  /** When the last recipient was done, or the broadcast was cancelled. */
  endedAt: Schema.NullOr(Schema.String),
  /** Why it could not start. */
  failureReason: Schema.NullOr(Schema.String),
  /** All zero before the start. */
  counts: BroadcastCounts,
  /** An API key (`key_…`) or a person (`usr_…`). */
  createdBy: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  identifier: "Broadcast",
  examples: [
    {
      id: exampleIds.broadcast,
      organizationId: exampleIds.organization,
      name: "Reading with Ada Quill",
      templateName: "order_ready",
      language: "en_US",
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", text: "{{firstName|there}}" },
            { type: "text", text: "2041" }
          ]
        }
      ],
      audience: { tags: ["book club"] },
      status: "running",
      scheduledAt: null,
      startedAt: "2026-11-22T12:00:00.000Z",
      endedAt: null,
      failureReason: null,
      counts: {
        total: 3,
        queued: 1,
        unknown: 0,
        sent: 0,
        delivered: 1,
        read: 0,
        failed: 0,
        skipped: 1,
        skippedBy: { ...noneSkipped, opted_out: 1 }
      },
      createdBy: exampleIds.owner,
      createdAt: "2026-11-22T11:50:00.000Z",
      updatedAt: "2026-11-22T12:00:00.000Z"
    }
  ]
})
export type Broadcast = typeof Broadcast.Type

/** What a start would do now. */
export const BroadcastPreview = Schema.Struct({
  dryRun: Schema.Literal(true),
  total: Schema.Int,
  /** How many would get the message. */
  recipients: Schema.Int,
  skipped: Schema.Struct({
    opted_out: Schema.Int,
    never_opted_in: Schema.Int,
    no_phone: Schema.Int,
    archived: Schema.Int
  }),
  /** How many the plan allows; null: any number. */
  limit: Schema.NullOr(Schema.Int)
}).annotate({
  title: "BroadcastPreview",
  examples: [
    {
      dryRun: true,
      total: 3,
      recipients: 2,
      skipped: { opted_out: 1, never_opted_in: 0, no_phone: 0, archived: 0 },
      limit: 1_000
    }
  ]
})
export type BroadcastPreview = typeof BroadcastPreview.Type

export type BroadcastAction = "start" | "pause" | "resume" | "cancel"

const moves: Readonly<Record<BroadcastAction, Partial<Record<BroadcastStatus, BroadcastStatus>>>> = {
  start: { draft: "running", scheduled: "running" },
  pause: { running: "paused" },
  resume: { paused: "running" },
  cancel: { draft: "cancelled", scheduled: "cancelled", running: "cancelled", paused: "cancelled" }
}

/** The past participle of each action, for sentences and the audit log. */
export const done: Readonly<Record<BroadcastAction, string>> = {
  start: "started",
  pause: "paused",
  resume: "resumed",
  cancel: "cancelled"
}

/** The status after an action, or the sentence that says why the action is not possible. Repeating an action leaves the status as it is. */
export const moved = (
  status: BroadcastStatus,
  action: BroadcastAction
): { readonly status: BroadcastStatus } | { readonly problem: string } => {
  const next = moves[action][status]
  if (next !== undefined) return { status: next }
  if (Object.values(moves[action]).includes(status)) return { status }
  const from = Object.keys(moves[action]).join(" or ")
  return { problem: `This broadcast is ${status} and cannot be ${done[action]}: only one that is ${from} can be.` }
}

export interface NewBroadcast {
  readonly name: string
  readonly templateName: string
  readonly language: string
  readonly components: TemplateComponents
  readonly audience: Audience
  /** Unix milliseconds. */
  readonly scheduledAt?: number
}

/** 409: the action is not possible in the broadcast's status. */
export class BroadcastNotMovable extends Schema.TaggedError<BroadcastNotMovable>()("BroadcastNotMovable", {
  message: Schema.String
}) {}
/** 403: the audience has more recipients than the plan allows. */
export class AudienceTooLarge extends Schema.TaggedError<AudienceTooLarge>()("AudienceTooLarge", {
  recipients: Schema.Int
}) {}

export type RecipientCounts = Omit<BroadcastPreview, "dryRun" | "limit">

/** The port to manage broadcasts. The worker that sends them uses `BroadcastQueue`. Times are Unix milliseconds. */
export class Broadcasts extends Context.Service<
  Broadcasts,
  {
    readonly list: (
      organizationId: string,
      filter: { readonly status?: BroadcastStatus },
      part: Part
    ) => Effect.Effect<Listed<Broadcast>>
    readonly find: (organizationId: string, broadcastId: string) => Effect.Effect<Broadcast | undefined>
    /** Creates a broadcast: `scheduled` when it has a time, else `draft`. */
    readonly create: (
      organizationId: string,
      input: NewBroadcast & { readonly id: string },
      by: string,
      now: number
    ) => Effect.Effect<Broadcast>
    /** Counts the contacts that an audience has now. */
    readonly count: (organizationId: string, audience: Audience) => Effect.Effect<RecipientCounts>
    /** The given ids that belong to no contact. */
    readonly strangers: (
      organizationId: string,
      contactIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>>
    /**
     * Carries out an action. A start freezes the audience, with at most `limit` recipients that get a message (null: any number). A cancel skips
     * waiting recipients. Once a pause or a cancel has returned, no waiting recipient gets a message. `undefined` when there is no such broadcast.
     */
    readonly move: (
      organizationId: string,
      broadcastId: string,
      action: BroadcastAction,
      limit: number | null,
      now: number
    ) => Effect.Effect<Broadcast | undefined, BroadcastNotMovable | AudienceTooLarge>
    /** The recipients in the order of sending; `undefined` when there is no such broadcast. */
    readonly recipients: (
      organizationId: string,
      broadcastId: string,
      filter: { readonly status?: BroadcastRecipient["status"] },
      part: Part
    ) => Effect.Effect<Listed<BroadcastRecipient> | undefined>
  }
>()("parley/domain/Broadcasts") {}

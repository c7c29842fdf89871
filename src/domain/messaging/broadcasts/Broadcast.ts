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
import { plainText } from "../../basics/PlainText.ts"
import type { Contact } from "../../people/contacts/Contact.ts"
import { TemplateComponents } from "../templates/TemplateComponents.ts"

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

/** Why a recipient got nothing. `missing_value`: a placeholder without replacement, and the contact has nothing for it. */
export const SkipReason = Schema.Literals([
  /** The contact said that it does not want messages. */
  "opted_out",
  /** The contact never said that it wants messages. */
  "never_opted_in",
  "no_phone",
  "archived",
  "erased",
  "missing_value",
  "rate_limited",
  "cancelled"
])
export type SkipReason = typeof SkipReason.Type

/** The union of the contacts with any of the tags, the contacts named by id, and, with `all`, everybody who has opted in; each contact once. */
export const Audience = Schema.Struct({
  all: Schema.optionalKey(Schema.Literal(true)),
  tags: Schema.optionalKey(Schema.Array(plainText(64)).check(Schema.isMaxLength(50))),
  contactIds: Schema.optionalKey(Schema.Array(plainText(60)).check(Schema.isMaxLength(10_000)))
}).check(
  Schema.makeFilter(
    ({ all, tags = [], contactIds = [] }) =>
      all === true || tags.length + contactIds.length > 0 || "must name somebody: send all, tags or contactIds."
  )
)
export type Audience = typeof Audience.Type

const zero = {
  opted_out: 0,
  never_opted_in: 0,
  no_phone: 0,
  archived: 0,
  erased: 0,
  missing_value: 0,
  rate_limited: 0,
  cancelled: 0
}

/** The number of recipients in each status. Each recipient counts in one of them; `total` is their sum. */
export const BroadcastCounts = Schema.Struct({
  total: Schema.Int,
  /** The channel does not have the message yet. */
  queued: Schema.Int,
  /** The message was handed to the channel and the answer was lost: it may be on its way. */
  unknown: Schema.Int,
  /** The channel has the message and has not delivered it yet. */
  sent: Schema.Int,
  /** Delivered, and not read yet. */
  delivered: Schema.Int,
  read: Schema.Int,
  failed: Schema.Int,
  skipped: Schema.Int,
  skippedBy: Schema.Struct({
    opted_out: Schema.Int,
    never_opted_in: Schema.Int,
    no_phone: Schema.Int,
    archived: Schema.Int,
    erased: Schema.Int,
    missing_value: Schema.Int,
    rate_limited: Schema.Int,
    cancelled: Schema.Int
  })
})
export type BroadcastCounts = typeof BroadcastCounts.Type

export interface CountRow {
  readonly status: "waiting" | "queued" | "unknown" | "sent" | "delivered" | "read" | "failed" | "skipped"
  /** A `SkipReason` when `status` is `skipped`. */
  readonly reason: string
  readonly count: number
}

const isReason = Schema.is(SkipReason)

/** Adds up rows that each count some recipients. */
export const countsOf = (rows: ReadonlyArray<CountRow>): BroadcastCounts => {
  const sum = (...statuses: ReadonlyArray<CountRow["status"]>) =>
    rows.filter(({ status }) => statuses.includes(status)).reduce((total, { count }) => total + count, 0)
  const skippedBy = { ...zero }
  for (const { status, reason, count } of rows) if (status === "skipped" && isReason(reason)) skippedBy[reason] += count
  return {
    total: rows.reduce((total, { count }) => total + count, 0),
    queued: sum("waiting", "queued"),
    unknown: sum("unknown"),
    sent: sum("sent"),
    delivered: sum("delivered"),
    read: sum("read"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    skippedBy
  }
}

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
        skippedBy: { ...zero, opted_out: 1 }
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

export const BroadcastRecipient = Schema.Struct({
  contactId: Schema.String,
  /** Null when the contact has none, or was erased. */
  name: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  status: Schema.Literals(["queued", "sent", "delivered", "read", "failed", "skipped"]),
  /** Why it was skipped, or failed. */
  reason: Schema.NullOr(Schema.String),
  /** Null until the message is stored. */
  messageId: Schema.NullOr(Schema.String),
  updatedAt: Schema.String
}).annotate({
  title: "BroadcastRecipient",
  examples: [
    {
      contactId: exampleIds.contact,
      name: "Asha Rao",
      phone: "+14155550123",
      status: "delivered",
      reason: null,
      messageId: exampleIds.answer,
      updatedAt: "2026-11-22T12:00:02.000Z"
    }
  ]
})
export type BroadcastRecipient = typeof BroadcastRecipient.Type
export const RecipientStatus = BroadcastRecipient.fields.status

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

/** The part of a contact that decides whether it gets a broadcast. */
export interface Addressee extends Pick<Contact, "id" | "name" | "phone" | "email" | "optedIn"> {
  readonly archived: boolean
  /** The contact has once said that it does not want messages. */
  readonly withdrew: boolean
  /** The contact has a number, or the channel knows it by the channel's own id. */
  readonly reachable: boolean
}

/** Why this contact is skipped; `undefined` when it gets the message. */
export const unwanted = (contact: Addressee | undefined): SkipReason | undefined => {
  if (contact === undefined) return "erased"
  if (contact.archived) return "archived"
  if (!contact.optedIn) return contact.withdrew ? "opted_out" : "never_opted_in"
  return contact.reachable ? undefined : "no_phone"
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

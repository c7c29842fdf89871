/**
 * Our copy of an organization's message templates. Templates are created, approved and removed at the channel. We copy them (`SyncTemplates.ts`), so
 * that a message can be checked before it is sent (`CheckTemplate.ts`).
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import type { ChannelTemplate } from "../channel/MessagingChannel.ts"
import { TemplateSlot } from "./TemplateSlots.ts"

export const Template = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  channelTemplateId: Schema.String,
  name: Schema.String,
  /** The channel's spelling: `en_US`. */
  language: Schema.String,
  /** The channel's word: `APPROVED` can be sent; `PENDING`, `REJECTED`, `PAUSED`, `DISABLED` … cannot. `REMOVED` is ours: the channel removed it. */
  status: Schema.String,
  category: Schema.String,
  /** Header, body, footer and buttons, as the channel gives them. */
  components: Schema.Array(Schema.Json),
  /** What a message must give for the template, read from `components`. */
  parameters: Schema.Array(TemplateSlot),
  rejectedReason: Schema.NullOr(Schema.String),
  /** The time of the last sync that found it, or found it removed. */
  syncedAt: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  identifier: "Template",
  examples: [
    {
      id: exampleIds.template,
      organizationId: exampleIds.organization,
      channelTemplateId: "900100",
      name: "order_ready",
      language: "en_US",
      status: "APPROVED",
      category: "UTILITY",
      components: [{ type: "BODY", text: "Hello {{1}}, your order {{2}} is ready at Maple Books." }],
      parameters: [{ type: "body", subType: null, index: null, format: "text", count: 2, names: null, required: true }],
      rejectedReason: null,
      syncedAt: "2026-11-21T09:00:00.000Z",
      createdAt: "2026-11-20T08:11:00.000Z",
      updatedAt: "2026-11-20T08:11:00.000Z"
    }
  ]
})
export type Template = typeof Template.Type

export const removed = "REMOVED"
export const approved = "APPROVED"

export interface TemplateFilter {
  /** The whole name. */
  readonly name?: string
  readonly status?: string
  readonly language?: string
}

/** What a sync found. */
export const TemplateSync = Schema.Struct({
  added: Schema.Int,
  changed: Schema.Int,
  removed: Schema.Int,
  unchanged: Schema.Int,
  syncedAt: Schema.String
}).annotate({
  title: "TemplateSync",
  examples: [{ added: 1, changed: 0, removed: 0, unchanged: 4, syncedAt: "2026-11-21T09:00:00.000Z" }]
})
export type TemplateSync = typeof TemplateSync.Type

/** The known templates with one name, for the check of a message. */
export interface KnownTemplates {
  /** In all languages, including removed ones. */
  readonly templates: ReadonlyArray<Template>
  /** Whether the organization's templates were ever synced. */
  readonly synced: boolean
}

/** Port of the stored templates. Times are Unix milliseconds. */
export class Templates extends Context.Service<
  Templates,
  {
    readonly list: (organizationId: string, filter: TemplateFilter, part: Part) => Effect.Effect<Listed<Template>>
    readonly find: (organizationId: string, templateId: string) => Effect.Effect<Template | undefined>
    /** All templates with this name. */
    readonly named: (organizationId: string, name: string) => Effect.Effect<KnownTemplates>
    /** When the last sync ran; `undefined` before the first. */
    readonly lastSync: (organizationId: string) => Effect.Effect<number | undefined>
    /**
     * Makes the copy equal to what the channel listed: adds and changes templates, and marks missing ones `REMOVED`. A changed status is reported by
     * the event `template.updated`, in the same transaction. Only one sync of an organization runs at a time.
     */
    readonly replace: (
      organizationId: string,
      listed: ReadonlyArray<ChannelTemplate>,
      now: number
    ) => Effect.Effect<TemplateSync>
  }
>()("parley/domain/Templates") {}

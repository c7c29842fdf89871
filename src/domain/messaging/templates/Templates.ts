/**
 * Message templates of an organization, as its channel last told of them. The channel decides about them: they are made, approved and
 * removed there, and copied here (`SyncTemplates.ts`), so that a message can be checked before it goes out (`CheckTemplate.ts`).
 */
import { Context, type Effect, Schema } from "effect"
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
  /** The channel's word: `APPROVED` can be sent; `PENDING`, `REJECTED`, `PAUSED`, `DISABLED` … cannot. `REMOVED`: the channel has it no more. */
  status: Schema.String,
  category: Schema.String,
  /** Header, body, footer and buttons, as the channel gives them. */
  components: Schema.Array(Schema.Json),
  /** What a message has to bring for it, worked out from `components`. */
  parameters: Schema.Array(TemplateSlot),
  rejectedReason: Schema.NullOr(Schema.String),
  /** When the channel last told of it. */
  syncedAt: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({ identifier: "Template" })
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
})
export type TemplateSync = typeof TemplateSync.Type

/** What is known of the templates with one name, for a message that wants one of them. */
export interface KnownTemplates {
  /** In every language, removed ones too. */
  readonly templates: ReadonlyArray<Template>
  /** Whether the organization's templates were ever synced. */
  readonly synced: boolean
}

/** Times are Unix milliseconds. */
export class Templates extends Context.Service<
  Templates,
  {
    readonly list: (organizationId: string, filter: TemplateFilter, part: Part) => Effect.Effect<Listed<Template>>
    readonly find: (organizationId: string, templateId: string) => Effect.Effect<Template | undefined>
    readonly named: (organizationId: string, name: string) => Effect.Effect<KnownTemplates>
    /** When the last sync was; `undefined` before the first. */
    readonly lastSync: (organizationId: string) => Effect.Effect<number | undefined>
    /**
     * Makes the copy equal to what the channel listed: adds, changes, marks the others `REMOVED`. A status that is another one now is an event
     * `template.updated`, written with it. One sync of an organization at a time.
     */
    readonly replace: (
      organizationId: string,
      listed: ReadonlyArray<ChannelTemplate>,
      now: number
    ) => Effect.Effect<TemplateSync>
  }
>()("parley/domain/Templates") {}

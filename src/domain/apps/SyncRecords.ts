/** What a person sees of the work of a connection: what was sent and answered, and what was given up. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import type { Page } from "../basics/Listing.ts"
import { appTriggers } from "./AppAdapter.ts"

/** A change that was given up, and can be sent again. */
export const SyncProblem = Schema.Struct({
  id: Schema.String,
  trigger: Schema.Literals(appTriggers),
  contactId: Schema.String,
  /** The contact, or the conversation of `conversation.resolved` and `call.ended`. */
  subjectId: Schema.String,
  attempts: Schema.Int,
  /** Why the provider did not take it, as a sentence. */
  error: Schema.String,
  createdAt: Schema.String,
  givenUpAt: Schema.String
}).annotate({
  title: "IntegrationProblem",
  examples: [
    {
      id: exampleIds.syncTask,
      trigger: "contact.updated",
      contactId: exampleIds.contact,
      subjectId: exampleIds.contact,
      attempts: 1,
      error: "The address answered 400.",
      createdAt: "2026-11-21T09:30:00.000Z",
      givenUpAt: "2026-11-21T09:30:01.000Z"
    }
  ]
})
export type SyncProblem = typeof SyncProblem.Type

/** One request to the provider. Secrets are masked, bodies are cut at 2,000 characters. */
export const SyncLogEntry = Schema.Struct({
  id: Schema.String,
  /** The change that it was sent for; its id is that of the problem, when it was given up. */
  taskId: Schema.String,
  method: Schema.String,
  url: Schema.String,
  request: Schema.NullOr(Schema.String),
  /** Null: there was no answer. */
  status: Schema.NullOr(Schema.Int),
  response: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  durationMs: Schema.Int,
  createdAt: Schema.String
}).annotate({
  title: "IntegrationLogEntry",
  examples: [
    {
      id: exampleIds.exchange,
      taskId: exampleIds.syncTask,
      method: "POST",
      url: "https://maplebooks.example/crm",
      request: '{"type":"contact.updated"}',
      status: 200,
      response: "",
      error: null,
      durationMs: 84,
      createdAt: "2026-11-21T09:30:01.000Z"
    }
  ]
})
export type SyncLogEntry = typeof SyncLogEntry.Type

/** Port of the records of a connection. Times are Unix milliseconds. */
export class SyncRecords extends Context.Service<
  SyncRecords,
  {
    /** Newest first. */
    readonly problems: (
      organizationId: string,
      connectionId: string,
      page: number,
      limit: number
    ) => Effect.Effect<Page<SyncProblem>>
    /** Sends a problem again, or (without an id) all of them; gives how many. */
    readonly replay: (
      organizationId: string,
      connectionId: string,
      taskId: string | undefined,
      now: number
    ) => Effect.Effect<number>
    /** Newest first. */
    readonly log: (
      organizationId: string,
      connectionId: string,
      page: number,
      limit: number
    ) => Effect.Effect<Page<SyncLogEntry>>
  }
>()("parley/domain/SyncRecords") {}

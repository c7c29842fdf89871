/**
 * A connection to an integration: credentials, settings, and how it does. An organization has at most one connection to each provider. Credentials
 * are stored encrypted and never shown. Also the port of the stored connections.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import type { Plan } from "../people/organizations/Organization.ts"
import type { AppProvider } from "./Catalogue.ts"
import { AppField, AppKind } from "./catalogue/CatalogueRow.ts"

/** The value of a setting; a mapping is an object of names. */
export const AppSetting = Schema.Union([Schema.String, Schema.Boolean, Schema.Record(Schema.String, Schema.String)])
export const AppSettings = Schema.Record(Schema.String, AppSetting)
export type AppSettings = typeof AppSettings.Type

/** What we are at the provider: the name of the account, portal or host. */
export const AppAccount = Schema.Struct({ id: Schema.String, name: Schema.String })
export type AppAccount = typeof AppAccount.Type

/**
 * `connected`: it works, or nothing was tried yet. `failing`: the provider refuses our credentials; they are tried again every some minutes. `reconnect`:
 * they will not work any more. In the last two states changes wait, and nothing is dropped.
 */
export const AppState = Schema.Literals(["connected", "failing", "reconnect"])
export type AppState = typeof AppState.Type

export const BackfillState = Schema.Literals(["none", "running", "stopped", "done"])

/** How far the contacts from before the connection were sent. */
export const Backfill = Schema.Struct({ state: BackfillState, sent: Schema.Int, total: Schema.Int })
export type Backfill = typeof Backfill.Type

/** The newest webhook of a topic that arrived. */
export const WebhookTopic = Schema.Struct({ topic: Schema.String, lastAt: Schema.String })

/** How far the records of a kind were pulled. */
export const ShownPull = Schema.Struct({
  kind: Schema.String,
  /** `failed`: `problem` says why; `POST …/sync` goes on with it. */
  state: Schema.Literals(["running", "stopped", "done", "failed"]),
  /** The records of this pull. */
  records: Schema.Int,
  problem: Schema.NullOr(Schema.String),
  /** Records that changed before this time were all taken over. */
  completedAt: Schema.NullOr(Schema.String)
})

const connectionFields = {
  id: Schema.String,
  enabled: Schema.Boolean,
  state: AppState,
  account: AppAccount,
  settings: AppSettings,
  /** The names of the credentials that are stored. */
  secrets: Schema.Array(Schema.String),
  /** Why it does not work, as a sentence, and since when; null while it works. */
  problem: Schema.NullOr(Schema.String),
  problemAt: Schema.NullOr(Schema.String),
  /** Until then nothing is sent, because the provider asked us to wait. */
  waitsUntil: Schema.NullOr(Schema.String),
  /** The number of changes that are still to be sent. */
  waiting: Schema.Int,
  /** The number of changes that were given up; `GET …/problems` lists them. */
  problems: Schema.Int,
  lastSyncedAt: Schema.NullOr(Schema.String),
  backfill: Backfill,
  /** The newest of each topic, for providers that tell by webhooks. */
  webhooks: Schema.Array(WebhookTopic),
  /** The number of webhooks that are still to be read. */
  arriving: Schema.Int,
  /** The number of webhooks that were given up; `GET …/arrivals?problems=true` lists them. */
  arrivalProblems: Schema.Int,
  /** For providers whose records are pulled. */
  pulls: Schema.Array(ShownPull),
  createdAt: Schema.String,
  updatedAt: Schema.String
}

/** A connection as it is stored, without credentials. */
export const ConnectionRecord = Schema.Struct({ ...connectionFields, webhookToken: Schema.NullOr(Schema.String) })
export type ConnectionRecord = typeof ConnectionRecord.Type

/** A connection as it is shown. */
export const AppConnection = Schema.Struct({
  ...connectionFields,
  /** Where the provider's webhooks arrive: only the provider should know it. Null when it sends none. */
  webhookUrl: Schema.NullOr(Schema.String)
}).annotate({
  title: "IntegrationConnection",
  examples: [
    {
      id: exampleIds.appConnection,
      enabled: true,
      state: "connected",
      account: { id: "maplebooks.example", name: "maplebooks.example" },
      settings: { url: "https://maplebooks.example/crm", mapping: { name: "full_name" } },
      secrets: ["signingSecret"],
      problem: null,
      problemAt: null,
      waitsUntil: null,
      waiting: 0,
      problems: 0,
      lastSyncedAt: "2026-11-21T09:30:01.000Z",
      backfill: { state: "none", sent: 0, total: 0 },
      webhooks: [],
      arriving: 0,
      arrivalProblems: 0,
      pulls: [],
      webhookUrl: null,
      createdAt: "2026-11-20T08:20:00.000Z",
      updatedAt: "2026-11-20T08:20:00.000Z"
    }
  ]
})
export type AppConnection = typeof AppConnection.Type

/** An integration of the catalogue, with the organization's connection to it. */
export const Integration = Schema.Struct({
  provider: Schema.String,
  kind: AppKind,
  title: Schema.String,
  /** Why the plan does not allow it, as a sentence; null when it does. */
  refusal: Schema.NullOr(Schema.String),
  /** Whether it can be connected by `POST …/authorize`, without entering credentials. */
  authorizes: Schema.Boolean,
  /** What should be known of the service at this time, as a sentence, e.g. that a version of its interface ends; null for nothing. */
  notice: Schema.NullOr(Schema.String),
  fields: Schema.Array(AppField),
  connection: Schema.NullOr(AppConnection)
}).annotate({
  title: "Integration",
  examples: [
    {
      provider: "webhook",
      kind: "webhook",
      title: "Webhook",
      refusal: null,
      authorizes: false,
      notice: null,
      fields: [
        {
          name: "url",
          type: "url",
          label: "Address",
          help: "An https address that takes POST requests.",
          required: true
        }
      ],
      connection: null
    }
  ]
})
export type Integration = typeof Integration.Type

/** What the events about a connection say of it. */
export const ToldConnection = Schema.Struct({
  id: Schema.String,
  provider: Schema.String,
  title: Schema.String,
  /** What is wrong and what to do; null when it works again. */
  problem: Schema.NullOr(Schema.String)
}).annotate({
  title: "ToldConnection",
  examples: [
    {
      id: exampleIds.appConnection,
      provider: "webhook",
      title: "Webhook",
      problem: "The address answered 401: check the signing secret on both sides."
    }
  ]
})

export type ToldConnection = typeof ToldConnection.Type

/** A stored connection with its credentials in plain text. */
export interface StoredConnection {
  readonly organizationId: string
  readonly id: string
  readonly provider: AppProvider
  readonly settings: AppSettings
  readonly credentials: Readonly<Record<string, string>>
  readonly enabled: boolean
  /** The last part of the address of its webhooks; null when the provider sends none. */
  readonly webhookToken: string | null
  /** Counts the changes of the credentials. */
  readonly credentialsVersion: number
  readonly state: AppState
  /** Since when its credentials are refused, Unix milliseconds. */
  readonly failingSince: number | null
  /** When its tokens could not be refreshed last, Unix milliseconds; null when they could. */
  readonly refreshFailedAt: number | null
}

/** A connection at the address of its webhooks. */
export interface AddressedConnection {
  readonly connection: StoredConnection
  /** That of its organization. */
  readonly plan: Plan
}

export interface NewConnection {
  readonly settings: AppSettings
  readonly credentials: Readonly<Record<string, string>>
  readonly account: AppAccount
  readonly webhookToken: string | null
}

/** An authorization under way: a person who was sent to the provider. */
export interface PendingAuthorization {
  readonly provider: AppProvider
  readonly userId: string
  /** The verifier of PKCE. */
  readonly verifier: string
}

/** A finding about the credentials: they work (`null`), or why they do not; `final`: and will not again. */
export type AppFinding = { readonly problem: string; readonly final: boolean } | null

/** Port of the stored connections. Times are Unix milliseconds. */
export class AppConnections extends Context.Service<
  AppConnections,
  {
    readonly list: (organizationId: string) => Effect.Effect<ReadonlyMap<AppProvider, ConnectionRecord>>
    readonly find: (organizationId: string, provider: AppProvider) => Effect.Effect<StoredConnection | undefined>
    /** The provider's id of a contact; `undefined` when none is known. */
    readonly idOfContact: (connection: StoredConnection, contactId: string) => Effect.Effect<string | undefined>
    /** The connection whose webhooks arrive at the address with this token. */
    readonly withWebhook: (provider: AppProvider, token: string) => Effect.Effect<AddressedConnection | undefined>
    /** Makes or replaces the connection. A new one is told what happens from now on. */
    readonly save: (
      organizationId: string,
      provider: AppProvider,
      given: NewConnection,
      now: number
    ) => Effect.Effect<ConnectionRecord>
    /** Switched on again, it is told what happens from then on, and what still waits. `undefined`: there is none. */
    readonly setEnabled: (
      organizationId: string,
      provider: AppProvider,
      enabled: boolean,
      now: number
    ) => Effect.Effect<ConnectionRecord | undefined>
    /** Removes the connection with all that waits. */
    readonly remove: (organizationId: string, provider: AppProvider) => Effect.Effect<void>
    /** Notes a finding about the credentials, and tells of it with an event when it is news. */
    readonly note: (
      organizationId: string,
      connectionId: string,
      finding: AppFinding,
      now: number
    ) => Effect.Effect<void>
    /** Stores refreshed credentials over the version that was read; `undefined` when another version is stored meanwhile. */
    readonly replaceTokens: (
      connection: StoredConnection,
      credentials: Readonly<Record<string, string>>
    ) => Effect.Effect<StoredConnection | undefined>
    /** Notes that the tokens could not be refreshed. */
    readonly refreshFailed: (organizationId: string, connectionId: string, now: number) => Effect.Effect<void>
    /** Begins an authorization: the state is valid until `endsAt`, for this person, once. */
    readonly beginAuthorization: (
      organizationId: string,
      authorization: PendingAuthorization,
      state: string,
      endsAt: number,
      now: number
    ) => Effect.Effect<void>
    /** The authorization with this state, which it ends; `undefined` when it is unknown or over. */
    readonly endAuthorization: (
      organizationId: string,
      state: string,
      now: number
    ) => Effect.Effect<PendingAuthorization | undefined>
    /** Starts the back-fill, or goes on with it, or stops it. `undefined`: there is no connection. */
    readonly setBackfill: (
      organizationId: string,
      provider: AppProvider,
      running: boolean,
      now: number
    ) => Effect.Effect<ConnectionRecord | undefined>
  }
>()("parley/domain/AppConnections") {}

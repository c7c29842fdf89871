/**
 * An organization's account at its messaging channel. An organization has one connection, and a number of the channel belongs to one organization.
 * The secrets are stored encrypted and never shown again.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import { maskSecret } from "../../basics/MaskedSecret.ts"

export interface ChannelCredentials {
  /** The channel's id of the number that messages come from. */
  readonly phoneNumberId: string
  /** The channel's id of the business account the number belongs to. */
  readonly businessAccountId: string
  readonly accessToken: string
  /** The key with which the channel signs its webhooks. */
  readonly appSecret: string
  /** The channel sends this token when it checks the address of our webhook. */
  readonly verifyToken: string
}

/** A stored connection with its secrets in plain text. */
export interface ChannelConnection extends ChannelCredentials {
  /** `chn_…` */
  readonly id: string
  readonly organizationId: string
  /** Formatted for people; null when the channel does not tell it. */
  readonly phoneNumber: string | null
  readonly businessName: string | null
  /** Why the channel does not take the credentials any more, as a sentence, and since when; null while it does. */
  readonly problem: string | null
  readonly problemAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** What the channel tells about a number. */
export type ChannelNumber = Pick<ChannelConnection, "phoneNumber" | "businessName">

/** A connection as it is shown: secrets are masked, except their last four characters. */
export const ShownConnection = Schema.Struct({
  id: Schema.String,
  connectionType: Schema.Literal("cloud_api"),
  phoneNumberId: Schema.String,
  businessAccountId: Schema.String,
  phoneNumber: Schema.NullOr(Schema.String),
  businessName: Schema.NullOr(Schema.String),
  accessToken: Schema.String,
  appSecret: Schema.String,
  verifyToken: Schema.String,
  /** The webhook address to enter in the channel's app. */
  webhookUrl: Schema.String,
  /** Why the channel does not take the credentials any more, and since when; null while it does. */
  problem: Schema.NullOr(Schema.String),
  problemAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  title: "MessagingConnection",
  examples: [
    {
      id: exampleIds.connection,
      connectionType: "cloud_api",
      phoneNumberId: "106540352242922",
      businessAccountId: "102290129340398",
      phoneNumber: "+1 555-078-3881",
      businessName: "Maple Books",
      accessToken: "********c0Zd",
      appSecret: "********9e41",
      verifyToken: "********oaks",
      webhookUrl: "https://parley.example.com/api/webhooks/messaging",
      problem: null,
      problemAt: null,
      createdAt: "2026-11-20T08:10:00.000Z",
      updatedAt: "2026-11-20T08:10:00.000Z"
    }
  ]
})
export type ShownConnection = typeof ShownConnection.Type

export const shownConnection = (connection: ChannelConnection, webhookUrl: string): ShownConnection => {
  const { id, phoneNumberId, businessAccountId, phoneNumber, businessName } = connection
  const { problem, problemAt, createdAt, updatedAt } = connection
  return {
    ...{ id, connectionType: "cloud_api", phoneNumberId, businessAccountId, phoneNumber, businessName },
    accessToken: maskSecret(connection.accessToken),
    appSecret: maskSecret(connection.appSecret),
    verifyToken: maskSecret(connection.verifyToken),
    ...{ webhookUrl, problem, problemAt, createdAt, updatedAt }
  }
}

/** 409: another organization has this number. */
export class NumberTaken extends Schema.TaggedError<NumberTaken>()("NumberTaken", { phoneNumberId: Schema.String }) {}

/** A connection that a webhook may be meant for. Its secret checks the webhook's signature. */
export interface WebhookReceiver
  extends Pick<ChannelConnection, "organizationId" | "phoneNumberId" | "businessAccountId" | "appSecret"> {}

/** Port of the stored connections. */
export class ChannelAccounts extends Context.Service<
  ChannelAccounts,
  {
    readonly find: (organizationId: string) => Effect.Effect<ChannelConnection | undefined>
    /** Makes or replaces the organization's connection. */
    readonly save: (
      organizationId: string,
      given: ChannelCredentials & ChannelNumber
    ) => Effect.Effect<ChannelConnection, NumberTaken>
    /** Notes that the channel does not take the credentials any more, or (null) that it does again. */
    readonly note: (organizationId: string, problem: string | null) => Effect.Effect<void>
    /** False when there was none. */
    readonly remove: (organizationId: string) => Effect.Effect<boolean>
    /** The connections of these numbers and of these business accounts, in all organizations: a webhook names only the channel's own ids. */
    readonly receivers: (named: {
      readonly phoneNumberIds: ReadonlyArray<string>
      readonly businessAccountIds: ReadonlyArray<string>
    }) => Effect.Effect<ReadonlyArray<WebhookReceiver>>
    /** Whether a connection of any organization has this verify token. */
    readonly knowsVerifyToken: (token: string) => Effect.Effect<boolean>
  }
>()("parley/domain/ChannelAccounts") {}

/** The channel refused these credentials; the sentence says which of them. */
export class CredentialsRefused extends Schema.TaggedError<CredentialsRefused>()("CredentialsRefused", {
  message: Schema.String
}) {}

/** The channel could not be asked. */
export class ChannelUnreachable extends Schema.TaggedError<ChannelUnreachable>()("ChannelUnreachable", {
  message: Schema.String
}) {}

/** Port for the setup of a connection at the channel. */
export class ChannelSetup extends Context.Service<
  ChannelSetup,
  {
    /** Tests each credential that can be tested; gives what the channel tells about the number. */
    readonly check: (
      credentials: ChannelCredentials
    ) => Effect.Effect<ChannelNumber, CredentialsRefused | ChannelUnreachable>
    /** Subscribes us to the webhooks of the business account. Safe to repeat. */
    readonly subscribe: (
      credentials: ChannelCredentials
    ) => Effect.Effect<void, CredentialsRefused | ChannelUnreachable>
    /** Ends the subscription to the webhooks of the business account, for all numbers in it. */
    readonly unsubscribe: (
      credentials: ChannelCredentials
    ) => Effect.Effect<void, CredentialsRefused | ChannelUnreachable>
  }
>()("parley/domain/ChannelSetup") {}

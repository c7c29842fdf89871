/**
 * The account an organization has at its messaging channel. One per organization, and a number of the channel belongs to one organization.
 * Its secrets are stored encrypted and never shown again.
 */
import { Context, type Effect, Schema } from "effect"
import { maskSecret } from "../../basics/MaskedSecret.ts"

export interface ChannelCredentials {
  /** The channel's id of the number that messages come from. */
  readonly phoneNumberId: string
  /** The channel's id of the business account the number belongs to. */
  readonly businessAccountId: string
  readonly accessToken: string
  /** Signs what the channel tells us. */
  readonly appSecret: string
  /** What the channel shows when it checks the address of our webhook. */
  readonly verifyToken: string
}

export interface ChannelConnection extends ChannelCredentials {
  /** `chn_…` */
  readonly id: string
  readonly organizationId: string
  /** As people read it; null when the channel does not tell. */
  readonly phoneNumber: string | null
  readonly businessName: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** What the channel says of a number. */
export type ChannelNumber = Pick<ChannelConnection, "phoneNumber" | "businessName">

/** A connection as it is shown: of secrets the last four characters. */
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
  /** What the channel's app has to be given as the address of its webhook. */
  webhookUrl: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type ShownConnection = typeof ShownConnection.Type

export const shownConnection = (connection: ChannelConnection, webhookUrl: string): ShownConnection => {
  const { id, phoneNumberId, businessAccountId, phoneNumber, businessName, createdAt, updatedAt } = connection
  return {
    ...{ id, connectionType: "cloud_api", phoneNumberId, businessAccountId, phoneNumber, businessName },
    accessToken: maskSecret(connection.accessToken),
    appSecret: maskSecret(connection.appSecret),
    verifyToken: maskSecret(connection.verifyToken),
    ...{ webhookUrl, createdAt, updatedAt }
  }
}

/** 409: another organization has this number. */
export class NumberTaken extends Schema.TaggedError<NumberTaken>()("NumberTaken", { phoneNumberId: Schema.String }) {}

/** Who a webhook may be meant for: the secrets of those it names are what it is checked with. */
export interface WebhookReceiver
  extends Pick<ChannelConnection, "organizationId" | "phoneNumberId" | "businessAccountId" | "appSecret"> {}

export class ChannelAccounts extends Context.Service<
  ChannelAccounts,
  {
    readonly find: (organizationId: string) => Effect.Effect<ChannelConnection | undefined>
    /** Makes or replaces the organization's connection. */
    readonly save: (
      organizationId: string,
      given: ChannelCredentials & ChannelNumber
    ) => Effect.Effect<ChannelConnection, NumberTaken>
    /** False when there was none. */
    readonly remove: (organizationId: string) => Effect.Effect<boolean>
    /** Cross-tenant by nature: the channel only names its own ids. Of business accounts, all who are connected to one. */
    readonly receivers: (named: {
      readonly phoneNumberIds: ReadonlyArray<string>
      readonly businessAccountIds: ReadonlyArray<string>
    }) => Effect.Effect<ReadonlyArray<WebhookReceiver>>
    /** Whether some connection has this verify token. */
    readonly knowsVerifyToken: (token: string) => Effect.Effect<boolean>
  }
>()("parley/domain/ChannelAccounts") {}

/** The channel will not work with these credentials; the sentence says which. */
export class CredentialsRefused extends Schema.TaggedError<CredentialsRefused>()("CredentialsRefused", {
  message: Schema.String
}) {}

/** The channel could not be asked. */
export class ChannelUnreachable extends Schema.TaggedError<ChannelUnreachable>()("ChannelUnreachable", {
  message: Schema.String
}) {}

/** Setting a connection up at the channel. */
export class ChannelSetup extends Context.Service<
  ChannelSetup,
  {
    /** Tries the credentials, each of them that can be tried. */
    readonly check: (
      credentials: ChannelCredentials
    ) => Effect.Effect<ChannelNumber, CredentialsRefused | ChannelUnreachable>
    /** From now on the channel tells us what happens in the business account. Repeatable. */
    readonly subscribe: (
      credentials: ChannelCredentials
    ) => Effect.Effect<void, CredentialsRefused | ChannelUnreachable>
    readonly unsubscribe: (
      credentials: ChannelCredentials
    ) => Effect.Effect<void, CredentialsRefused | ChannelUnreachable>
  }
>()("parley/domain/ChannelSetup") {}

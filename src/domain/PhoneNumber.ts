/** An organization's account at the telephony provider, its numbers, and which agent answers each. */
import { Context, type Effect, Schema } from "effect"

/** The account whose token signs the provider's webhooks for this organization. */
export interface TelephonyConnection {
  readonly organizationId: string
  readonly accountSid: string
  /** Decrypted; stored AES-256-GCM encrypted. Never logged. */
  readonly authToken: string
}

export class DuplicateNumber extends Schema.TaggedError<DuplicateNumber>()("DuplicateNumber", {
  phone: Schema.String
}) {}

export class TelephonyConnections extends Context.Service<
  TelephonyConnections,
  {
    readonly save: (connection: TelephonyConnection) => Effect.Effect<void>
    readonly find: (organizationId: string) => Effect.Effect<TelephonyConnection | undefined>
    /** Cross-tenant by nature: the provider only names its account. */
    readonly findByAccount: (accountSid: string) => Effect.Effect<TelephonyConnection | undefined>
  }
>()("parley/domain/TelephonyConnections") {}

export class PhoneNumbers extends Context.Service<
  PhoneNumbers,
  {
    /** Adds the number (E.164) if new and assigns it to the agent; an agent has at most one number, the earlier one is freed. */
    readonly assign: (organizationId: string, phone: string, agentId: string) => Effect.Effect<void, DuplicateNumber>
    /** The agent assigned to a called number, `undefined` when the number is unknown or unassigned. */
    readonly agentOf: (organizationId: string, phone: string) => Effect.Effect<string | undefined>
  }
>()("parley/domain/PhoneNumbers") {}

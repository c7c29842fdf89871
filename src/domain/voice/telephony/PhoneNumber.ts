/** An organization's account at the telephony provider, its numbers, and which agent answers each. */
import { Context, type Effect, Schema } from "effect"
import type { Page } from "../../basics/Listing.ts"
import { NumberCapabilities } from "./Provisioning.ts"

/** The account whose token signs the provider's webhooks for this organization. */
export interface TelephonyConnection {
  readonly organizationId: string
  readonly accountSid: string
  /** Decrypted; stored AES-256-GCM encrypted. Never logged. */
  readonly authToken: string
}

/**
 * - `purchased`: bought here
 * - `connected`: was in the organization's account already (bought there, or ported to it)
 * - `sip`: stays with the organization's own carrier, which sends its calls to the SIP domain
 */
export const NumberOrigin = Schema.Literals(["purchased", "connected", "sip"])
export type NumberOrigin = typeof NumberOrigin.Type

export const PhoneNumber = Schema.Struct({
  id: Schema.String,
  /** E.164. */
  phoneNumber: Schema.String,
  origin: NumberOrigin,
  /** `pending`: asked for at the provider, not known to be ours yet. `releasing`: not known to be given back yet. */
  state: Schema.Literals(["pending", "active", "releasing"]),
  /** The agent that answers. */
  agentId: Schema.NullOr(Schema.String),
  /** Null when the provider does not know the number. */
  capabilities: Schema.NullOr(NumberCapabilities),
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type PhoneNumber = typeof PhoneNumber.Type

/** With the provider's name for it, which is nobody else's business. */
export interface StoredNumber extends PhoneNumber {
  readonly sid: string | null
}

/** Somebody else, or the organization itself, has the number. */
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
    /** Newest first. */
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<StoredNumber>>
    readonly find: (organizationId: string, id: string) => Effect.Effect<StoredNumber | undefined>
    readonly findByPhone: (organizationId: string, phone: string) => Effect.Effect<StoredNumber | undefined>
    /** Those that are not `active`: begun, and not known to be finished. */
    readonly unfinished: (organizationId: string) => Effect.Effect<ReadonlyArray<StoredNumber>>
    readonly add: (
      organizationId: string,
      number: Pick<StoredNumber, "phoneNumber" | "origin" | "state" | "sid" | "capabilities">
    ) => Effect.Effect<StoredNumber, DuplicateNumber>
    /** The number is in the organization's account. */
    readonly activate: (
      organizationId: string,
      id: string,
      provided: Pick<StoredNumber, "sid" | "capabilities">
    ) => Effect.Effect<void>
    /** From now on no agent answers it. */
    readonly beginRelease: (organizationId: string, id: string) => Effect.Effect<void>
    /** Null: no agent. An agent has one number, an earlier one is freed. False when there is no such agent (any more). */
    readonly setAgent: (organizationId: string, id: string, agentId: string | null) => Effect.Effect<boolean>
    readonly remove: (organizationId: string, id: string) => Effect.Effect<void>
  }
>()("parley/domain/PhoneNumbers") {}

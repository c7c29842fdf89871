/** An organization's account at the telephony provider, its numbers, and the agent that answers each number. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
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
 * - `connected`: was already in the organization's account (bought there, or ported to it)
 * - `sip`: stays with the organization's own carrier, which sends its calls to the SIP domain
 */
export const NumberOrigin = Schema.Literals(["purchased", "connected", "sip"])
export type NumberOrigin = typeof NumberOrigin.Type

export const PhoneNumber = Schema.Struct({
  id: Schema.String,
  /** E.164. */
  phoneNumber: Schema.String,
  origin: NumberOrigin,
  /** `pending`: requested from the provider, but the purchase is not confirmed. `releasing`: the release is not confirmed. */
  state: Schema.Literals(["pending", "active", "releasing"]),
  /** The agent that answers; null for none. */
  agentId: Schema.NullOr(Schema.String),
  /** Null when the provider does not know the number. */
  capabilities: Schema.NullOr(NumberCapabilities),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  title: "PhoneNumber",
  examples: [
    {
      id: exampleIds.number,
      phoneNumber: "+16175550142",
      origin: "purchased",
      state: "active",
      agentId: exampleIds.agent,
      capabilities: { voice: true, sms: true, mms: false },
      createdAt: "2026-11-20T08:21:00.000Z",
      updatedAt: "2026-11-20T08:21:00.000Z"
    }
  ]
})
export type PhoneNumber = typeof PhoneNumber.Type

/** A number with the provider's id for it, which is not shown to customers. */
export interface StoredNumber extends PhoneNumber {
  readonly sid: string | null
}

/** The number already belongs to an organization: this one or another. */
export class DuplicateNumber extends Schema.TaggedError<DuplicateNumber>()("DuplicateNumber", {
  phone: Schema.String
}) {}

export class TelephonyConnections extends Context.Service<
  TelephonyConnections,
  {
    readonly save: (connection: TelephonyConnection) => Effect.Effect<void>
    readonly find: (organizationId: string) => Effect.Effect<TelephonyConnection | undefined>
    /** Searches all organizations, because the provider names only its account. */
    readonly findByAccount: (accountSid: string) => Effect.Effect<TelephonyConnection | undefined>
  }
>()("parley/domain/TelephonyConnections") {}

export class PhoneNumbers extends Context.Service<
  PhoneNumbers,
  {
    /** Adds the number (E.164) if it is new, and assigns it to the agent. An agent has at most one number; its earlier one is unassigned. */
    readonly assign: (organizationId: string, phone: string, agentId: string) => Effect.Effect<void, DuplicateNumber>
    /** The agent assigned to a called number; `undefined` when the number is unknown or unassigned. */
    readonly agentOf: (organizationId: string, phone: string) => Effect.Effect<string | undefined>
    /** Newest first. */
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<StoredNumber>>
    readonly find: (organizationId: string, id: string) => Effect.Effect<StoredNumber | undefined>
    readonly findByPhone: (organizationId: string, phone: string) => Effect.Effect<StoredNumber | undefined>
    /** The numbers that are not `active`: their purchase or release is not confirmed. */
    readonly unfinished: (organizationId: string) => Effect.Effect<ReadonlyArray<StoredNumber>>
    readonly add: (
      organizationId: string,
      number: Pick<StoredNumber, "phoneNumber" | "origin" | "state" | "sid" | "capabilities">
    ) => Effect.Effect<StoredNumber, DuplicateNumber>
    /** Makes the number `active`, because it is in the organization's account. */
    readonly activate: (
      organizationId: string,
      id: string,
      provided: Pick<StoredNumber, "sid" | "capabilities">
    ) => Effect.Effect<void>
    /** Makes the number `releasing`: from now on no agent answers it. */
    readonly beginRelease: (organizationId: string, id: string) => Effect.Effect<void>
    /** Assigns the number to an agent, or to none (null). The agent's earlier number is unassigned. False when the agent does not exist. */
    readonly setAgent: (organizationId: string, id: string, agentId: string | null) => Effect.Effect<boolean>
    readonly remove: (organizationId: string, id: string) => Effect.Effect<void>
  }
>()("parley/domain/PhoneNumbers") {}

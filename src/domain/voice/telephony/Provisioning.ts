/**
 * Port to the telephony provider for accounts, numbers and SIP; `Telephony.ts` is the port for live calls. The operations named `ensure…` and
 * those that remove may be repeated: they reuse what an earlier attempt did.
 */
import { Context, type Effect, Schema } from "effect"
import type { TelephonyAccount } from "./Telephony.ts"

/**
 * - `not_found`: the provider does not have what the request names
 * - `not_available`: somebody else has the number, or it is not sold
 * - `rejected`: the request is wrong, or it needs something that only a person can supply (an address, documents, money)
 * - `account`: the provider does not accept our credentials, or the account is suspended
 * - `unknown`: no answer, or an error at the provider. The provider may have carried out the request
 */
export class ProvisioningError extends Schema.TaggedError<ProvisioningError>()("ProvisioningError", {
  reason: Schema.Literals(["not_found", "not_available", "rejected", "account", "unknown"]),
  /** A sentence. */
  message: Schema.String
}) {}

export const NumberCapabilities = Schema.Struct({ voice: Schema.Boolean, sms: Schema.Boolean, mms: Schema.Boolean })
export type NumberCapabilities = typeof NumberCapabilities.Type

export const NumberType = Schema.Literals(["local", "mobile", "toll_free"])
export type NumberType = typeof NumberType.Type

export interface NumberSearch {
  /** ISO 3166, two capitals. */
  readonly country: string
  readonly type: NumberType
  readonly areaCode?: number | undefined
  /** Digits anywhere in the number; `*` is any digit. */
  readonly contains?: string | undefined
  /** Required in addition to voice, which every number must have. */
  readonly capabilities: ReadonlyArray<"sms" | "mms">
  readonly limit: number
}

export const AvailableNumber = Schema.Struct({
  phoneNumber: Schema.String,
  locality: Schema.NullOr(Schema.String),
  region: Schema.NullOr(Schema.String),
  country: Schema.String,
  capabilities: NumberCapabilities,
  /** The provider sells the number only to customers whose address it has. */
  addressRequired: Schema.Boolean
}).annotate({
  title: "AvailableNumber",
  examples: [
    {
      phoneNumber: "+16175550142",
      locality: "Boston",
      region: "MA",
      country: "US",
      capabilities: { voice: true, sms: true, mms: false },
      addressRequired: false
    }
  ]
})
export type AvailableNumber = typeof AvailableNumber.Type

/** A number in an account. */
export interface ProvidedNumber {
  readonly sid: string
  readonly capabilities: NumberCapabilities
}

type Provisioned<A> = Effect.Effect<A, ProvisioningError>

export class Provisioning extends Context.Service<
  Provisioning,
  {
    /** The parent of the organizations' SIP domains, e.g. `sip.twilio.com`. */
    readonly sipHost: string
    /** The platform's subaccount with this name; created when there is none. */
    readonly ensureAccount: (name: string) => Provisioned<TelephonyAccount>
    /** Numbers for sale. Without an account the platform's own is used, because it is offered the same numbers. */
    readonly searchNumbers: (
      account: TelephonyAccount | undefined,
      search: NumberSearch
    ) => Provisioned<ReadonlyArray<AvailableNumber>>
    /** The account's number with this E.164 form, or `undefined`. */
    readonly findNumber: (account: TelephonyAccount, phone: string) => Provisioned<ProvidedNumber | undefined>
    /** Buys a number. Its calls go to this service from the start. Do not repeat it without checking `findNumber`. */
    readonly buyNumber: (account: TelephonyAccount, phone: string) => Provisioned<ProvidedNumber>
    /** Sends the number's calls to this service. */
    readonly pointNumber: (account: TelephonyAccount, sid: string) => Provisioned<void>
    /** Gives the number back. */
    readonly releaseNumber: (account: TelephonyAccount, sid: string) => Provisioned<void>
    /** Creates the SIP domain if needed. Its calls go to this service, and the credential list may use it. Returns the list's id. */
    readonly ensureSipDomain: (account: TelephonyAccount, domain: string, listName: string) => Provisioned<string>
    /** Adds these credentials to the list, or changes the password of this user name. */
    readonly putSipCredentials: (
      account: TelephonyAccount,
      listSid: string,
      credentials: { readonly username: string; readonly password: string }
    ) => Provisioned<void>
    readonly removeSipCredentials: (account: TelephonyAccount, listName: string, username: string) => Provisioned<void>
  }
>()("parley/domain/Provisioning") {}

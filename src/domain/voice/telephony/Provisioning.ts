/**
 * Port to the telephony provider: accounts, numbers and SIP, as opposed to live calls (`Telephony.ts`). The operations named `ensure…` and
 * those that remove may be repeated: they find what an earlier attempt has made.
 */
import { Context, type Effect, Schema } from "effect"
import type { TelephonyAccount } from "./Telephony.ts"

/**
 * - `not_found`: the provider has nothing there
 * - `not_available`: somebody else has the number, or it is not sold
 * - `rejected`: the request is wrong, or something is missing that only people can do (an address, documents, money)
 * - `account`: the provider does not take our credentials, or the account is suspended
 * - `unknown`: no answer, or trouble at the provider: it may have been done
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
  /** Beside voice, which every number must have. */
  readonly capabilities: ReadonlyArray<"sms" | "mms">
  readonly limit: number
}

export const AvailableNumber = Schema.Struct({
  phoneNumber: Schema.String,
  locality: Schema.NullOr(Schema.String),
  region: Schema.NullOr(Schema.String),
  country: Schema.String,
  capabilities: NumberCapabilities,
  /** The provider sells it only to who has an address it knows. */
  addressRequired: Schema.Boolean
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
    /** Below it are the SIP domains of the organizations, e.g. `sip.twilio.com`. */
    readonly sipHost: string
    /** The platform's subaccount with this name. */
    readonly ensureAccount: (name: string) => Provisioned<TelephonyAccount>
    /** Without an account the platform's is asked: what is for sale is the same. */
    readonly searchNumbers: (
      account: TelephonyAccount | undefined,
      search: NumberSearch
    ) => Provisioned<ReadonlyArray<AvailableNumber>>
    /** The account's number with this E.164 form. */
    readonly findNumber: (account: TelephonyAccount, phone: string) => Provisioned<ProvidedNumber | undefined>
    /** Buys a number whose calls come to us from its first minute. Not to be repeated blindly. */
    readonly buyNumber: (account: TelephonyAccount, phone: string) => Provisioned<ProvidedNumber>
    /** Has the number's calls come to us. */
    readonly pointNumber: (account: TelephonyAccount, sid: string) => Provisioned<void>
    /** Gives the number back. */
    readonly releaseNumber: (account: TelephonyAccount, sid: string) => Provisioned<void>
    /** The domain, its calls coming to us, and open to whoever is in the credential list; gives the list's id. */
    readonly ensureSipDomain: (account: TelephonyAccount, domain: string, listName: string) => Provisioned<string>
    /** Puts these credentials into the list, or changes the password of that user name. */
    readonly putSipCredentials: (
      account: TelephonyAccount,
      listSid: string,
      credentials: { readonly username: string; readonly password: string }
    ) => Provisioned<void>
    readonly removeSipCredentials: (account: TelephonyAccount, listName: string, username: string) => Provisioned<void>
  }
>()("parley/domain/Provisioning") {}

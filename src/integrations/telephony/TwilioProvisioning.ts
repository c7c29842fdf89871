/** Provisions subaccounts, numbers and SIP at Twilio. Numbers and domains are created with their webhooks, so calls are routed at once. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import {
  type AvailableNumber,
  type NumberCapabilities,
  type NumberType,
  type ProvidedNumber,
  Provisioning,
  ProvisioningError
} from "../../domain/voice/telephony/Provisioning.ts"
import type { TelephonyAccount, TelephonyError } from "../../domain/voice/telephony/Telephony.ts"
import * as Connections from "../connections/Connections.ts"
import { maybe } from "../web/Maybe.ts"
import type { AskFor } from "./AskFor.ts"
import { accountPath, makeTwilioClient, type TwilioClientOptions, type TwilioRequest } from "./TwilioClient.ts"
import { makeTwilioSip } from "./TwilioSip.ts"

export interface ProvisioningOptions extends TwilioClientOptions {
  /** The account that creates subaccounts; without one, organizations need accounts of their own (`connect-telephony`). */
  readonly platform?: TelephonyAccount | undefined
  /** The URLs of our webhooks that the provider is given. */
  readonly voiceUrl: string
  readonly statusCallbackUrl: string
  /** `sip.twilio.com`. */
  readonly sipHost: string
}

const numberNotAvailable = new Set([21422, 21452])

const failed = (reason: ProvisioningError["reason"], message: string) => new ProvisioningError({ reason, message })

const provisioningError = ({ status, code, message }: TelephonyError): ProvisioningError => {
  if (status === null || status === 429 || status >= 500)
    return failed("unknown", `The telephony provider did not do it, or did not say so (${message}). Please try again.`)
  if (status === 401 || status === 403)
    return failed("account", `The telephony provider does not let us into the account: ${message}`)
  if (status === 404) return failed("not_found", "The telephony provider does not have it.")
  if (code !== null && numberNotAvailable.has(code))
    return failed("not_available", "The number is not available (any more).")
  return failed("rejected", `The telephony provider refuses: ${message}`)
}

const Account = Schema.Struct({ sid: Schema.String, auth_token: Schema.String })
const Accounts = Schema.Struct({ accounts: Schema.Array(Account) })

const Capabilities = Schema.Record(Schema.String, Schema.NullOr(Schema.Boolean))

const Bought = Schema.Struct({ sid: Schema.String, phone_number: Schema.String, capabilities: Capabilities })
const Numbers = Schema.Struct({ incoming_phone_numbers: Schema.Array(Bought) })

const Offer = Schema.Struct({
  phone_number: Schema.String,
  locality: maybe(Schema.String),
  region: maybe(Schema.String),
  iso_country: Schema.String,
  address_requirements: maybe(Schema.String),
  capabilities: Capabilities
})
const Offers = Schema.Struct({ available_phone_numbers: Schema.Array(Offer) })

const kinds: Readonly<Record<NumberType, string>> = { local: "Local", mobile: "Mobile", toll_free: "TollFree" }

const accountOf = ({ sid, auth_token }: typeof Account.Type): TelephonyAccount => ({
  accountSid: sid,
  authToken: auth_token
})

/** Answers of different ages write the names in capitals or in small letters. */
const capabilitiesOf = (given: typeof Capabilities.Type): NumberCapabilities => {
  const has = (name: string) => given[name] === true || given[name.toUpperCase()] === true
  return { voice: has("voice"), sms: has("sms"), mms: has("mms") }
}

const numberOf = ({ sid, capabilities }: typeof Bought.Type): ProvidedNumber => ({
  sid,
  capabilities: capabilitiesOf(capabilities)
})

const offerOf = (offer: typeof Offer.Type): AvailableNumber => ({
  phoneNumber: offer.phone_number,
  locality: offer.locality ?? null,
  region: offer.region ?? null,
  country: offer.iso_country,
  capabilities: capabilitiesOf(offer.capabilities),
  addressRequired: (offer.address_requirements ?? "none") !== "none"
})

const whenGone =
  <A>(value: A) =>
  <B>(effect: Effect.Effect<B, ProvisioningError>) =>
    Effect.catchIf(
      effect,
      ({ reason }) => reason === "not_found",
      () => Effect.succeed(value)
    )

const make = Effect.fnUntraced(function* (options: ProvisioningOptions) {
  const client = yield* makeTwilioClient(options, "telephony/provisioning")
  const ask = (account: TelephonyAccount, request: TwilioRequest) =>
    Effect.mapError(client.ask(account, request), provisioningError)
  const askFor: AskFor = (account, request, schema) =>
    Effect.flatMap(ask(account, request), (document) => Effect.orDie(Schema.decodeUnknownEffect(schema)(document)))

  const { platform, voiceUrl, statusCallbackUrl } = options
  const noPlatform = failed(
    "account",
    "This service has no account at the telephony provider: its operator must set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN."
  )
  // The fallback has the same URL: the provider repeats a lost webhook at once, and the second finds the call as the first left it.
  const hooks = {
    VoiceUrl: voiceUrl,
    VoiceMethod: "POST",
    VoiceFallbackUrl: voiceUrl,
    VoiceFallbackMethod: "POST",
    StatusCallback: statusCallbackUrl,
    StatusCallbackMethod: "POST"
  }
  const numbers = (account: TelephonyAccount) => `${accountPath(account)}/IncomingPhoneNumbers`
  const numberPath = (account: TelephonyAccount, sid: string) => `${numbers(account)}/${encodeURIComponent(sid)}.json`

  return Provisioning.of({
    sipHost: options.sipHost,

    ensureAccount: traced("TwilioProvisioning.ensureAccount")(function* (name) {
      if (platform === undefined) return yield* noPlatform
      const query = { FriendlyName: name, Status: "active" }
      const found = yield* askFor(platform, { method: "GET", path: "/Accounts.json", query }, Accounts)
      if (found.accounts.length > 0) return accountOf(found.accounts[0])
      const form = { FriendlyName: name }
      return accountOf(
        yield* askFor(platform, { method: "POST", path: "/Accounts.json", form, repeatable: false }, Account)
      )
    }),

    searchNumbers: traced("TwilioProvisioning.searchNumbers")(function* (own, search) {
      const account = own ?? platform
      if (account === undefined) return yield* noPlatform
      const { country, type, areaCode, contains, capabilities, limit } = search
      const query = {
        VoiceEnabled: "true",
        PageSize: String(limit),
        ...(areaCode === undefined ? {} : { AreaCode: String(areaCode) }),
        ...(contains === undefined ? {} : { Contains: contains }),
        ...(capabilities.includes("sms") ? { SmsEnabled: "true" } : {}),
        ...(capabilities.includes("mms") ? { MmsEnabled: "true" } : {})
      }
      const path = `${accountPath(account)}/AvailablePhoneNumbers/${encodeURIComponent(country)}/${kinds[type]}.json`
      const { available_phone_numbers } = yield* askFor(account, { method: "GET", path, query }, Offers).pipe(
        // This is how the provider says that it sells no such numbers there.
        whenGone({ available_phone_numbers: [] })
      )
      return available_phone_numbers.map(offerOf)
    }),

    findNumber: traced("TwilioProvisioning.findNumber")(function* (account, phone) {
      const request = { method: "GET", path: `${numbers(account)}.json`, query: { PhoneNumber: phone } } as const
      const { incoming_phone_numbers } = yield* askFor(account, request, Numbers)
      const found = incoming_phone_numbers.find(({ phone_number }) => phone_number === phone)
      return found === undefined ? undefined : numberOf(found)
    }),

    buyNumber: traced("TwilioProvisioning.buyNumber")(function* (account, phone) {
      const form = { PhoneNumber: phone, ...hooks }
      const request = { method: "POST", path: `${numbers(account)}.json`, form, repeatable: false } as const
      return numberOf(yield* askFor(account, request, Bought))
    }),

    pointNumber: traced("TwilioProvisioning.pointNumber")(function* (account, sid) {
      yield* ask(account, { method: "POST", path: numberPath(account, sid), form: hooks })
    }),

    releaseNumber: traced("TwilioProvisioning.releaseNumber")(function* (account, sid) {
      yield* whenGone(undefined)(ask(account, { method: "DELETE", path: numberPath(account, sid) }))
    }),

    ...makeTwilioSip(ask, askFor, { voiceUrl, statusCallbackUrl })
  })
})

/** `Provisioning` over HTTP; needs nothing but the options. */
export const layer = (options: ProvisioningOptions): Layer.Layer<Provisioning> =>
  Layer.effect(Provisioning, make(options)).pipe(Layer.provide(Connections.layer))

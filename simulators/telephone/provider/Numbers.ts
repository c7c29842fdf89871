/** The REST resources of numbers for sale and of bought numbers. Numbers for sale come from ranges that are reserved for fiction. */
import type { OwnedNumber } from "./Provider.ts"
import { gone, notAllowed, notFound, page, type Reply, type RestHandler, type RestRequest, refusal } from "./Reply.ts"

type Kind = "Local" | "Mobile" | "TollFree"

interface Range {
  readonly country: string
  readonly kind: Kind
  /** The digits before the running number; `{area}` is the area code. */
  readonly prefix: string
  /** Running numbers, as many digits as `to` has. */
  readonly from: number
  readonly to: number
  readonly areas?: ReadonlyArray<string>
  /** Which address of the buyer the provider requires. */
  readonly address: "none" | "any" | "local" | "foreign"
  readonly sms: boolean
}

const ranges: ReadonlyArray<Range> = [
  {
    country: "US",
    kind: "Local",
    prefix: "+1{area}5550",
    from: 100,
    to: 199,
    areas: ["415", "212"],
    address: "none",
    sms: true
  },
  { country: "US", kind: "TollFree", prefix: "+18005550", from: 100, to: 199, address: "none", sms: true },
  { country: "GB", kind: "Local", prefix: "+442079460", from: 100, to: 999, address: "any", sms: false },
  { country: "GB", kind: "Mobile", prefix: "+447700900", from: 100, to: 999, address: "none", sms: true },
  { country: "AU", kind: "Local", prefix: "+6125550", from: 1000, to: 1999, address: "local", sms: false }
]

const perRange = 30

const asked = (country: string, kind: string) =>
  ranges.filter((range) => range.country === country && range.kind === kind)

const areasOf = ({ areas }: Range, wanted: string | null) =>
  areas === undefined ? (wanted === null ? [""] : []) : wanted === null ? areas : [wanted]

const resourceForSale = (range: Range, phone: string) => ({
  friendly_name: phone,
  phone_number: phone,
  lata: null,
  locality: range.country === "US" && phone.startsWith("+1415") ? "San Francisco" : null,
  rate_center: null,
  latitude: null,
  longitude: null,
  region: range.country === "US" && phone.startsWith("+1415") ? "CA" : null,
  postal_code: null,
  iso_country: range.country,
  address_requirements: range.address,
  beta: false,
  capabilities: { voice: true, sms: range.sms, mms: range.sms && range.country === "US" }
})

/** `415*555` → any digit for `*`, anywhere in the number. */
const pattern = (contains: string) => new RegExp(contains.replaceAll("*", "\\d").replace("+", "\\+"))

/** `/Accounts/{AC}/AvailablePhoneNumbers/{country}/{kind}.json` */
export const available: RestHandler = (request) => {
  const { provider, method, accountSid, params, query } = request
  if (method !== "GET") return notAllowed()
  const [country, kind] = params
  const offered = asked(country, kind)
  if (offered.length === 0) return notFound()
  const contains = query.get("Contains")
  if (contains !== null && !/^[\d+*]{2,}$/.test(contains)) return refusal(400, 21421, "Contains is invalid")
  const wantsSms = query.get("SmsEnabled") === "true"
  const found = offered.flatMap((range) =>
    areasOf(range, query.get("AreaCode")).flatMap((area) =>
      Array.from({ length: perRange }, (_, i) => range.prefix.replace("{area}", area) + String(range.from + i))
        .filter((phone) => provider.numberOf(phone) === undefined)
        .filter((phone) => contains === null || pattern(contains).test(phone))
        .filter(() => !wantsSms || range.sms)
        .map((phone) => resourceForSale(range, phone))
    )
  )
  const uri = `/2010-04-01/Accounts/${accountSid}/AvailablePhoneNumbers/${country}/${kind}.json`
  return page(request, uri, "available_phone_numbers", found)
}

const rangeOf = (phone: string) =>
  ranges.find(({ prefix }) =>
    new RegExp(`^${prefix.replace("+", "\\+").replace("{area}", "[2-9]\\d\\d")}\\d+$`).test(phone)
  )

const settable = /^(FriendlyName|Voice\w+|StatusCallback\w*|Sms\w+)$/

const resource = ({ sid, accountSid, phone, created, settings }: OwnedNumber) => {
  const range = rangeOf(phone)
  const setting = (name: string) => settings.get(name) ?? null
  return {
    sid,
    account_sid: accountSid,
    phone_number: phone,
    friendly_name: settings.get("FriendlyName") ?? phone,
    capabilities: { voice: true, sms: range?.sms ?? false, mms: false, fax: false },
    address_requirements: range?.address ?? "none",
    address_sid: null,
    api_version: "2010-04-01",
    beta: false,
    bundle_sid: null,
    identity_sid: null,
    origin: "twilio",
    status: "in-use",
    trunk_sid: null,
    voice_url: setting("VoiceUrl"),
    voice_method: settings.get("VoiceMethod") ?? "POST",
    voice_fallback_url: setting("VoiceFallbackUrl"),
    voice_fallback_method: "POST",
    voice_application_sid: null,
    voice_caller_id_lookup: false,
    voice_receive_mode: "voice",
    status_callback: setting("StatusCallback"),
    status_callback_method: settings.get("StatusCallbackMethod") ?? "POST",
    sms_url: setting("SmsUrl"),
    sms_method: "POST",
    sms_fallback_url: null,
    sms_fallback_method: "POST",
    sms_application_sid: null,
    emergency_status: "Inactive",
    emergency_address_sid: null,
    emergency_address_status: "unregistered",
    date_created: created,
    date_updated: created,
    uri: `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers/${sid}.json`
  }
}

const change = (number: OwnedNumber, form: URLSearchParams) => {
  for (const [name, value] of form) if (settable.test(name)) number.settings.set(name, value)
}

const buy = ({ provider, accountSid, form }: RestRequest): Reply => {
  const phone = form.get("PhoneNumber") ?? ""
  const range = rangeOf(phone)
  if (!/^\+[1-9]\d{6,14}$/.test(phone)) return refusal(400, 21421, "PhoneNumber is invalid")
  if (range === undefined || provider.numberOf(phone) !== undefined)
    return refusal(400, 21422, "PhoneNumber is not available")
  if (range.address !== "none" && !form.has("AddressSid"))
    return refusal(400, 21631, "Phone Number Requires an Address but the 'AddressSid' parameter was empty.")
  const number = provider.addNumber(accountSid, phone, range.country)
  change(number, form)
  return { status: 201, body: resource(number) }
}

const own = ({ provider, accountSid }: RestRequest) =>
  [...provider.numbers.values()].filter((number) => number.accountSid === accountSid)

/** `/Accounts/{AC}/IncomingPhoneNumbers.json` */
export const numbers: RestHandler = (request) => {
  const { method, accountSid, query } = request
  if (method === "POST") return buy(request)
  if (method !== "GET") return notAllowed()
  const phone = query.get("PhoneNumber")
  const found = own(request).filter((number) => phone === null || pattern(phone).test(number.phone))
  const uri = `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json`
  return page(request, uri, "incoming_phone_numbers", found.map(resource))
}

/** `/Accounts/{AC}/IncomingPhoneNumbers/{PN}.json` */
export const number: RestHandler = (request) => {
  const found = own(request).find(({ sid }) => sid === request.params[0])
  if (found === undefined) return notFound()
  if (request.method === "DELETE") {
    request.provider.numbers.delete(found.sid)
    return gone
  }
  if (request.method === "POST") change(found, request.form)
  return { status: 200, body: resource(found) }
}

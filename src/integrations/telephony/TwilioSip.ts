/** Provisions SIP at Twilio: finds or creates one domain, one credential list and two mappings per organization. */
import { Effect, Schema } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import type { Provisioning, ProvisioningError } from "../../domain/voice/telephony/Provisioning.ts"
import type { TelephonyAccount } from "../../domain/voice/telephony/Telephony.ts"
import { maybe } from "../web/Maybe.ts"
import type { AskFor } from "./AskFor.ts"
import { accountPath, type TwilioForm, type TwilioRequest } from "./TwilioClient.ts"

const Domain = Schema.Struct({
  sid: Schema.String,
  domain_name: Schema.String,
  voice_url: maybe(Schema.String),
  voice_fallback_url: maybe(Schema.String)
})
const Domains = Schema.Struct({ domains: Schema.Array(Domain) })
const List = Schema.Struct({ sid: Schema.String, friendly_name: Schema.String })
const Lists = Schema.Struct({ credential_lists: Schema.Array(List) })
const Mapping = Schema.Struct({ sid: Schema.String })
const Mappings = Schema.Struct({ contents: Schema.Array(Mapping) })
const Credential = Schema.Struct({ sid: Schema.String, username: Schema.String })
const Credentials = Schema.Struct({ credentials: Schema.Array(Credential) })

/** No organization has more: one page holds everything. */
const all = { PageSize: "1000" }

type Ask = (account: TelephonyAccount, request: TwilioRequest) => Effect.Effect<unknown, ProvisioningError>

/** `ask` sends a request whose answer is not read; `webhooks` are the URLs that Twilio calls for calls to the domain. */
export const makeTwilioSip = (
  ask: Ask,
  askFor: AskFor,
  webhooks: { readonly voiceUrl: string; readonly statusCallbackUrl: string }
): Pick<Provisioning["Service"], "ensureSipDomain" | "putSipCredentials" | "removeSipCredentials"> => {
  const sip = (account: TelephonyAccount, path: string) => `${accountPath(account)}/SIP/${path}`
  const credentialPath = (account: TelephonyAccount, list: string, sid?: string) =>
    sip(account, `CredentialLists/${list}/Credentials${sid === undefined ? "" : `/${sid}`}.json`)

  const listed = <A>(account: TelephonyAccount, path: string, page: Schema.ConstraintDecoder<A>) =>
    askFor(account, { method: "GET", path, query: all }, page)

  const created = <A>(account: TelephonyAccount, path: string, form: TwilioForm, schema: Schema.ConstraintDecoder<A>) =>
    askFor(account, { method: "POST", path, form, repeatable: false }, schema)

  const hooks = {
    VoiceUrl: webhooks.voiceUrl,
    VoiceMethod: "POST",
    VoiceFallbackUrl: webhooks.voiceUrl,
    VoiceFallbackMethod: "POST",
    VoiceStatusCallbackUrl: webhooks.statusCallbackUrl,
    VoiceStatusCallbackMethod: "POST"
  }

  const ensureDomain = Effect.fnUntraced(function* (account: TelephonyAccount, name: string) {
    const path = sip(account, "Domains.json")
    const { domains } = yield* listed(account, path, Domains)
    const found = domains.find(({ domain_name }) => domain_name === name)
    if (found === undefined) {
      const form = { DomainName: name, FriendlyName: name.slice(0, 64), SipRegistration: "true", ...hooks }
      return (yield* created(account, path, form, Domain)).sid
    }
    if (found.voice_url !== webhooks.voiceUrl || found.voice_fallback_url !== webhooks.voiceUrl)
      yield* ask(account, { method: "POST", path: sip(account, `Domains/${found.sid}.json`), form: hooks })
    return found.sid
  })

  const findList = Effect.fnUntraced(function* (account: TelephonyAccount, name: string) {
    const { credential_lists } = yield* listed(account, sip(account, "CredentialLists.json"), Lists)
    return credential_lists.find(({ friendly_name }) => friendly_name === name)?.sid
  })

  const ensureList = Effect.fnUntraced(function* (account: TelephonyAccount, name: string) {
    const found = yield* findList(account, name)
    if (found !== undefined) return found
    return (yield* created(account, sip(account, "CredentialLists.json"), { FriendlyName: name }, List)).sid
  })

  const ensureMapping = Effect.fnUntraced(function* (
    account: TelephonyAccount,
    domain: string,
    use: string,
    list: string
  ) {
    const path = sip(account, `Domains/${domain}/Auth/${use}/CredentialListMappings.json`)
    const { contents } = yield* listed(account, path, Mappings)
    if (contents.some(({ sid }) => sid === list)) return
    yield* created(account, path, { CredentialListSid: list }, Mapping)
  })

  const findCredential = Effect.fnUntraced(function* (account: TelephonyAccount, list: string, wanted: string) {
    const { credentials } = yield* listed(account, credentialPath(account, list), Credentials)
    return credentials.find(({ username }) => username === wanted)?.sid
  })

  return {
    ensureSipDomain: traced("TwilioSip.ensureSipDomain")(function* (account, domain, listName) {
      const domainSid = yield* ensureDomain(account, domain)
      const list = yield* ensureList(account, listName)
      // "Calls" lets a carrier call; "Registrations" lets a telephone register.
      yield* ensureMapping(account, domainSid, "Calls", list)
      yield* ensureMapping(account, domainSid, "Registrations", list)
      return list
    }),

    putSipCredentials: traced("TwilioSip.putSipCredentials")(function* (account, list, { username, password }) {
      const sid = yield* findCredential(account, list, username)
      if (sid === undefined) {
        const form = { Username: username, Password: password }
        yield* created(account, credentialPath(account, list), form, Credential)
      } else {
        const path = credentialPath(account, list, sid)
        yield* ask(account, { method: "POST", path, form: { Password: password } })
      }
    }),

    removeSipCredentials: traced("TwilioSip.removeSipCredentials")(function* (account, listName, username) {
      const list = yield* findList(account, listName)
      const sid = list === undefined ? undefined : yield* findCredential(account, list, username)
      if (list === undefined || sid === undefined) return
      yield* ask(account, { method: "DELETE", path: credentialPath(account, list, sid) }).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "not_found",
          () => Effect.void
        )
      )
    })
  }
}

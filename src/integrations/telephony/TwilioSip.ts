/** The SIP part of provisioning at Twilio: one domain, one credential list and two mappings per organization, each found or made. */
import { Effect } from "effect"
import { z } from "zod"
import { traced } from "../../domain/basics/Traced.ts"
import type { Provisioning, ProvisioningError } from "../../domain/voice/telephony/Provisioning.ts"
import type { TelephonyAccount } from "../../domain/voice/telephony/Telephony.ts"
import type { AskFor } from "./AskFor.ts"
import { accountPath, type TwilioForm, type TwilioRequest } from "./TwilioClient.ts"

const Domain = z.object({
  sid: z.string(),
  domain_name: z.string(),
  voice_url: z.string().nullish(),
  voice_fallback_url: z.string().nullish()
})
const List = z.object({ sid: z.string(), friendly_name: z.string() })
const Mapping = z.object({ sid: z.string() })
const Credential = z.object({ sid: z.string(), username: z.string() })

/** More than any organization has: one page is all. */
const all = { PageSize: "1000" }

type Ask = (account: TelephonyAccount, request: TwilioRequest) => Effect.Effect<unknown, ProvisioningError>

export const makeTwilioSip = (
  ask: Ask,
  askFor: AskFor,
  webhooks: { readonly voiceUrl: string; readonly statusCallbackUrl: string }
): Pick<Provisioning["Service"], "ensureSipDomain" | "putSipCredentials" | "removeSipCredentials"> => {
  const sip = (account: TelephonyAccount, path: string) => `${accountPath(account)}/SIP/${path}`
  const credentialPath = (account: TelephonyAccount, list: string, sid?: string) =>
    sip(account, `CredentialLists/${list}/Credentials${sid === undefined ? "" : `/${sid}`}.json`)

  const listed = <A>(account: TelephonyAccount, path: string, name: string, item: z.ZodType<A>) =>
    Effect.map(
      askFor(account, { method: "GET", path, query: all }, z.object({ [name]: z.array(item) })),
      (page) => page[name]
    )

  const created = <A>(account: TelephonyAccount, path: string, form: TwilioForm, schema: z.ZodType<A>) =>
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
    const found = (yield* listed(account, path, "domains", Domain)).find(({ domain_name }) => domain_name === name)
    if (found === undefined) {
      const form = { DomainName: name, FriendlyName: name.slice(0, 64), SipRegistration: "true", ...hooks }
      return (yield* created(account, path, form, Domain)).sid
    }
    if (found.voice_url !== webhooks.voiceUrl || found.voice_fallback_url !== webhooks.voiceUrl)
      yield* ask(account, { method: "POST", path: sip(account, `Domains/${found.sid}.json`), form: hooks })
    return found.sid
  })

  const findList = Effect.fnUntraced(function* (account: TelephonyAccount, name: string) {
    const lists = yield* listed(account, sip(account, "CredentialLists.json"), "credential_lists", List)
    return lists.find(({ friendly_name }) => friendly_name === name)?.sid
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
    const mapped = yield* listed(account, path, "contents", Mapping)
    if (mapped.some(({ sid }) => sid === list)) return
    yield* created(account, path, { CredentialListSid: list }, Mapping)
  })

  const findCredential = Effect.fnUntraced(function* (account: TelephonyAccount, list: string, wanted: string) {
    const found = yield* listed(account, credentialPath(account, list), "credentials", Credential)
    return found.find(({ username }) => username === wanted)?.sid
  })

  return {
    ensureSipDomain: traced("TwilioSip.ensureSipDomain")(function* (account, domain, listName) {
      const domainSid = yield* ensureDomain(account, domain)
      const list = yield* ensureList(account, listName)
      // The one lets a carrier call, the other lets a telephone register.
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

/** The REST resources of SIP domains, credential lists, and the mappings between them, which say who may call and who may register. */
import { type CredentialList, newSid, rfc2822, type SipDomain, type SipUse } from "./Provider.ts"
import { gone, notAllowed, notFound, page, type Reply, type RestHandler, type RestRequest, refusal } from "./Reply.ts"

const base = (accountSid: string) => `/2010-04-01/Accounts/${accountSid}/SIP`

const domainResource = ({ sid, accountSid, name, created, settings, lists }: SipDomain) => {
  const uri = `${base(accountSid)}/Domains/${sid}`
  const setting = (key: string) => settings.get(key) ?? null
  return {
    sid,
    account_sid: accountSid,
    domain_name: name,
    friendly_name: setting("FriendlyName"),
    auth_type: lists.Calls.size > 0 ? "CREDENTIAL_LIST" : "",
    api_version: "2010-04-01",
    voice_url: setting("VoiceUrl"),
    voice_method: settings.get("VoiceMethod") ?? "POST",
    voice_fallback_url: setting("VoiceFallbackUrl"),
    voice_fallback_method: "POST",
    voice_status_callback_url: setting("VoiceStatusCallbackUrl"),
    voice_status_callback_method: settings.get("VoiceStatusCallbackMethod") ?? "POST",
    sip_registration: settings.get("SipRegistration") === "true",
    secure: settings.get("Secure") === "true",
    emergency_calling_enabled: false,
    emergency_caller_sid: null,
    byoc_trunk_sid: null,
    subresource_uris: { credential_list_mappings: `${uri}/CredentialListMappings.json` },
    date_created: created,
    date_updated: created,
    uri: `${uri}.json`
  }
}

const owned = <A extends { readonly accountSid: string }>(all: ReadonlyMap<string, A>, accountSid: string) =>
  [...all.values()].filter((one) => one.accountSid === accountSid)

const change = (domain: SipDomain, form: URLSearchParams) => {
  for (const [name, value] of form) if (name !== "DomainName") domain.settings.set(name, value)
}

const makeDomain = ({ provider, accountSid, form }: RestRequest): Reply => {
  const name = (form.get("DomainName") ?? "").toLowerCase()
  if (!/^[a-z\d](?:[a-z\d-]*[a-z\d])?\.sip\.twilio\.com$/.test(name))
    return refusal(400, 21234, "DomainName is invalid")
  if ([...provider.domains.values()].some((domain) => domain.name === name))
    return refusal(400, 21232, "DomainName is already in use")
  const domain: SipDomain = {
    sid: newSid("SD"),
    accountSid,
    name,
    created: rfc2822(),
    settings: new Map(),
    lists: { Calls: new Map(), Registrations: new Map() }
  }
  change(domain, form)
  provider.domains.set(domain.sid, domain)
  return { status: 201, body: domainResource(domain) }
}

/** `…/SIP/Domains.json` */
export const domains: RestHandler = (request) => {
  const { provider, method, accountSid } = request
  if (method === "POST") return makeDomain(request)
  if (method !== "GET") return notAllowed()
  return page(
    request,
    `${base(accountSid)}/Domains.json`,
    "domains",
    owned(provider.domains, accountSid).map(domainResource)
  )
}

const domainOf = ({ provider, accountSid, params }: RestRequest) =>
  owned(provider.domains, accountSid).find(({ sid }) => sid === params[0])

/** `…/SIP/Domains/{SD}.json` */
export const domain: RestHandler = (request) => {
  const found = domainOf(request)
  if (found === undefined) return notFound()
  if (request.method === "DELETE") {
    request.provider.domains.delete(found.sid)
    return gone
  }
  if (request.method === "POST") change(found, request.form)
  return { status: 200, body: domainResource(found) }
}

const isUse = (text: string): text is SipUse => text === "Calls" || text === "Registrations"

/** `…/SIP/Domains/{SD}/Auth/{Calls|Registrations}/CredentialListMappings.json` */
export const mappings: RestHandler = (request) => {
  const { provider, method, accountSid, form, params } = request
  const [, use] = params
  const found = domainOf(request)
  if (found === undefined || !isUse(use)) return notFound()
  const mapped = found.lists[use]
  const resource = (listSid: string) => ({
    sid: listSid,
    account_sid: accountSid,
    friendly_name: provider.credentialLists.get(listSid)?.friendlyName ?? null,
    date_created: mapped.get(listSid) ?? null,
    date_updated: mapped.get(listSid) ?? null
  })
  if (method === "GET") {
    const uri = `${base(accountSid)}/Domains/${found.sid}/Auth/${use}/CredentialListMappings.json`
    return page(request, uri, "contents", [...mapped.keys()].map(resource))
  }
  if (method !== "POST") return notAllowed()
  const listSid = form.get("CredentialListSid") ?? ""
  if (provider.credentialLists.get(listSid)?.accountSid !== accountSid) return notFound()
  if (mapped.has(listSid)) return refusal(400, 21231, "CredentialList is already mapped to this domain")
  mapped.set(listSid, rfc2822())
  return { status: 201, body: resource(listSid) }
}

const listResource = ({ sid, accountSid, friendlyName, created }: CredentialList) => ({
  sid,
  account_sid: accountSid,
  friendly_name: friendlyName,
  date_created: created,
  date_updated: created,
  subresource_uris: { credentials: `${base(accountSid)}/CredentialLists/${sid}/Credentials.json` },
  uri: `${base(accountSid)}/CredentialLists/${sid}.json`
})

/** `…/SIP/CredentialLists.json` */
export const credentialLists: RestHandler = (request) => {
  const { provider, method, accountSid, form } = request
  if (method === "GET") {
    const found = owned(provider.credentialLists, accountSid).map(listResource)
    return page(request, `${base(accountSid)}/CredentialLists.json`, "credential_lists", found)
  }
  const friendlyName = form.get("FriendlyName") ?? ""
  if (method !== "POST") return notAllowed()
  if (friendlyName === "") return refusal(400, 20001, "FriendlyName is required")
  const list: CredentialList = {
    sid: newSid("CL"),
    accountSid,
    friendlyName,
    created: rfc2822(),
    credentials: new Map()
  }
  provider.credentialLists.set(list.sid, list)
  return { status: 201, body: listResource(list) }
}

type Credential = CredentialList["credentials"] extends Map<string, infer C> ? C : never

const credentialResource = (list: CredentialList, { sid, username, created }: Credential) => ({
  sid,
  account_sid: list.accountSid,
  credential_list_sid: list.sid,
  username,
  date_created: created,
  date_updated: created,
  uri: `${base(list.accountSid)}/CredentialLists/${list.sid}/Credentials/${sid}.json`
})

/** At least 12 characters with a digit, a small and a capital letter. */
const strong = (password: string) =>
  password.length >= 12 && /\d/.test(password) && /[a-z]/.test(password) && /[A-Z]/.test(password)

const weak = () => refusal(400, 21237, "Password must be at least 12 characters, with a digit and mixed case")

const listOf = ({ provider, accountSid, params }: RestRequest) =>
  owned(provider.credentialLists, accountSid).find(({ sid }) => sid === params[0])

/** `…/SIP/CredentialLists/{CL}/Credentials.json` */
export const credentials: RestHandler = (request) => {
  const { method, form } = request
  const list = listOf(request)
  if (list === undefined) return notFound()
  const all = [...list.credentials.values()]
  if (method === "GET") {
    const uri = `${base(list.accountSid)}/CredentialLists/${list.sid}/Credentials.json`
    return page(
      request,
      uri,
      "credentials",
      all.map((credential) => credentialResource(list, credential))
    )
  }
  if (method !== "POST") return notAllowed()
  const [username, password] = [form.get("Username") ?? "", form.get("Password") ?? ""]
  if (username === "" || username.length > 32) return refusal(400, 21236, "Username must have 1 to 32 characters")
  if (!strong(password)) return weak()
  if (all.some((one) => one.username === username)) return refusal(400, 21238, "Username is already in this list")
  const credential: Credential = { sid: newSid("CR"), username, password, created: rfc2822() }
  list.credentials.set(credential.sid, credential)
  return { status: 201, body: credentialResource(list, credential) }
}

/** `…/SIP/CredentialLists/{CL}/Credentials/{CR}.json` */
export const credential: RestHandler = (request) => {
  const list = listOf(request)
  const found = list?.credentials.get(request.params[1])
  if (list === undefined || found === undefined) return notFound()
  if (request.method === "DELETE") {
    list.credentials.delete(found.sid)
    return gone
  }
  if (request.method === "POST") {
    const password = request.form.get("Password") ?? ""
    if (!strong(password)) return weak()
    found.password = password
  }
  return { status: 200, body: credentialResource(list, found) }
}

/** The routes of the provisioning resources, and the check of credentials. */
import { account, accounts } from "./Accounts.ts"
import { available, number, numbers } from "./Numbers.ts"
import type { Provider } from "./Provider.ts"
import { recordedAudio, recording } from "./Recordings.ts"
import { type Reply, type RestHandler, refusal } from "./Reply.ts"
import { credential, credentialLists, credentials, domain, domains, mappings } from "./Sip.ts"

const below = (path: string) => new RegExp(`^/2010-04-01/Accounts/(AC\\w+)${path}\\.json$`)

/** The first group of the pattern is the account. */
export type Route = readonly [RegExp, RestHandler]

const routes: ReadonlyArray<Route> = [
  [below(""), account],
  [below("/AvailablePhoneNumbers/([A-Z]{2})/(Local|Mobile|TollFree)"), available],
  [below("/IncomingPhoneNumbers"), numbers],
  [below("/IncomingPhoneNumbers/(PN\\w+)"), number],
  [below("/Recordings/(RE\\w+)"), recording],
  [/^\/2010-04-01\/Accounts\/(AC\w+)\/Recordings\/(RE\w+)\.wav$/, recordedAudio],
  [below("/SIP/Domains"), domains],
  [below("/SIP/Domains/(SD\\w+)"), domain],
  [below("/SIP/Domains/(SD\\w+)/Auth/(Calls|Registrations)/CredentialListMappings"), mappings],
  [below("/SIP/CredentialLists"), credentialLists],
  [below("/SIP/CredentialLists/(CL\\w+)/Credentials"), credentials],
  [below("/SIP/CredentialLists/(CL\\w+)/Credentials/(CR\\w+)"), credential]
]

const basic = (authorization: string | undefined): readonly [string, string] => {
  const text = Buffer.from(authorization?.replace(/^Basic /, "") ?? "", "base64").toString()
  return [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)]
}

/** Answers a request for accounts, numbers or SIP; `undefined` for any other address. `url`: path and query. */
export const provision = (
  provider: Provider,
  method: string,
  url: string,
  authorization: string | undefined,
  form: URLSearchParams,
  more: ReadonlyArray<Route> = []
): Reply | undefined => {
  const { pathname, searchParams: query } = new URL(url, "http://provider")
  const [user, password] = basic(authorization)
  const refused = refusal(401, 20003, "Authenticate")
  if (pathname === "/2010-04-01/Accounts.json") {
    if (!provider.mayAct(user, user, password)) return refused
    return accounts({ provider, method, accountSid: user, params: [], query, form })
  }
  for (const [pattern, handler] of [...routes, ...more]) {
    const [, accountSid, ...params] = pattern.exec(pathname) ?? []
    if (accountSid === undefined) continue
    if (!provider.mayAct(accountSid, user, password)) return refused
    return handler({ provider, method, accountSid, params, query, form })
  }
  return undefined
}

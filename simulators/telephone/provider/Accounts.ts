/** The REST resources of accounts and subaccounts. */
import { randomBytes } from "node:crypto"
import { newSid, type ProviderAccount } from "./Provider.ts"
import { notAllowed, notFound, page, type RestHandler } from "./Reply.ts"

const resource = ({ sid, authToken, friendlyName, owner, status, created }: ProviderAccount) => {
  const uri = `/2010-04-01/Accounts/${sid}`
  return {
    sid,
    auth_token: authToken,
    friendly_name: friendlyName,
    owner_account_sid: owner,
    status,
    type: "Full",
    date_created: created,
    date_updated: created,
    subresource_uris: { calls: `${uri}/Calls.json`, incoming_phone_numbers: `${uri}/IncomingPhoneNumbers.json` },
    uri: `${uri}.json`
  }
}

/** `/Accounts.json` */
export const accounts: RestHandler = (request) => {
  const { provider, method, accountSid, form, query } = request
  if (method === "POST") {
    const name = form.get("FriendlyName") ?? "SubAccount"
    const made = provider.addAccount(newSid("AC"), randomBytes(16).toString("hex"), name, accountSid)
    return { status: 201, body: resource(made) }
  }
  if (method !== "GET") return notAllowed()
  const [name, status] = [query.get("FriendlyName"), query.get("Status")]
  const found = [...provider.accounts.values()].filter(
    (account) =>
      account.owner === accountSid &&
      (name === null || account.friendlyName === name) &&
      (status === null || account.status === status)
  )
  return page(request, "/2010-04-01/Accounts.json", "accounts", found.map(resource))
}

const statuses = new Set<string>(["active", "suspended", "closed"] satisfies Array<ProviderAccount["status"]>)
const isStatus = (text: string | null): text is ProviderAccount["status"] => text !== null && statuses.has(text)

/** `/Accounts/{AC}.json` */
export const account: RestHandler = ({ provider, method, accountSid, form }) => {
  const found = provider.accounts.get(accountSid)
  if (found === undefined) return notFound()
  const status = form.get("Status")
  if (method === "POST" && isStatus(status)) {
    if (status === "closed") provider.close(found)
    else found.status = status
  }
  return method === "GET" || method === "POST" ? { status: 200, body: resource(found) } : notAllowed()
}

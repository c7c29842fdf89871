/** A simulated data centre of Zoho: its accounts server, and Zoho CRM with records, credits and errors, as strict as the real one. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { httpFaults, listen, readBody, sendJson, spoiled } from "../support/Loopback.ts"
import { OAuthTokens } from "../support/OAuthTokens.ts"
import { ZohoRecords, ZohoRefusal, type ZohoResult, zohoModules } from "./ZohoRecords.ts"

export const zohoClient = { id: "1000.CLIENTOFPARLEY", secret: "secret-of-the-client" }

const refreshesAllowed = 10
const refreshWindowMs = 10 * 60_000

const errorBody = (code: string, message: string) => ({ code, details: {}, message, status: "error" })

export interface ZohoRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export const start = async () => {
  const records = new ZohoRecords()
  const faults = httpFaults()
  /** Credits that are left, and the requests at once that are taken. */
  const limits = { credits: 50_000, busy: 0 }
  const received: Array<ZohoRequest> = []
  let refreshes: Array<number> = []
  let own = ""
  const tokens = new OAuthTokens({
    client: zohoClient,
    rotates: false,
    prefix: "1000.access",
    lifetimeSeconds: 3_600,
    beside: ({ lifetimeSeconds }) => ({ expires_in: lifetimeSeconds, api_domain: own, token_type: "Bearer" }),
    // Errors come as successes, and a code or refresh token of another data centre is simply not known.
    refusal: (error) => ({ status: 200, body: { error: error === "invalid_grant" ? "invalid_code" : error } })
  })

  const work = (method: string, url: URL, body: unknown, since: string | undefined): ZohoResult => {
    const [, , module = "", id, list, action] = url.pathname.slice(1).split("/").map(decodeURIComponent)
    const fields = (url.searchParams.get("fields") ?? "").split(",").filter(Boolean)
    if (method === "GET" && module === "org")
      return { status: 200, body: { org: [{ id: "5545974000000000001", company_name: "Maple Books" }] } }
    if (method === "GET" && module === "settings" && id === "fields") {
      const of = zohoModules[url.searchParams.get("module") ?? ""]
      if (of === undefined) throw new ZohoRefusal(400, "INVALID_MODULE", "the module name given seems to be invalid")
      const shown = Object.entries(of).map(([api_name, { type, readOnly = false }]) => ({
        ...{
          api_name,
          field_label: api_name.replaceAll("_", " "),
          data_type: type,
          read_only: readOnly,
          field_read_only: readOnly
        }
      }))
      return { status: 200, body: { fields: shown } }
    }
    if (method === "GET" && module === "Contacts" && id === "search") return records.search(url.searchParams)
    if (method === "POST" && module === "Contacts" && id === "upsert") return records.upsert(body)
    if (method === "POST" && module === "Contacts" && list === "actions" && id !== undefined)
      if (action === "add_tags" || action === "remove_tags") return records.tag(action, id, body)
    if (method === "GET" && module === "Contacts" && id === undefined)
      return records.changed(module, url.searchParams, since)
    if (method === "POST" && id === undefined) return records.create(module, body)
    if (method === "PUT" && id !== undefined && list === undefined) return records.change(module, id, body)
    const parent = id === undefined ? undefined : records.records.get(id)
    if (method === "GET" && list === undefined && parent?.module === module) return records.list([parent], fields)
    if (method === "GET" && list === undefined && parent === undefined) return { status: 204, body: undefined }
    if (parent?.module === "Contacts" && module === "Contacts") {
      if (method === "POST" && list === "Notes") return records.create("Notes", body, { Parent_Id: id })
      const isHis = ({ fields }: { readonly fields: Record<string, unknown> }) =>
        fields.Parent_Id === id ||
        [fields.Who_Id, fields.Contact_Name].some((one) => (one as { readonly id?: string } | undefined)?.id === id)
      if (method === "GET" && (list === "Notes" || list === "Calls" || list === "Deals"))
        return records.list(records.all(list).filter(isHis), fields)
    }
    throw new ZohoRefusal(404, "INVALID_URL_PATTERN", "Please check if the URL trying to access is a correct one")
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://zoho.test")
    const raw = await readBody(request)
    const { method = "GET" } = request
    if (await spoiled(faults, response, () => errorBody("INTERNAL_ERROR", "Internal Server Error"))) return
    if (url.pathname === "/oauth/v2/token" && method === "POST") {
      const form = new URLSearchParams(raw)
      if (form.get("grant_type") === "refresh_token") {
        const now = Date.now()
        refreshes = refreshes.filter((at) => now - at < refreshWindowMs)
        if (refreshes.length >= refreshesAllowed)
          return sendJson(response, 400, {
            error: "access_denied",
            error_description: "too many requests continuously"
          })
        refreshes.push(now)
      }
      const { status, body } = tokens.take(form)
      return sendJson(response, status, body)
    }
    if (url.pathname === "/oauth/v2/token/revoke" && method === "POST") {
      tokens.revoke(url.searchParams.get("token") ?? "")
      return sendJson(response, 200, { status: "success" })
    }
    const [, token] = /^Zoho-oauthtoken (.+)$/.exec(request.headers.authorization ?? "") ?? []
    if (token === undefined || tokens.judge(token) !== "good")
      return sendJson(response, 401, errorBody("INVALID_TOKEN", "invalid oauth token"))
    const headers = { "x-api-credits-remaining": String(Math.max(0, limits.credits - 1)) }
    if (limits.credits <= 0 || limits.busy > 0) {
      if (limits.busy > 0) limits.busy--
      return sendJson(
        response,
        429,
        errorBody("TOO_MANY_REQUESTS", "You have exceeded the number of requests"),
        headers
      )
    }
    limits.credits--
    try {
      const body: unknown = raw === "" ? undefined : JSON.parse(raw)
      received.push({ method, path: url.pathname + url.search, body })
      if (!url.pathname.startsWith("/crm/v8/"))
        throw new ZohoRefusal(404, "INVALID_URL_PATTERN", "Please check if the URL trying to access is a correct one")
      const result = work(method, url, body, request.headers["if-modified-since"])
      if (result.body === undefined) return void response.writeHead(result.status, headers).end()
      sendJson(response, result.status, result.body, headers)
    } catch (cause) {
      const [status, code] = cause instanceof ZohoRefusal ? [cause.status, cause.code] : [400, "INVALID_DATA"]
      sendJson(response, status, errorBody(code, String(cause instanceof Error ? cause.message : cause)), headers)
    }
  }

  const { url, close } = await listen(answer)
  own = url
  return { url, close, records, tokens, faults, limits, received }
}
export type ZohoSimulator = Awaited<ReturnType<typeof start>>

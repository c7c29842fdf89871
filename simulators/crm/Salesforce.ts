/** A simulated Salesforce: its authorization, records, queries, rules against duplicates, limits and errors, as strict as the real one. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { httpFaults, listen, readBody, sendJson, spoiled } from "../support/Loopback.ts"
import { OAuthTokens } from "../support/OAuthTokens.ts"
import { SalesforceRecords, SalesforceRefusal } from "./SalesforceRecords.ts"

export const salesforceClient = { id: "3MVG9.client-of-parley", secret: "secret-of-the-client" }
const organizationId = "00D000000000001AAA"
const userId = "005000000000001AAA"

export interface SalesforceRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

export const start = async () => {
  const records = new SalesforceRecords()
  const faults = httpFaults()
  const limits = { perDay: 15_000, used: 0 }
  const received: Array<SalesforceRequest> = []
  let own = ""
  const tokens = new OAuthTokens({
    client: salesforceClient,
    rotates: false,
    prefix: "00D000000000001!token",
    lifetimeSeconds: 7_200,
    // Nothing says when the access token ends.
    beside: () => ({
      ...{ instance_url: own, id: `${own}/id/${organizationId}/${userId}`, token_type: "Bearer" },
      ...{ issued_at: String(Date.now()), signature: "c2lnbmF0dXJl", scope: "api refresh_token" }
    }),
    refusal: (error) => ({ status: 400, body: { error, error_description: "expired access/refresh token" } })
  })

  const describe = (object: string) => ({
    name: object,
    fields: Object.entries(records.schema(object)).map(([name, { type, writable, externalId = false }]) => ({
      ...{
        name,
        label: name.replace(/__c$/, "").replaceAll("_", " "),
        type,
        createable: writable,
        updateable: writable
      },
      ...{ externalId, nillable: name !== "LastName", calculated: false }
    }))
  })

  const work = (
    { method, path, query, body }: SalesforceRequest,
    allowSave: boolean
  ): readonly [status: number, body: unknown] => {
    const [object = "", id, value] = path
      .replace(/^\/sobjects\/?/, "")
      .split("/")
      .map(decodeURIComponent)
    if (method === "GET" && path === "/limits")
      return [200, { DailyApiRequests: { Max: limits.perDay, Remaining: limits.perDay - limits.used } }]
    if (method === "GET" && path === "/query") return [200, records.query(query.get("q") ?? "")]
    if (method === "GET" && path === "/parameterizedSearch") {
      if (query.get("sobject") !== "Contact" || query.get("in") !== "PHONE")
        throw new SalesforceRefusal(400, "MALFORMED_SEARCH", "only Contact in PHONE is simulated")
      return [200, records.search(query.get("q") ?? "", (query.get("Contact.fields") ?? "Id").split(","))]
    }
    if (!path.startsWith("/sobjects/"))
      throw new SalesforceRefusal(404, "NOT_FOUND", "The requested resource does not exist")
    if (method === "POST" && id === undefined)
      return [201, { id: records.create(object, body, allowSave).id, success: true, errors: [] }]
    if (method === "GET" && id === "describe") return [200, describe(object)]
    if (id !== undefined && value !== undefined) {
      const same = records.external(object, id, value)
      if (same.length > 1) return [300, same.map((one) => `/services/data/v62.0/sobjects/${object}/${one.id}`)]
      if (method === "GET") {
        if (same.length === 0) throw new SalesforceRefusal(404, "NOT_FOUND", "The requested resource does not exist")
        return [200, records.shown(object, same[0], (query.get("fields") ?? "Id").split(","))]
      }
      if (method === "PATCH") {
        if (typeof body === "object" && body !== null && id in body)
          throw new SalesforceRefusal(400, "INVALID_FIELD", "The external id must not be in the body")
        const made = { success: true, errors: [] }
        if (same.length === 0)
          return [
            201,
            { id: records.create(object, { ...(body as object), [id]: value }, allowSave).id, ...made, created: true }
          ]
        records.change(object, same[0].id, body, allowSave)
        return [200, { id: same[0].id, ...made, created: false }]
      }
    }
    if (id !== undefined && value === undefined && method === "GET")
      return [200, records.shown(object, records.get(object, id), (query.get("fields") ?? "Id").split(","))]
    if (id !== undefined && value === undefined && method === "PATCH") {
      records.change(object, id, body, allowSave)
      return [204, undefined]
    }
    throw new SalesforceRefusal(405, "METHOD_NOT_ALLOWED", `HTTP Method '${method}' not allowed`)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://salesforce.test")
    const raw = await readBody(request)
    const { method = "GET" } = request
    const failed = (status: number) => [
      {
        message: "An unexpected error occurred",
        errorCode: status === 503 ? "SERVER_UNAVAILABLE" : "UNKNOWN_EXCEPTION"
      }
    ]
    if (await spoiled(faults, response, failed)) return
    if (url.pathname === "/services/oauth2/token" && method === "POST") {
      const { status, body } = tokens.take(new URLSearchParams(raw))
      return sendJson(response, status, body)
    }
    if (url.pathname === "/services/oauth2/revoke" && method === "POST") {
      const known = tokens.revoke(new URLSearchParams(raw).get("token") ?? "")
      return known ? void response.writeHead(200).end() : sendJson(response, 400, { error: "unsupported_token_type" })
    }
    const verdict = tokens.judge((request.headers.authorization ?? "").replace(/^Bearer /, ""))
    if (verdict !== "good")
      return sendJson(response, 401, [{ message: "Session expired or invalid", errorCode: "INVALID_SESSION_ID" }])
    const version = /^\/services\/data\/v62\.0(\/.*)$/.exec(url.pathname)
    if (version === null)
      return sendJson(response, 404, [{ message: "The requested resource does not exist", errorCode: "NOT_FOUND" }])
    if (limits.used >= limits.perDay)
      return sendJson(response, 403, [
        { message: "TotalRequests Limit exceeded.", errorCode: "REQUEST_LIMIT_EXCEEDED" }
      ])
    limits.used++
    const headers = { "sforce-limit-info": `api-usage=${limits.used}/${limits.perDay}` }
    try {
      const body: unknown = raw === "" ? undefined : JSON.parse(raw)
      const asked = { method, path: version[1], query: url.searchParams, body }
      received.push(asked)
      const allowSave = request.headers["sforce-duplicate-rule-header"] === "allowSave=true"
      const [status, found] = work(asked, allowSave)
      if (status === 204) return void response.writeHead(204, headers).end()
      sendJson(response, status, found, headers)
    } catch (cause) {
      if (cause instanceof SalesforceRefusal) return sendJson(response, cause.status, cause.body, headers)
      sendJson(response, 400, [{ message: String(cause), errorCode: "JSON_PARSER_ERROR" }], headers)
    }
  }

  const { url, close } = await listen(answer)
  own = url
  return { url, close, records, tokens, faults, limits, received }
}
export type SalesforceSimulator = Awaited<ReturnType<typeof start>>

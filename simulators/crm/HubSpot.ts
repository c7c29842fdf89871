/** A simulated HubSpot: its contacts, activities, search, tokens, limits and errors, as strict as the real one. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { httpFaults, listen, readBody, sendJson, spoiled } from "../support/Loopback.ts"
import { contactProperties, type HubSpotActivity, HubSpotRecords, HubSpotRefusal } from "./HubSpotRecords.ts"
import { makeHubSpotTokens } from "./HubSpotTokens.ts"

const windowMs = 10_000

const errorBody = (status: number, category = "INTERNAL_ERROR", message = "internal error") => ({
  status: "error",
  message,
  correlationId: "aeb5f871-7f07-4993-9211-075dc63e7cbf",
  category: status === 503 ? "SERVICE_UNAVAILABLE" : category
})

const kindOf = (name: string): HubSpotActivity["kind"] | undefined =>
  name === "notes" || name === "calls" ? name : undefined

const shown = (record: {
  readonly id: string
  readonly properties: Record<string, string | null>
  readonly changedAt?: number
}) => {
  const { id, properties, changedAt = Date.now() } = record
  const lastmodifieddate = new Date(changedAt).toISOString()
  return {
    ...{ id, properties: { ...properties, hs_object_id: id, lastmodifieddate } },
    ...{ createdAt: new Date().toISOString(), updatedAt: lastmodifieddate, archived: false }
  }
}

export interface HubSpotRequest {
  readonly method: string
  readonly path: string
  readonly at: number
}

export const start = async () => {
  const records = new HubSpotRecords()
  const tokens = makeHubSpotTokens()
  const faults = httpFaults()
  const limits = { perWindow: 100, perDay: 250_000 }
  const received: Array<HubSpotRequest> = []
  let [times, today]: [Array<number>, number] = [[], 0]

  const work = (method: string, url: URL, body: unknown): readonly [status: number, body: unknown] => {
    const { pathname, searchParams } = url
    const [, version, , object = "", id, ...rest] = pathname.slice(1).split("/").map(decodeURIComponent)
    if (method === "GET" && pathname === "/account-info/v3/details")
      return [200, { portalId: 44_012_345, timeZone: "UTC" }]
    if (method === "GET" && pathname === "/crm/v3/properties/contacts")
      return [
        200,
        {
          results: Object.entries(contactProperties).map(([name, writable]) => ({
            ...{ name, label: name, type: "string", fieldType: "text" },
            modificationMetadata: { archivable: true, readOnlyDefinition: true, readOnlyValue: !writable }
          }))
        }
      ]
    const deal = /^\/crm\/v3\/objects\/deals\/([^/]+)$/.exec(pathname)
    if (method === "GET" && deal !== null) {
      const found = records.deals.get(deal[1])
      if (found === undefined) throw new HubSpotRefusal(404, "OBJECT_NOT_FOUND", "resource not found")
      const asked = (searchParams.get("properties") ?? "").split(",")
      return [
        200,
        shown({ id: deal[1], properties: Object.fromEntries(asked.map((name) => [name, found[name] ?? null])) })
      ]
    }
    if (method === "GET" && pathname === "/crm/v3/pipelines/deals") {
      const stages = [
        { id: "appointmentscheduled", label: "Appointment scheduled", displayOrder: 0 },
        { id: "contractsent", label: "Contract sent", displayOrder: 1 }
      ]
      return [200, { results: [{ id: "default", label: "Sales", displayOrder: 0, stages }] }]
    }
    const dealsOf = /^\/crm\/v4\/objects\/contacts\/([^/]+)\/associations\/deals$/.exec(pathname)
    if (method === "GET" && dealsOf !== null) {
      const { id: contactId } = records.contact(decodeURIComponent(dealsOf[1]), null)
      const near = [...records.dealContacts].filter(([, whose]) => whose === contactId)
      return [200, { results: near.map(([id]) => ({ toObjectId: Number(id), associationTypes: [] })) }]
    }
    const associations = /^\/crm\/v4\/objects\/contacts\/([^/]+)\/associations\/(notes|calls)$/.exec(pathname)
    if (method === "GET" && associations !== null) {
      const { id: contactId } = records.contact(decodeURIComponent(associations[1]), null)
      const near = [...records.activities.values()].filter(
        (one) => one.contactId === contactId && one.kind === associations[2]
      )
      return [200, { results: near.map(({ id }) => ({ toObjectId: Number(id), associationTypes: [] })) }]
    }
    if (version !== "v3") throw new HubSpotRefusal(404, "OBJECT_NOT_FOUND", "no such path")
    if (object === "contacts") {
      if (method === "POST" && id === undefined) return [201, shown(records.create(body))]
      if (method === "POST" && id === "search") {
        const { found, total, next } = records.search(body)
        const paging = next === undefined ? {} : { paging: { next: { after: String(next) } } }
        return [200, { total, results: found.map(shown), ...paging }]
      }
      if (id !== undefined && rest.length === 0 && method === "GET")
        return [200, shown(records.contact(id, searchParams.get("idProperty")))]
      if (id !== undefined && rest.length === 0 && method === "PATCH")
        return [200, shown(records.change(id, searchParams.get("idProperty"), body))]
    }
    const kind = kindOf(object)
    if (kind !== undefined) {
      if (method === "POST" && id === undefined) return [201, shown(records.addActivity(kind, body))]
      if (method === "PATCH" && id !== undefined) return [200, shown(records.changeActivity(kind, id, body))]
      if (method === "POST" && id === "batch" && rest[0] === "read") {
        const { inputs } = body as { readonly inputs: ReadonlyArray<{ readonly id: string }> }
        const results = inputs.map((input) => shown(records.activity(kind, input.id)))
        return [200, { status: "COMPLETE", results }]
      }
    }
    throw new HubSpotRefusal(404, "OBJECT_NOT_FOUND", `no such path: ${method} ${pathname}`)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://hubspot.test")
    const text = await readBody(request)
    const { method = "GET" } = request
    received.push({ method, path: url.pathname, at: Date.now() })
    if (await spoiled(faults, response, (status) => errorBody(status))) return
    if (url.pathname === "/oauth/2026-03/token" && method === "POST") {
      const { status, body } = tokens.take(new URLSearchParams(text))
      return sendJson(response, status, body)
    }
    const verdict = tokens.judge((request.headers.authorization ?? "").replace(/^Bearer /, ""))
    if (verdict !== "good") {
      const category = verdict === "expired" ? "EXPIRED_AUTHENTICATION" : "INVALID_AUTHENTICATION"
      return sendJson(response, 401, errorBody(401, category, "The OAuth token used to make this call is not valid."))
    }
    const now = Date.now()
    times = times.filter((at) => now - at < windowMs)
    const headers = {
      "x-hubspot-ratelimit-max": String(limits.perWindow),
      "x-hubspot-ratelimit-remaining": String(Math.max(0, limits.perWindow - times.length - 1)),
      "x-hubspot-ratelimit-interval-milliseconds": String(windowMs),
      "x-hubspot-ratelimit-daily": String(limits.perDay),
      "x-hubspot-ratelimit-daily-remaining": String(Math.max(0, limits.perDay - today - 1))
    }
    const policyName =
      today >= limits.perDay ? "DAILY" : times.length >= limits.perWindow ? "TEN_SECONDLY_ROLLING" : undefined
    if (policyName !== undefined) {
      const body = { status: "error", errorType: "RATE_LIMIT", policyName, message: "You have reached your limit." }
      return sendJson(response, 429, body, headers)
    }
    times.push(now)
    today++
    try {
      const body: unknown = text === "" ? undefined : JSON.parse(text)
      const [status, found] = work(method, url, body)
      sendJson(response, status, found, headers)
    } catch (cause) {
      if (cause instanceof HubSpotRefusal)
        return sendJson(response, cause.status, errorBody(cause.status, cause.category, cause.message), headers)
      return sendJson(response, 400, errorBody(400, "VALIDATION_ERROR", String(cause)), headers)
    }
  }

  const { url, close } = await listen(answer)
  return { url, close, records, tokens, faults, limits, received }
}
export type HubSpotSimulator = Awaited<ReturnType<typeof start>>

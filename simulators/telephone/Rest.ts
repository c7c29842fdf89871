/** The provider's REST interface. This file has the calls (`PlacedCalls.ts` those placed over REST); `provider/` has everything else. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { type HttpFaults, readBody, sendJson, spoiled } from "../support/Loopback.ts"
import type { EndedBy } from "./CallEvents.ts"
import { callResource, type PlacedCalls } from "./PlacedCalls.ts"
import type { Account } from "./provider/Account.ts"
import type { Provider } from "./provider/Provider.ts"
import { provision } from "./provider/Routes.ts"

/** A call in the REST interface: a live call, or the remembered data of an ended one. */
export interface KnownCall {
  readonly callSid: string
  readonly account: Account
  readonly request: { readonly from: string; readonly to: string; readonly direction?: string }
  readonly live: boolean
  readonly end: (by: EndedBy) => void
  readonly redirect: (twiml: string) => void
}

const error = (response: ServerResponse, status: number, code: number, message: string) =>
  sendJson(response, status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })

const resource = (
  { callSid, account: { accountSid }, request: { from, to, direction = "inbound" } }: KnownCall,
  status: string
) => callResource({ callSid, accountSid, from, to, status, direction })

/** The fault of one request: refused with a 503 and not carried out, or carried out with its answer lost. */
export type RestFault = "refuse" | "lose"

export interface RestFaults extends HttpFaults {
  /** Picks requests by method and path (with query); null: none. */
  restFault: ((method: string, path: string) => RestFault | undefined) | null
}

/** `find` returns live and recently ended calls. */
export const restHandler =
  (
    faults: RestFaults,
    stats: { restRequests: number },
    find: (callSid: string) => KnownCall | undefined,
    provider: Provider,
    placedCalls: PlacedCalls
  ) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await readBody(request))
    stats.restRequests++
    if (await spoiled(faults, response, (status) => ({ code: 20500, message: "planned failure", status }))) return
    const { method = "GET", url = "/" } = request
    const fault = faults.restFault?.(method, url)
    if (fault === "refuse") return error(response, 503, 20500, "planned failure")
    const provisioned = provision(provider, method, url, request.headers.authorization, form, [
      [/^\/2010-04-01\/Accounts\/(AC\w+)\/Calls\.json$/, (asked) => placedCalls.handle(asked)]
    ])
    if (fault === "lose") return void response.destroy()
    if (provisioned !== undefined) {
      const { status, audio } = provisioned
      if (audio !== undefined) return void response.writeHead(status, { "content-type": "audio/x-wav" }).end(audio)
      if (provisioned.body === undefined) return void response.writeHead(provisioned.status).end()
      return sendJson(response, provisioned.status, provisioned.body)
    }
    const [, account, callSid] = request.url?.match(/^\/2010-04-01\/Accounts\/(AC\w+)\/Calls\/(CA\w+)\.json$/) ?? []
    if (account === undefined || !/^(GET|POST)$/.test(method)) return error(response, 404, 20404, "not found")
    const token = provider.accounts.get(account)?.authToken
    const expected = `Basic ${Buffer.from(`${account}:${token}`).toString("base64")}`
    if (token === undefined || request.headers.authorization !== expected) {
      return error(response, 401, 20003, "Authenticate")
    }
    const placed = method === "GET" ? placedCalls.resource(account, callSid) : undefined
    if (placed !== undefined) return sendJson(response, 200, placed)
    const call = find(callSid)
    if (call === undefined || call.account.accountSid !== account) {
      return error(response, 404, 20404, `The requested resource ${request.url} was not found`)
    }
    if (method === "GET") return sendJson(response, 200, resource(call, call.live ? "in-progress" : "completed"))
    if (!call.live) return error(response, 400, 21220, "Call is not in-progress. Cannot redirect.")
    const twiml = form.get("Twiml")
    if (form.get("Status") === "completed") {
      call.end("rest")
      return sendJson(response, 200, resource(call, "completed"))
    }
    if (twiml === null) return error(response, 400, 20001, "Status=completed or Twiml is required")
    if (twiml.length > 4_000) return error(response, 400, 21218, "Twiml is longer than 4000 characters")
    call.redirect(twiml)
    sendJson(response, 200, resource(call, "in-progress"))
  }

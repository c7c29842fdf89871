/** The part of the provider's REST interface that concerns live calls: `POST …/Accounts/{AC}/Calls/{CA}.json`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { type HttpFaults, readBody, sendJson, spoiled } from "../Loopback.ts"
import type { EndedBy } from "./CallEvents.ts"
import type { Account } from "./CallResult.ts"

/** A call as REST knows it: a live one, or what is remembered of an ended one. */
export interface KnownCall {
  readonly callSid: string
  readonly account: Account
  readonly request: { readonly from: string; readonly to: string }
  readonly live: boolean
  readonly end: (by: EndedBy) => void
  readonly redirect: (twiml: string) => void
}

const error = (response: ServerResponse, status: number, code: number, message: string) =>
  sendJson(response, status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })

const resource = (call: KnownCall, status: string) => ({
  sid: call.callSid,
  account_sid: call.account.accountSid,
  from: call.request.from,
  to: call.request.to,
  status,
  direction: "inbound",
  api_version: "2010-04-01",
  uri: `/2010-04-01/Accounts/${call.account.accountSid}/Calls/${call.callSid}.json`
})

/** `find` gives live and recently ended calls; `credentials` the token of a known account. */
export const restHandler =
  (
    faults: HttpFaults,
    stats: { restRequests: number },
    find: (callSid: string) => KnownCall | undefined,
    tokenOf: (accountSid: string) => string | undefined
  ) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await readBody(request))
    stats.restRequests++
    if (await spoiled(faults, response, (status) => ({ code: 20500, message: "planned failure", status }))) return
    const [, account, callSid] = request.url?.match(/^\/2010-04-01\/Accounts\/(AC\w+)\/Calls\/(CA\w+)\.json$/) ?? []
    if (account === undefined || request.method !== "POST") return error(response, 404, 20404, "not found")
    const token = tokenOf(account)
    const expected = `Basic ${Buffer.from(`${account}:${token}`).toString("base64")}`
    if (token === undefined || request.headers.authorization !== expected) {
      return error(response, 401, 20003, "Authenticate")
    }
    const call = find(callSid)
    if (call === undefined || call.account.accountSid !== account) {
      return error(response, 404, 20404, `The requested resource ${request.url} was not found`)
    }
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

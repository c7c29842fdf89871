/** Calls that are placed over the provider's REST interface: the callee's telephone rings, and the customer gets a callback for every state. */
import { Call } from "./Call.ts"
import type { CallerScript } from "./Caller.ts"
import type { CallResult, Exchange } from "./CallResult.ts"
import { type Provider, rfc2822 } from "./provider/Provider.ts"
import { page, type Reply, type RestRequest, refusal } from "./provider/Reply.ts"
import { post, webhookParams } from "./Webhook.ts"

/** What a callee does after some milliseconds of ringing. `failed`: the carrier refuses the call, and nothing rings. */
export type Callee =
  | { readonly outcome: "answers"; readonly afterMs?: number; readonly caller: CallerScript; readonly maxMs?: number }
  | { readonly outcome: "busy" | "no-answer" | "failed"; readonly afterMs?: number }

/** The fault of one status callback. `late`: it comes after the call's last callback. */
export type CallbackFault = "lose" | "repeat" | "late"

export type PlacedStatus = "queued" | "ringing" | "in-progress" | "completed" | "busy" | "no-answer" | "failed"

export interface PlacedCall {
  readonly callSid: string
  readonly accountSid: string
  readonly from: string
  readonly to: string
  status: PlacedStatus
  readonly created: string
  started: string | null
  ended: string | null
  durationSeconds: number | null
  /** The result at the callee's telephone; undefined when the callee did not answer. Resolves when all callbacks are sent. */
  readonly result: Promise<CallResult | undefined>
}

/** The provider's resource of a call. */
export const callResource = (call: {
  readonly callSid: string
  readonly accountSid: string
  readonly from: string
  readonly to: string
  readonly status: string
  readonly direction: string
  readonly created?: string | null
  readonly started?: string | null
  readonly ended?: string | null
  readonly durationSeconds?: number | null
}) => ({
  sid: call.callSid,
  account_sid: call.accountSid,
  from: call.from,
  from_formatted: call.from,
  to: call.to,
  to_formatted: call.to,
  status: call.status,
  direction: call.direction,
  date_created: call.created ?? null,
  start_time: call.started ?? null,
  end_time: call.ended ?? null,
  duration: call.durationSeconds == null ? null : String(call.durationSeconds),
  price: null,
  price_unit: "USD",
  answered_by: null,
  api_version: "2010-04-01",
  uri: `/2010-04-01/Accounts/${call.accountSid}/Calls/${call.callSid}.json`
})

const silent: Callee = { outcome: "answers", caller: (callee) => callee.sleep(1_000).then(callee.hangUp) }

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const events: Readonly<Record<string, string>> = {
  initiated: "initiated",
  ringing: "ringing",
  "in-progress": "answered"
}

/** Sends status callbacks. `rest` sends the late ones. */
interface Reporter {
  readonly tell: (status: string, extra?: Record<string, string>) => Promise<void>
  readonly rest: () => Promise<void>
}

export interface PlacedCallsOptions {
  readonly exchange: Exchange
  readonly provider: Provider
  /** Connects an answered call, for as long as it lasts. */
  readonly play: (call: Call) => Promise<CallResult>
  readonly fault: (status: string, to: string) => CallbackFault | undefined
}

export class PlacedCalls {
  /** Oldest first. */
  readonly calls: Array<PlacedCall> = []
  /** The callees by number. Other numbers answer, say nothing, and hang up after a second. */
  readonly callees = new Map<string, Callee>()
  readonly #options: PlacedCallsOptions

  constructor(options: PlacedCallsOptions) {
    this.#options = options
  }

  /** `POST …/Calls.json` and `GET …/Calls.json`. */
  handle(request: RestRequest): Reply {
    if (request.method === "GET") return this.#list(request)
    const { form, accountSid, provider } = request
    const [to, from, url] = [form.get("To") ?? "", form.get("From") ?? "", form.get("Url") ?? ""]
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return refusal(400, 21211, `The 'To' number ${to} is not a valid phone number.`)
    const owned = [...provider.numbers.values()].filter((number) => number.accountSid === accountSid)
    if (!/^\+\d+$/.test(from) || (owned.length > 0 && !owned.some(({ phone }) => phone === from)))
      return refusal(400, 21212, `The 'From' number ${from} is not a valid phone number or caller ID for your account.`)
    if (!/^https?:\/\//.test(url)) return refusal(400, 21205, "Url is not a valid URL")
    return {
      status: 201,
      body: callResource({ ...this.#place(accountSid, from, to, form), direction: "outbound-api" })
    }
  }

  /** The resource of a placed call; undefined for any other. */
  resource(accountSid: string, callSid: string) {
    const call = this.calls.find((placed) => placed.callSid === callSid && placed.accountSid === accountSid)
    return call === undefined ? undefined : callResource({ ...call, direction: "outbound-api" })
  }

  #list(request: RestRequest): Reply {
    const [from, to] = [request.query.get("From"), request.query.get("To")]
    const found = this.calls
      .filter((call) => call.accountSid === request.accountSid)
      .filter((call) => (from === null || call.from === from) && (to === null || call.to === to))
      .map((call) => callResource({ ...call, direction: "outbound-api" }))
      .reverse()
    return page(request, `/2010-04-01/Accounts/${request.accountSid}/Calls.json`, "calls", found)
  }

  #place(accountSid: string, from: string, to: string, form: URLSearchParams): PlacedCall {
    const callee = this.callees.get(to) ?? silent
    const authToken = this.#options.provider.accounts.get(accountSid)?.authToken ?? ""
    const call = new Call(
      this.#options.exchange,
      { accountSid, authToken, webhookUrl: form.get("Url") ?? "", fallbackUrl: form.get("FallbackUrl") ?? undefined },
      {
        from,
        to,
        direction: "outbound-api",
        caller: callee.outcome === "answers" ? callee.caller : async () => {},
        ...("maxMs" in callee && callee.maxMs !== undefined ? { maxMs: callee.maxMs } : {})
      }
    )
    const run = async (): Promise<CallResult | undefined> => {
      // The answer to the request goes out first.
      await wait(5)
      return this.#ring(
        placed,
        call,
        callee,
        this.#reporter(placed, authToken, form),
        Number(form.get("Timeout") ?? 60)
      )
    }
    const { callSid } = call
    const base = { callSid, accountSid, from, to, created: rfc2822() }
    const placed: PlacedCall = {
      ...base,
      status: "queued",
      started: null,
      ended: null,
      durationSeconds: null,
      result: Promise.resolve().then(run)
    }
    this.calls.push(placed)
    return placed
  }

  async #ring(
    placed: PlacedCall,
    call: Call,
    callee: Callee,
    report: Reporter,
    timeoutSeconds: number
  ): Promise<CallResult | undefined> {
    await report.tell("initiated")
    const { outcome, afterMs = 50 } = callee
    if (outcome !== "failed") {
      placed.status = "ringing"
      await report.tell("ringing")
    }
    const patient = afterMs <= timeoutSeconds * 1_000
    await wait(Math.min(afterMs, timeoutSeconds * 1_000))
    let result: CallResult | undefined
    if (outcome === "answers" && patient) {
      placed.status = "in-progress"
      placed.started = rfc2822()
      const answeredAt = Date.now()
      await report.tell("in-progress")
      result = await this.#options.play(call)
      placed.status = "completed"
      placed.durationSeconds = Math.ceil((Date.now() - answeredAt) / 1_000)
    } else placed.status = outcome === "answers" ? "no-answer" : outcome
    placed.ended = rfc2822()
    await report.tell(placed.status, {
      CallDuration: String(placed.durationSeconds ?? 0),
      ...(outcome === "failed" ? { SipResponseCode: "404" } : {})
    })
    await report.rest()
    return result
  }

  /** Reports the call's states to the customer, numbered in order, except for planned faults. */
  #reporter({ callSid, accountSid, from, to }: PlacedCall, authToken: string, form: URLSearchParams): Reporter {
    const url = form.get("StatusCallback")
    const wanted = form.getAll("StatusCallbackEvent")
    const { exchange, fault } = this.#options
    const late: Array<() => Promise<unknown>> = []
    let sequence = 0
    const tell = async (status: string, extra: Record<string, string> = {}) => {
      if (url === null || !wanted.includes(events[status] ?? "completed")) return
      const fields = {
        ...webhookParams(accountSid, callSid, { from, to, direction: "outbound-api" }),
        CallStatus: status,
        CallbackSource: "call-progress-events",
        SequenceNumber: String(sequence++),
        Timestamp: rfc2822(),
        ...extra
      }
      const signature = exchange.faults.badSignature ? { signature: "Zm9yZ2Vk" } : {}
      const send = () =>
        post({ url, address: exchange.dial(url), authToken, ...signature }, fields).catch(() => undefined)
      const what = fault(status, to)
      if (what === "lose") return
      if (what === "late") return void late.push(send)
      await send()
      if (what === "repeat") await send()
    }
    return {
      tell,
      rest: async () => {
        for (const send of late) await send()
      }
    }
  }
}

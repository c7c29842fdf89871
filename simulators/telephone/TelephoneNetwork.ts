/**
 * A telephone network that speaks Twilio's side: signed webhooks, TwiML, media streams in real time, REST updates of live
 * calls. Its callers are scripts that listen and speak; what they heard is recorded.
 */
import { type HttpFaults, httpFaults, listen } from "../Loopback.ts"
import { Call } from "./Call.ts"
import type { Account, CallRequest, CallResult, Exchange } from "./CallResult.ts"
import { openRaw, type RawStream } from "./RawStream.ts"
import { type KnownCall, restHandler } from "./Rest.ts"
import { sign } from "./Signature.ts"
import { Ticker } from "./Ticker.ts"
import { post, type WebhookAnswer, webhookParams } from "./Webhook.ts"

export interface TelephoneOptions extends Account {
  /** Further accounts whose REST credentials are known before they are called. */
  readonly accounts?: ReadonlyArray<Account>
  /** Where a URL of a webhook or TwiML is really reached, e.g. `wss://host/path` → `ws://127.0.0.1:port/path`. */
  readonly dial?: (url: string) => string
  readonly humanAnswers?: Exchange["humanAnswers"]
  /** How long a dialed human talks; 200 by default. */
  readonly humanTalksMs?: number
  /** How long a caller waits in a queue before giving up; 300 by default. */
  readonly queueWaitMs?: number
  /** Pace of `<Say>`; 20 by default. */
  readonly sayMsPerWord?: number
  readonly port?: number
}

/** `HttpFaults` concern the REST interface; the rest may be changed in mid-call. */
export interface TelephoneFaults extends HttpFaults {
  /** Every n-th inbound media message is lost (its chunk number is missing); 0: none. */
  loseEvery: number
  /** Every n-th inbound media message comes after its successor; 0: none. */
  swapEvery: number
  /** Webhooks, callbacks and stream upgrades are signed wrongly. */
  badSignature: boolean
  /** The voice webhook is posted twice (the second answer counts). */
  repeatWebhook: boolean
}

export interface TelephoneNetwork {
  /** Base URL of the REST interface. */
  readonly url: string
  readonly port: number
  readonly faults: TelephoneFaults
  readonly stats: { calls: number; live: number; restRequests: number }
  /** Places a call and plays it to its end. */
  readonly call: (request: CallRequest) => Promise<CallResult>
  /** Posts a voice webhook of one's own making: `fields` over the usual ones, a right signature unless another is given. */
  readonly webhook: (
    fields: Readonly<Record<string, string>>,
    options?: { readonly signature?: string | null; readonly account?: Account }
  ) => Promise<WebhookAnswer>
  /** Dials a stream URL as written in TwiML, signed as the network signs it unless `headers` say otherwise. */
  readonly openRaw: (url: string, headers?: Readonly<Record<string, string>>) => Promise<RawStream>
  /** Ends every call (as a caller's hang-up) and frees the port. */
  readonly close: () => Promise<void>
}

const rememberedCalls = 1_000

export const start = async (options: TelephoneOptions): Promise<TelephoneNetwork> => {
  const faults: TelephoneFaults = {
    ...httpFaults(),
    loseEvery: 0,
    swapEvery: 0,
    badSignature: false,
    repeatWebhook: false
  }
  const stats = { calls: 0, live: 0, restRequests: 0 }
  const ticker = new Ticker()
  const calls = new Map<string, KnownCall>()
  const ended: Array<string> = []
  const tokens = new Map([options, ...(options.accounts ?? [])].map((a) => [a.accountSid, a.authToken]))
  const exchange: Exchange = {
    ticker,
    faults,
    dial: options.dial ?? ((url) => url),
    humanAnswers: options.humanAnswers ?? "completed",
    humanTalksMs: options.humanTalksMs ?? 200,
    queueWaitMs: options.queueWaitMs ?? 300,
    sayMsPerWord: options.sayMsPerWord ?? 20
  }
  const server = await listen(
    restHandler(
      faults,
      stats,
      (callSid) => calls.get(callSid),
      (accountSid) => tokens.get(accountSid)
    ),
    options.port
  )

  /** Keeps the name of an ended call, not its recordings. */
  const remember = ({ callSid, account, request: { from, to } }: Call) => {
    ended.push(callSid)
    calls.set(callSid, { callSid, account, request: { from, to }, live: false, end: () => {}, redirect: () => {} })
    if (ended.length > rememberedCalls) calls.delete(ended.shift()!)
  }

  const call = async (request: CallRequest): Promise<CallResult> => {
    const account = request.account ?? options
    tokens.set(account.accountSid, account.authToken)
    const placed = new Call(exchange, account, request)
    calls.set(placed.callSid, placed)
    stats.calls++
    stats.live++
    try {
      return await placed.run()
    } finally {
      stats.live--
      remember(placed)
    }
  }

  return {
    url: server.url,
    port: server.port,
    faults,
    stats,
    call,
    webhook: (fields, { signature, account = options } = {}) => {
      const target = {
        url: account.webhookUrl,
        address: exchange.dial(account.webhookUrl),
        authToken: account.authToken
      }
      const usual = webhookParams(account.accountSid, `CA${"0".repeat(32)}`, {
        from: "+14155550100",
        to: "+14155550123"
      })
      return post(signature === undefined ? target : { ...target, signature }, { ...usual, ...fields })
    },
    openRaw: (url, headers) =>
      openRaw(exchange.dial(url), headers ?? { "x-twilio-signature": sign(options.authToken, url) }),
    close: async () => {
      for (const live of calls.values()) live.end("caller")
      ticker.close()
      await server.close()
    }
  }
}

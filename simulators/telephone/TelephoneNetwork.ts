/**
 * A telephone network that simulates Twilio: signed webhooks, TwiML, media streams in real time, and REST updates of live calls. Its callers are
 * scripts that listen and speak. It records what they hear.
 */
import { httpFaults, listen } from "../support/Loopback.ts"
import { Call } from "./Call.ts"
import type { CallRequest, CallResult, Exchange, HumanAnswer } from "./CallResult.ts"
import { type CallbackFault, PlacedCalls } from "./PlacedCalls.ts"
import type { Account } from "./provider/Account.ts"
import { Provider } from "./provider/Provider.ts"
import { openRaw, type RawStream } from "./RawStream.ts"
import { type KnownCall, type RestFaults, restHandler } from "./Rest.ts"
import { sign } from "./Signature.ts"
import { Ticker } from "./Ticker.ts"
import { WaitingLines } from "./WaitingLines.ts"
import { post, type WebhookAnswer, webhookParams } from "./Webhook.ts"

export interface TelephoneOptions extends Account {
  /** Further accounts whose REST credentials are known before they are called. */
  readonly accounts?: ReadonlyArray<Account>
  /** Maps a URL of a webhook or TwiML to its real address, e.g. `wss://host/path` → `ws://127.0.0.1:port/path`. */
  readonly dial?: (url: string) => string
  /** How a dialled human answers; talks for 200 ms by default. */
  readonly human?: HumanAnswer
  /** How long a caller waits in a queue before giving up; for ever by default. */
  readonly queueWaitMs?: number
  /** Pace of `<Say>`; 20 by default. */
  readonly sayMsPerWord?: number
  readonly port?: number
}

/** `RestFaults` are those of the REST interface. The other fields may change during a call. */
export interface TelephoneFaults extends RestFaults {
  /** Every n-th inbound media message is lost (its chunk number is missing); 0: none. */
  loseEvery: number
  /** Every n-th inbound media message comes after its successor; 0: none. */
  swapEvery: number
  /** Webhooks, callbacks and stream upgrades are signed wrongly. */
  badSignature: boolean
  /** Decides the fault of status callbacks of placed calls by status and callee; null: none. */
  callbackFault: ((status: string, to: string) => CallbackFault | undefined) | null
  /** The voice webhook is posted twice (the second answer counts). */
  repeatWebhook: boolean
  /** How many of the next webhooks get no answer. */
  loseWebhooks: number
  /** How long the provider takes to process a recording, in milliseconds. */
  recordingMs: number
  /** The callback for a finished recording is not sent. */
  loseRecordingCallback: boolean
}

export interface TelephoneNetwork {
  /** Base URL of the REST interface. */
  readonly url: string
  readonly port: number
  readonly faults: TelephoneFaults
  /** Accounts, numbers and SIP domains, for tests to read and set up. */
  readonly provider: Provider
  /** Calls placed over REST, and what their callees do. */
  readonly placed: PlacedCalls
  /** How humans answer from now on, in calls that do not specify it. */
  readonly human: { status: HumanAnswer["status"]; ms: number }
  readonly stats: { calls: number; live: number; restRequests: number }
  /**
   * Places a call and plays it to its end. The call goes to the account of the request, else to the account with the number or the SIP domain, else
   * to the network's own. A carrier's call to a SIP domain needs credentials; without them it rejects with `SIP 403`.
   */
  readonly call: (request: CallRequest) => Promise<CallResult>
  /** Posts a voice webhook with `fields` in place of the usual ones. It is signed correctly unless a signature is given. */
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
    restFault: null,
    loseEvery: 0,
    swapEvery: 0,
    badSignature: false,
    callbackFault: null,
    repeatWebhook: false,
    loseWebhooks: 0,
    recordingMs: 50,
    loseRecordingCallback: false
  }
  const stats = { calls: 0, live: 0, restRequests: 0 }
  const ticker = new Ticker()
  const calls = new Map<string, KnownCall>()
  const ended: Array<string> = []
  const provider = new Provider()
  const know = ({ accountSid, authToken }: Account) => {
    if (provider.accounts.get(accountSid)?.authToken !== authToken) provider.addAccount(accountSid, authToken)
  }
  for (const account of [options, ...(options.accounts ?? [])]) know(account)
  const human = { ...(options.human ?? { status: "completed" as const, ms: 200 }) }
  const exchange: Exchange = {
    ticker,
    faults,
    provider,
    dial: options.dial ?? ((url) => url),
    human,
    lines: new WaitingLines(),
    queueWaitMs: options.queueWaitMs,
    sayMsPerWord: options.sayMsPerWord ?? 20
  }
  /** Remembers the data of an ended call, without its audio. */
  const remember = ({ callSid, account, request: { from, to, direction = "inbound" } }: Call) => {
    ended.push(callSid)
    calls.set(callSid, {
      callSid,
      account,
      request: { from, to, direction },
      live: false,
      end: () => {},
      redirect: () => {}
    })
    if (ended.length > rememberedCalls) calls.delete(ended.shift()!)
  }

  const play = async (call: Call): Promise<CallResult> => {
    calls.set(call.callSid, call)
    stats.calls++
    stats.live++
    try {
      return await call.run()
    } finally {
      stats.live--
      remember(call)
    }
  }

  const call = async (request: CallRequest): Promise<CallResult> => {
    const routed = request.account === undefined ? provider.route(request.to) : undefined
    if (routed !== undefined && request.to.startsWith("sip") && !provider.admits(request.to, "Calls", request.carrier))
      throw new Error("SIP 403 Forbidden")
    const account = request.account ?? routed ?? options
    know(account)
    return play(new Call(exchange, account, request))
  }

  const placed = new PlacedCalls({
    exchange,
    provider,
    play,
    fault: (status, to) => faults.callbackFault?.(status, to)
  })
  const server = await listen(
    restHandler(faults, stats, (callSid) => calls.get(callSid), provider, placed),
    options.port
  )

  return {
    url: server.url,
    port: server.port,
    faults,
    provider,
    placed,
    human,
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

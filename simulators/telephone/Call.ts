/** One call: posts the webhook, obeys the TwiML verb by verb, lets REST updates and the caller interrupt it. */
import { randomBytes } from "node:crypto"
import type { EndedBy } from "./CallEvents.ts"
import { callerApi } from "./Caller.ts"
import type { Account, CallRequest, CallResult, Exchange } from "./CallResult.ts"
import { CallEnded, Line } from "./Line.ts"
import { StreamLeg } from "./StreamLeg.ts"
import { child, type Element, parseTwiml } from "./Twiml.ts"
import { post, type WebhookAnswer, webhookParams } from "./Webhook.ts"

type Outcome =
  | { readonly _tag: "Next" }
  | { readonly _tag: "Document"; readonly twiml: string }
  | { readonly _tag: "End" }
const next: Outcome = { _tag: "Next" }
const over: Outcome = { _tag: "End" }

export class Call {
  readonly callSid = `CA${randomBytes(16).toString("hex")}`
  readonly account: Account
  readonly request: CallRequest
  readonly #exchange: Exchange
  readonly #line: Line
  readonly #documents: Array<string> = []
  readonly #spoken: Array<string> = []
  readonly #warnings: Array<string> = []
  readonly #leg: StreamLeg
  #interrupt: (outcome: Outcome) => void = () => {}
  /** Counts documents left by interruption: a verb of an earlier one has nothing more to say. */
  #epoch = 0
  #streamFailed = false
  #interrupted: Promise<Outcome> = Promise.resolve(over)
  #endedBy: EndedBy | undefined
  #answered = false
  #stopTicking = () => {}
  #limit: NodeJS.Timeout | undefined
  #scriptFailure: unknown
  #webhookStatus = 0
  #rejected: string | undefined
  #dialed: CallResult["dialed"]
  #enqueued: CallResult["enqueued"]

  constructor(exchange: Exchange, account: Account, request: CallRequest) {
    this.#exchange = exchange
    this.account = account
    this.request = request
    this.#line = new Line(request.lineNoise, request.onEvent)
    this.#leg = new StreamLeg(this.#line, exchange, this.callSid, account, request.frameBytes ?? 160, this.#warnings)
    this.#rearm()
  }

  get live(): boolean {
    return this.#endedBy === undefined
  }

  /** REST: the running document is left (its stream torn down) and this one obeyed. */
  redirect(twiml: string): void {
    this.#interrupt({ _tag: "Document", twiml })
  }

  /** Ends the call once; later ends change nothing. */
  end(by: EndedBy): void {
    if (this.#endedBy !== undefined) return
    this.#endedBy = by
    clearTimeout(this.#limit)
    this.#stopTicking()
    this.#leg.leave()
    this.#line.end(by)
    this.#interrupt(over)
  }

  /** The whole call. Rejects only when the caller's script threw something of its own. */
  async run(): Promise<CallResult> {
    this.#limit = setTimeout(() => this.end("limit"), this.request.maxMs ?? 120_000)
    try {
      let twiml = await this.#ring()
      while (twiml !== undefined && this.live) twiml = await this.#obey(twiml)
    } catch (cause) {
      this.#warnings.push(cause instanceof Error ? cause.message : String(cause))
      this.end("error")
    }
    this.end("twiml")
    if (this.#scriptFailure !== undefined) throw this.#scriptFailure
    return this.#result()
  }

  async #ring(): Promise<string | undefined> {
    const repeats = this.#exchange.faults.repeatWebhook ? 2 : 1
    let answer: WebhookAnswer | undefined
    for (let i = 0; i < repeats; i++) answer = await this.#post(this.account.webhookUrl, { CallStatus: "ringing" })
    this.#webhookStatus = answer?.status ?? 0
    if (answer?.status === 200) return answer.body
    this.#warnings.push(`11200: the voice webhook answered ${answer?.status}`)
    this.end("error")
    return undefined
  }

  /** Runs a document; gives the next one, or nothing when the call goes no further. */
  async #obey(twiml: string): Promise<string | undefined> {
    this.#documents.push(twiml)
    const verbs = parseTwiml(twiml)
    for (const verb of verbs) {
      const interrupted = this.#interrupted
      const outcome = await Promise.race([this.#verb(verb), interrupted])
      if (outcome._tag === "Next") continue
      this.#leg.leave()
      this.#rearm()
      return outcome._tag === "Document" ? outcome.twiml : undefined
    }
    if (verbs.at(-1)?.name === "Connect") this.end(this.#streamFailed ? "error" : "stream")
    return undefined
  }

  #rearm(): void {
    this.#epoch++
    this.#interrupted = new Promise((resolve) => {
      this.#interrupt = resolve
    })
  }

  async #verb(verb: Element): Promise<Outcome> {
    const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
    switch (verb.name) {
      case "Connect":
        return this.#connect(verb)
      case "Say":
      case "Play":
        this.#answer()
        this.#spoken.push(verb.text)
        this.#line.record({ type: "spoken", atMs: this.#line.nowMs, text: verb.text })
        await wait(verb.text.split(/\s+/).length * this.#exchange.sayMsPerWord)
        return next
      case "Pause":
        this.#answer()
        await wait(Number(verb.attributes.length ?? 1) * 1_000)
        return next
      case "Redirect":
        return this.#continue(verb.text, {})
      case "Dial":
        return this.#dial(verb)
      case "Enqueue":
        return this.#enqueue(verb)
      case "Reject":
        this.#rejected = verb.attributes.reason ?? "rejected"
        this.end("reject")
        return over
      case "Hangup":
        this.end("twiml")
        return over
      default:
        this.#warnings.push(`12200: unknown verb <${verb.name}>`)
        return next
    }
  }

  async #connect(verb: Element): Promise<Outcome> {
    const element = child(verb, "Stream")
    const url = element?.attributes.url ?? ""
    const fields = { StreamName: element?.attributes.name ?? "" }
    const epoch = this.#epoch
    this.#streamFailed = false
    const report = async (event: string, extra: Record<string, string>) => {
      const callback = element?.attributes.statusCallback
      if (callback) {
        const Timestamp = new Date().toISOString()
        await this.#post(callback, { ...fields, StreamEvent: event, Timestamp, ...extra }).catch((cause) =>
          this.#warnings.push(`11200: stream status callback: ${String(cause)}`)
        )
      }
    }
    try {
      if (!url.startsWith("wss://")) throw new Error(`31922: the stream's scheme is not wss: ${url}`)
      if (url.includes("?")) throw new Error(`31920: the stream's URL has a query string: ${url}`)
      const { end } = await this.#leg.open(url, element!, () => this.live && epoch === this.#epoch)
      if (this.#line.stream !== undefined) {
        this.#answer()
        this.#runScript()
      }
      void report("stream-started", { StreamSid: this.#line.stream?.streamSid ?? "" })
      await end
      void report("stream-stopped", {})
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : String(cause)
      this.#warnings.push(/^\d{5}:/.test(text) ? text : `31920: ${text}`)
      this.#streamFailed = true
      void report("stream-error", { StreamError: text })
    }
    if (!this.live || epoch !== this.#epoch) return over
    return verb.attributes.action ? this.#continue(verb.attributes.action, {}) : next
  }

  async #dial(verb: Element): Promise<Outcome> {
    const epoch = this.#epoch
    this.#answer()
    this.#runScript()
    const to = verb.children[0]?.text ?? verb.text
    const status = this.#exchange.humanAnswers
    this.#dialed = { to, callerId: verb.attributes.callerId, status }
    this.#line.record({ type: "dialed", atMs: this.#line.nowMs, to })
    await new Promise((resolve) => setTimeout(resolve, this.#exchange.humanTalksMs))
    if (!this.live || epoch !== this.#epoch) return over
    if (!verb.attributes.action) return next
    return this.#continue(verb.attributes.action, { DialCallStatus: status })
  }

  async #enqueue(verb: Element): Promise<Outcome> {
    const epoch = this.#epoch
    this.#answer()
    this.#runScript()
    this.#enqueued = { queue: verb.text }
    this.#line.record({ type: "enqueued", atMs: this.#line.nowMs, queue: verb.text })
    await new Promise((resolve) => setTimeout(resolve, this.#exchange.queueWaitMs))
    if (!this.live || epoch !== this.#epoch) return over
    if (verb.attributes.action) await this.#post(verb.attributes.action, { QueueResult: "hangup" })
    this.end("queue")
    return over
  }

  /** Asks an action URL for the next document; relative URLs are the webhook's neighbours. */
  async #continue(action: string, fields: Record<string, string>): Promise<Outcome> {
    const answer = await this.#post(new URL(action, this.account.webhookUrl).href, fields)
    if (answer.status !== 200) throw new Error(`11200: ${action} answered ${answer.status}`)
    return { _tag: "Document", twiml: answer.body }
  }

  #post(url: string, fields: Record<string, string>): Promise<WebhookAnswer> {
    const { accountSid, authToken } = this.account
    const signature = this.#exchange.faults.badSignature ? { signature: "Zm9yZ2Vk" } : {}
    const options = { url, address: this.#exchange.dial(url), authToken, ...signature }
    const status = this.live ? "in-progress" : "completed"
    return post(options, { ...webhookParams(accountSid, this.callSid, this.request), CallStatus: status, ...fields })
  }

  #answer(): void {
    if (this.#answered || !this.live) return
    this.#answered = true
    this.#line.record({ type: "answered", atMs: 0 })
    this.#stopTicking = this.#exchange.ticker.add(() => this.#line.tick())
  }

  #scriptStarted = false
  /** The caller begins to listen and speak when somebody (an agent, a human, a queue) is there. */
  #runScript(): void {
    if (this.#scriptStarted) return
    this.#scriptStarted = true
    const api = callerApi(this.#line, this.callSid, () => this.end("caller"))
    this.request.caller(api).catch((cause) => {
      if (cause instanceof CallEnded) return
      this.#scriptFailure = cause
      this.end("caller")
    })
  }

  #result(): CallResult {
    const bargeInsMs = this.#line.voice.bargeIns
    return {
      callSid: this.callSid,
      webhookStatus: this.#webhookStatus,
      twiml: this.#documents[0] ?? "",
      documents: this.#documents,
      frames: this.#leg.frames,
      heard: this.#line.heard.copy(),
      said: this.#line.said.copy(),
      // An utterance is known to be over only after a while: its event comes late but bears the true time.
      events: this.#line.events.toSorted((a, b) => a.atMs - b.atMs),
      bargeInStopMs: bargeInsMs.length > 0 ? Math.max(...bargeInsMs) : null,
      bargeInsMs,
      durationMs: this.#line.nowMs,
      endedBy: this.#endedBy ?? "twiml",
      spoken: this.#spoken,
      warnings: this.#warnings,
      ...(this.#rejected === undefined ? {} : { rejected: this.#rejected }),
      ...(this.#dialed === undefined ? {} : { dialed: this.#dialed }),
      ...(this.#enqueued === undefined ? {} : { enqueued: this.#enqueued })
    }
  }
}

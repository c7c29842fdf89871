/** One call: posts the webhook and runs the TwiML verb by verb. REST updates and the caller may interrupt it. */
import { randomBytes } from "node:crypto"
import { readMulaw } from "./AudioFile.ts"
import type { EndedBy } from "./CallEvents.ts"
import { callerApi } from "./Caller.ts"
import { CallHooks } from "./CallHooks.ts"
import { CallRecordings } from "./CallRecordings.ts"
import type { CallRequest, CallResult, Dialed, Enqueued, Exchange } from "./CallResult.ts"
import { dial } from "./Dial.ts"
import { enqueue } from "./Enqueue.ts"
import { CallEnded, Line } from "./Line.ts"
import type { Account } from "./provider/Account.ts"
import { next, type Outcome, over, type Scene } from "./Scene.ts"
import { tone } from "./Speaker.ts"
import { StreamLeg } from "./StreamLeg.ts"
import { child, type Element, parseTwiml } from "./Twiml.ts"
import { recordVoice } from "./VoiceRecorder.ts"
import type { WebhookAnswer } from "./Webhook.ts"

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
  readonly #hooks: CallHooks
  readonly #recordings: CallRecordings
  #interrupt: (outcome: Outcome) => void = () => {}
  /** Counts interrupted documents: verbs of an earlier document have no effect any more. */
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
  readonly #dials: Array<Dialed> = []
  readonly #queues: Array<Enqueued> = []
  /** Unfinished reports of verbs and their posts: the call is over only when they are done. */
  readonly #unfinished: Array<Promise<unknown>> = []

  constructor(exchange: Exchange, account: Account, request: CallRequest) {
    this.#exchange = exchange
    this.account = account
    this.request = request
    this.#line = new Line(request.lineNoise, request.onEvent)
    this.#hooks = new CallHooks(this, exchange, this.#warnings)
    this.#recordings = new CallRecordings(this, exchange, this.#hooks)
    const { frameBytes = 160, tap } = request
    this.#leg = new StreamLeg(this.#line, exchange, this.callSid, account, frameBytes, this.#warnings, tap)
    this.#rearm()
  }

  get live(): boolean {
    return this.#endedBy === undefined
  }

  /** A REST update: leaves the running document, closes its stream, and runs this document. */
  redirect(twiml: string): void {
    // At once, so that a verb that wakes up before the document is left sees it.
    this.#epoch++
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

  /** Runs the whole call. Rejects only when the caller's script throws its own error. */
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
    while (this.#unfinished.length > 0) await Promise.allSettled(this.#unfinished.splice(0))
    if (this.#scriptFailure !== undefined) throw this.#scriptFailure
    return this.#result()
  }

  async #ring(): Promise<string | undefined> {
    const repeats = this.#exchange.faults.repeatWebhook ? 2 : 1
    // The webhook of a placed call comes after its callee has answered.
    const CallStatus = this.request.direction === "outbound-api" ? "in-progress" : "ringing"
    let answer: WebhookAnswer | undefined
    for (let i = 0; i < repeats; i++) answer = await this.#hooks.ask(this.account.webhookUrl, { CallStatus })
    this.#webhookStatus = answer?.status ?? 0
    if (answer?.status === 200) return answer.body
    this.#warnings.push(`11200: the voice webhook answered ${answer?.status}`)
    this.end("error")
    return undefined
  }

  /** Runs a document. Returns the next one, or nothing when the call ends. */
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
    switch (verb.name) {
      case "Connect":
        return this.#connect(verb)
      case "Say":
        this.#answer()
        await this.#say(verb.text)
        return next
      case "Play":
        this.#answer()
        return this.#play(verb.text)
      case "Record":
        this.#answer()
        return this.#tracked(this.#record(verb))
      case "Pause":
        this.#answer()
        await this.#wait(Number(verb.attributes.length ?? 1) * 1_000)
        return next
      case "Redirect":
        return this.#continue(verb.text, {})
      case "Dial":
        return this.#tracked(dial(this.#scene(), verb, this.#dials))
      case "Enqueue":
        return this.#tracked(enqueue(this.#scene(), verb, this.#queues))
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

  /** The scene for the verb that begins now. */
  #scene(): Scene {
    const epoch = this.#epoch
    return {
      call: this,
      exchange: this.#exchange,
      line: this.#line,
      hooks: this.#hooks,
      warnings: this.#warnings,
      left: this.#interrupted,
      isHere: () => this.live && epoch === this.#epoch,
      answer: () => this.#answer(),
      runScript: () => this.#runScript(),
      say: (text) => this.#say(text),
      wait: (ms) => this.#wait(ms),
      tell: (action, fields) => void this.#tracked(this.#hooks.tell(action, fields)),
      end: (by) => this.end(by)
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
      const Timestamp = new Date().toISOString()
      if (callback) await this.#hooks.tell(callback, { ...fields, StreamEvent: event, Timestamp, ...extra })
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

  async #say(text: string): Promise<void> {
    this.#spoken.push(text)
    this.#line.record({ type: "spoken", atMs: this.#line.nowMs, text })
    await this.#wait(text.split(/\s+/).length * this.#exchange.sayMsPerWord)
  }

  /** Plays the file to the caller, whose script starts now. */
  async #play(url: string): Promise<Outcome> {
    this.#runScript()
    const response = await fetch(this.#exchange.dial(url), { signal: AbortSignal.timeout(15_000) })
    if (response.status !== 200) throw new Error(`11200: ${url} answered ${response.status}`)
    const mulaw = readMulaw(Buffer.from(await response.arrayBuffer()))
    this.#spoken.push(url)
    this.#line.record({ type: "played", atMs: this.#line.nowMs, url })
    await this.#heard(this.#line.play(mulaw))
    return next
  }

  /** Waits for the playing to end, also with the call. */
  #heard(playing: Promise<void>): Promise<void> {
    return playing.catch((cause: unknown) => {
      if (!(cause instanceof CallEnded)) throw cause
    })
  }

  /** Plays a tone and records the caller. A caller who says nothing goes on with the next verb. */
  async #record(verb: Element): Promise<Outcome> {
    const epoch = this.#epoch
    this.#runScript()
    const { timeout = "5", maxLength = "3600", finishOnKey = "1234567890*#", playBeep, action } = verb.attributes
    if (playBeep !== "false") await this.#heard(this.#line.play(tone))
    if (!this.live || epoch !== this.#epoch) return over
    this.#line.record({ type: "recordingStarted", atMs: this.#line.nowMs })
    const options = { finishOnKey, silenceMs: Number(timeout) * 1_000, maxMs: Number(maxLength) * 1_000 }
    const { mulaw, digits } = await recordVoice(this.#line, options)
    const kept = mulaw.length === 0 ? undefined : this.#recordings.keep(mulaw)
    this.#line.record({ type: "recordingEnded", atMs: this.#line.nowMs, recordingSid: kept?.sid ?? null })
    if (kept === undefined) return this.live && epoch === this.#epoch ? next : over
    this.#tracked(this.#recordings.process(kept, verb.attributes.recordingStatusCallback))
    const fields = { ...this.#recordings.fields(kept), Digits: digits }
    if (!this.live) {
      if (action) this.#tracked(this.#hooks.tell(action, fields))
      return over
    }
    return action ? this.#continue(action, fields) : next
  }

  /** Waits `ms` milliseconds, or until the document is left. */
  #wait(ms: number): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined
    const elapsed = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms)
    })
    return Promise.race([elapsed, this.#interrupted]).finally(() => clearTimeout(timer))
  }

  #tracked<A>(work: Promise<A>): Promise<A> {
    this.#unfinished.push(work)
    return work
  }

  async #continue(action: string, fields: Record<string, string>): Promise<Outcome> {
    return { _tag: "Document", twiml: await this.#hooks.document(action, fields) }
  }

  #answer(): void {
    if (this.#answered || !this.live) return
    this.#answered = true
    this.#line.record({ type: "answered", atMs: 0 })
    this.#stopTicking = this.#exchange.ticker.add(() => this.#line.tick())
  }

  #scriptStarted = false
  /** Starts the caller's script, once something (an agent, a human, a queue) has taken the call. */
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
    const [dialed, enqueued] = [this.#dials.at(-1), this.#queues.at(-1)]
    return {
      callSid: this.callSid,
      webhookStatus: this.#webhookStatus,
      twiml: this.#documents[0] ?? "",
      documents: this.#documents,
      frames: this.#leg.frames,
      heard: this.#line.heard.copy(),
      said: this.#line.said.copy(),
      // The end of an utterance is known only after a while: its event comes late but has the true time.
      events: this.#line.events.toSorted((a, b) => a.atMs - b.atMs),
      bargeInStopMs: bargeInsMs.length > 0 ? Math.max(...bargeInsMs) : null,
      bargeInsMs,
      durationMs: this.#line.nowMs,
      endedBy: this.#endedBy ?? "twiml",
      spoken: this.#spoken,
      warnings: this.#warnings,
      ...(this.#rejected === undefined ? {} : { rejected: this.#rejected }),
      ...(dialed === undefined ? {} : { dialed }),
      dials: this.#dials,
      ...(enqueued === undefined ? {} : { enqueued }),
      queues: this.#queues,
      recordings: this.#recordings.sids
    }
  }
}

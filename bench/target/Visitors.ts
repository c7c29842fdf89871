/** A crowd of visitors in one process: calls begin as they are planned, and end. */
import { setTimeout as sleep } from "node:timers/promises"
import { webhookParams } from "../../simulators/telephone/Webhook.ts"
import { random } from "../../simulators/voice/Noise.ts"
import { streamOf } from "../crowd/Crowd.ts"
import { newSid, openMediaStream, stopMediaStream } from "../crowd/MediaStream.ts"
import { Pacer } from "../crowd/Pacer.ts"
import { SignedPosts } from "../crowd/SignedPosts.ts"
import { type ArrivalKind, makeGaps, makeLengths } from "./Arrivals.ts"
import type { Findings } from "./Findings.ts"
import { baseOf, type Target } from "./Target.ts"
import type { Utterance } from "./Utterances.ts"
import { Visitor } from "./Visitor.ts"

export interface Plan {
  readonly target: Target
  readonly calls: number
  /** Seconds over which the first calls begin, and for which is measured afterwards. */
  readonly ramp: number
  readonly seconds: number
  /** Mean length of a call in seconds; 0: to the end. */
  readonly lasts: number
  readonly arrivals: ArrivalKind
  /** The number of the first caller, so that the callers of several processes are different people. */
  readonly firstCaller: number
  readonly utterances: ReadonlyArray<Utterance>
  readonly noise: ReadonlyArray<string>
}

interface Connection {
  readonly url: string
  readonly secure: boolean
  readonly call: {
    readonly accountSid: string
    readonly authToken?: string
    readonly callSid: string
    readonly parameters: Readonly<Record<string, string>>
  }
}

const settleMs = 3_000

export class Visitors {
  readonly #plan: Plan
  readonly #findings: Findings
  readonly #pacer = new Pacer()
  readonly #posts = new SignedPosts()
  readonly #live = new Set<() => void>()
  readonly #placing = new Set<Promise<void>>()
  #caller: number

  constructor(plan: Plan, findings: Findings) {
    this.#plan = plan
    this.#findings = findings
    this.#caller = plan.firstCaller
  }

  /** Calls that have a stream now. */
  get live(): number {
    return this.#live.size
  }

  /** Plays the plan. `measuring` is called when the ramp is over and the callers have settled. Resolves when all have hung up. */
  async play(measuring: () => void): Promise<void> {
    const { calls, ramp, seconds, lasts, arrivals, firstCaller } = this.#plan
    const draw = random(firstCaller)
    const length = lasts === 0 ? () => Number.POSITIVE_INFINITY : makeLengths(lasts, draw)
    await this.#arrive(calls, makeGaps(arrivals, calls / Math.max(ramp, 0.001), draw), length)
    await sleep(settleMs)
    this.#findings.settled()
    measuring()
    const endAt = performance.now() + seconds * 1_000
    if (lasts > 0) await this.#arrive(Number.POSITIVE_INFINITY, makeGaps(arrivals, calls / lasts, draw), length, endAt)
    else await sleep(seconds * 1_000)
    this.#findings.live = this.live
    await Promise.all(this.#placing)
    for (const hangUp of this.#live) hangUp()
    this.#pacer.close()
    this.#posts.close()
  }

  async #arrive(
    count: number,
    gap: () => number,
    length: () => number,
    endAt = Number.POSITIVE_INFINITY
  ): Promise<void> {
    let due = performance.now()
    for (let index = 0; index < count; index++) {
      const wait = Math.min(due, endAt) - performance.now()
      if (wait > 0) await sleep(wait)
      if (performance.now() >= endAt) return
      const placed = this.#place(length()).finally(() => this.#placing.delete(placed))
      this.#placing.add(placed)
      due += gap()
    }
    await Promise.all(this.#placing)
  }

  async #place(lengthMs: number): Promise<void> {
    const { counts } = this.#findings
    const caller = ++this.#caller
    const began = performance.now()
    try {
      const connection = await this.#ask(caller)
      if (connection === undefined) return void counts.refused++
      await this.#connect(caller, connection, began, lengthMs)
    } catch (cause) {
      counts.refused++
      this.#findings.note(`a call was not set up: ${cause instanceof Error ? cause.message : String(cause)}`)
    }
  }

  /** Where the stream is: from the voice webhook, or of a plain target the target itself. Undefined for a caller who is not let in. */
  async #ask(caller: number): Promise<Connection | undefined> {
    const { target } = this.#plan
    const { account } = target
    const callSid = newSid("CA")
    if (account === undefined)
      return {
        url: target.url.href,
        secure: target.url.protocol === "wss:",
        call: { accountSid: newSid("AC"), callSid, parameters: {} }
      }
    const { accountSid, authToken, calledNumber } = account
    const began = performance.now()
    const from = `+1415${String(2_000_000 + caller).padStart(7, "0")}`
    const answer = await this.#posts.post(
      `${baseOf(target)}/api/webhooks/telephony/voice`,
      authToken,
      webhookParams(accountSid, callSid, { from, to: calledNumber })
    )
    this.#findings.times.webhook.push(performance.now() - began)
    const stream = streamOf(answer.body)
    if (answer.status === 200 && stream !== undefined) {
      const secure = target.url.protocol === "https:"
      return { url: stream.url, secure, call: { accountSid, authToken, callSid, parameters: stream.parameters } }
    }
    this.#findings.note(`the webhook was answered ${answer.status}: ${answer.body.slice(0, 200)}`)
    return undefined
  }

  async #connect(caller: number, { url, secure, call }: Connection, began: number, lengthMs: number): Promise<void> {
    const { utterances, noise } = this.#plan
    const findings = this.#findings
    const streamSid = newSid("MZ")
    let leave = (): void => undefined
    const visitor: Visitor = new Visitor({
      ...{ findings, utterances, noise, caller, streamSid },
      send: (text) => wire.send(text)
    })
    const wire = await openMediaStream({
      ...{ url, secure, streamSid, call },
      onText: (bytes, from, to) => {
        const isFirst = visitor.firstFrameAt === 0
        visitor.receive(bytes.toString("utf8", from, to), performance.now())
        if (isFirst && visitor.firstFrameAt > 0) findings.times.setup.push(visitor.firstFrameAt - began)
      },
      onClosed: () => {
        findings.counts.dropped++
        findings.note(`the target closed the stream of caller ${caller}`)
        leave()
      }
    })
    findings.counts.calls++
    const leavePacer = this.#pacer.add(visitor)
    const hangUp = () => {
      leave()
      stopMediaStream(wire, streamSid, call)
    }
    const timer = Number.isFinite(lengthMs) ? setTimeout(hangUp, lengthMs) : undefined
    leave = () => {
      clearTimeout(timer)
      leavePacer()
      this.#live.delete(hangUp)
    }
    this.#live.add(hangUp)
  }
}

/** Many callers in one process: signed webhook → TwiML → media stream, then each has its conversation until it hangs up. */
import { setTimeout as sleep } from "node:timers/promises"
import { webhookParams } from "../../simulators/telephone/Webhook.ts"
import { newSid, openMediaStream, stopMediaStream } from "./MediaStream.ts"
import { type Company, Member } from "./Member.ts"
import { Pacer } from "./Pacer.ts"
import { type Answer, SignedPosts } from "./SignedPosts.ts"

/** Whom a crowd calls: numbers of several organizations, by turns. */
export interface Destination {
  readonly accountSid: string
  readonly authToken: string
  readonly calledNumber: string
}

interface Call {
  readonly callId: string
  readonly member: Member
  readonly hangUp: () => void
}

const streamPattern = /<Stream url="([^"]+)"/
const parameterPattern = /<Parameter name="(\w+)" value="([^"]*)"/g

/** The stream that a document of the voice webhook asks for, with its parameters. */
export const streamOf = (
  document: string
): { readonly url: string; readonly parameters: Readonly<Record<string, string>> } | undefined => {
  const stream = streamPattern.exec(document)
  if (stream === null) return undefined
  const parameters = [...document.matchAll(parameterPattern)].map(([, name, value]) => [name, value])
  return { url: stream[1], parameters: Object.fromEntries(parameters) }
}

export class Crowd {
  readonly #company: Company
  readonly #baseUrl: string
  /** Streams over TLS: a service of the bench's own has no certificate, whatever its addresses say. */
  readonly #secure: boolean
  readonly #destinations: ReadonlyArray<Destination>
  readonly #pacer = new Pacer()
  readonly #posts = new SignedPosts()
  readonly #calls = new Set<Call>()
  #callers = 0
  #placing = 0
  /** What was answered to callers who were not let in, and after how many milliseconds. */
  readonly refusals: Array<{ readonly how: "busy" | "sentence" | "other"; readonly ms: number }> = []

  constructor(baseUrl: string, destinations: ReadonlyArray<Destination>, company: Company) {
    this.#baseUrl = baseUrl
    this.#secure = baseUrl.startsWith("https:")
    this.#destinations = destinations
    this.#company = company
  }

  /** Calls that have a stream now. */
  get live(): number {
    return this.#calls.size
  }

  /** The callers whose calls are live now. */
  get members(): ReadonlyArray<Member> {
    return [...this.#calls].map(({ member }) => member)
  }

  /** Ids of the calls that are live now. */
  get callIds(): ReadonlyArray<string> {
    return [...this.#calls].map(({ callId }) => callId)
  }

  /**
   * Places `count` calls, spread over `seconds`; resolves when the last one is connected or has failed. With `staysMs` each caller hangs up so
   * long after hearing the first frame.
   */
  async grow(count: number, seconds: number, staysMs?: number): Promise<void> {
    const began = performance.now()
    const placing: Array<Promise<void>> = []
    for (let index = 0; index < count; index++) {
      const wait = (index * seconds * 1_000) / count - (performance.now() - began)
      if (wait > 0) await sleep(wait)
      placing.push(this.place(staysMs))
    }
    await Promise.all(placing)
  }

  /** Hangs up the oldest `count` calls. */
  shrink(count: number): void {
    for (const call of [...this.#calls].slice(0, count)) call.hangUp()
  }

  /** Resolves when all calls have ended, also those that were still on their way. */
  async empty(): Promise<void> {
    while (this.#placing > 0 || this.live > 0) {
      this.shrink(this.live)
      await sleep(50)
    }
  }

  /** One more call; whatever comes of it is counted. */
  async place(staysMs?: number): Promise<void> {
    const { tally } = this.#company
    this.#placing++
    try {
      await this.#place(++this.#callers, staysMs)
    } catch (cause) {
      tally.failed++
      tally.note(`a call was not set up: ${cause instanceof Error ? cause.message : String(cause)}`)
    } finally {
      this.#placing--
    }
  }

  close(): void {
    this.shrink(this.#calls.size)
    this.#pacer.close()
    this.#posts.close()
  }

  async #place(caller: number, staysMs: number | undefined): Promise<void> {
    const { tally } = this.#company
    const to = this.#destinations[caller % this.#destinations.length]
    const callSid = newSid("CA")
    const url = `${this.#baseUrl}/api/webhooks/telephony/voice`
    const began = performance.now()
    const from = `+1415${String(2_000_000 + caller).padStart(7, "0")}`
    const params = webhookParams(to.accountSid, callSid, { from, to: to.calledNumber })
    const answer = await this.#ask(url, to.authToken, params)
    const answeredMs = performance.now() - began
    tally.times.webhook.push(answeredMs)
    const stream = streamOf(answer.body)
    if (answer.status !== 200 || stream === undefined) {
      tally.refused++
      const how = answer.body.includes("<Reject") ? "busy" : answer.body.includes("<Say") ? "sentence" : "other"
      if (how === "other") tally.note(`the webhook was answered ${answer.status}: ${answer.body.slice(0, 200)}`)
      return void this.refusals.push({ how, ms: answeredMs })
    }
    await this.#connect(caller, stream.url, { ...to, callSid, parameters: stream.parameters }, began, staysMs)
  }

  /** As the provider does it for numbers whose webhook is its own fallback: what gets no good answer is asked once more. */
  async #ask(url: string, authToken: string, params: Readonly<Record<string, string>>): Promise<Answer> {
    const answer = await this.#posts.post(url, authToken, params).catch(() => undefined)
    if (answer !== undefined && answer.status < 500) return answer
    this.#company.tally.repeatedWebhooks++
    return this.#posts.post(url, authToken, { ...params, ErrorCode: "11200", ErrorUrl: url })
  }

  async #connect(
    caller: number,
    url: string,
    call: Destination & { readonly callSid: string; readonly parameters: Readonly<Record<string, string>> },
    webhookAt: number,
    staysMs: number | undefined
  ): Promise<void> {
    const { tally, stamps } = this.#company
    const streamSid = newSid("MZ")
    const member = new Member(caller, streamSid, this.#company)
    let left = (): void => undefined
    const wire = await openMediaStream({
      url,
      secure: this.#secure,
      streamSid,
      call,
      onText: (bytes, from, to) => {
        const isFirst = member.firstFrameAt === 0
        member.receive(bytes, from, to)
        if (!isFirst || member.firstFrameAt === 0) return
        tally.times.setup.push(member.firstFrameAt - webhookAt)
        if (staysMs !== undefined) setTimeout(() => known.hangUp(), staysMs)
      },
      onClosed: () => {
        tally.failed++
        tally.note(`the service closed the stream of caller ${caller}`)
        left()
      }
    })
    member.send = (text) => wire.send(text)
    const leavePacer = this.#pacer.add(member)
    const known: Call = {
      callId: call.parameters.callId,
      member,
      hangUp: () => {
        left()
        stopMediaStream(wire, streamSid, call)
      }
    }
    left = () => {
      leavePacer()
      this.#calls.delete(known)
      stamps.forget(caller)
    }
    this.#calls.add(known)
  }
}

/** A short call that ends in one of several ways, and what its caller knows of it. */
import { setTimeout as sleep } from "node:timers/promises"
import { webhookParams } from "../../simulators/telephone/Webhook.ts"
import { type Destination, streamOf } from "./Crowd.ts"
import { newSid, openMediaStream, stopMediaStream } from "./MediaStream.ts"
import { type Company, Member } from "./Member.ts"
import type { Pacer } from "./Pacer.ts"
import type { SignedPosts } from "./SignedPosts.ts"

/**
 * How a call ends. `stop`: the provider says so and closes its socket. `cut`: the socket is lost. `told first`: the provider's status callback comes
 * before the socket is lost; `told last`: after the stop. `at once`: the stream ends with its first message. `no stream`: the caller hung up before
 * there was one. `agent`: the agent hangs up.
 */
export const endings = ["stop", "cut", "told first", "told last", "at once", "no stream", "agent"] as const
export type Ending = (typeof endings)[number]

export interface ShortCallOptions {
  readonly baseUrl: string
  readonly destination: Destination
  readonly ending: Ending
  /** How long the stream lasts, at most. Milliseconds. */
  readonly staysMs: number
  readonly caller: number
  readonly company: Company
  readonly pacer: Pacer
  readonly posts: SignedPosts
}

export interface Played {
  readonly callSid: string
  readonly ending: Ending
  /** The webhook was answered with a stream. */
  readonly taken: boolean
  /** The service closed the stream, or could not be reached. */
  readonly closedByService: boolean
  /** How long the caller heard the agent, from its first frame on. Milliseconds. */
  readonly heardMs: number
  /** `performance.now()` at the end of it all. */
  readonly overAt: number
}

/** Plays the call to its end. Never rejects: a service that was killed answers nothing. */
export const playShortCall = async (options: ShortCallOptions): Promise<Played> => {
  const { baseUrl, destination, ending, staysMs, caller, company, pacer, posts } = options
  const { accountSid, authToken, calledNumber } = destination
  const callSid = newSid("CA")
  const from = `+1415${String(2_000_000 + caller).padStart(7, "0")}`
  const params = webhookParams(accountSid, callSid, { from, to: calledNumber })
  const beganAt = performance.now()
  const done = (rest: Partial<Played> = {}): Played => ({
    ...{ callSid, ending, taken: false, closedByService: false, heardMs: 0 },
    overAt: performance.now(),
    ...rest
  })
  /** The provider repeats what gets no good answer. */
  const post = async (path: string, fields: Readonly<Record<string, string>>) => {
    for (let attempt = 0; ; attempt++) {
      const answer = await posts.post(`${baseUrl}${path}`, authToken, fields).catch(() => undefined)
      if ((answer !== undefined && answer.status < 500) || attempt === 2) return answer
      await sleep(1_000)
    }
  }
  const tellCompleted = () =>
    post("/api/webhooks/telephony/status", {
      ...params,
      CallStatus: "completed",
      SequenceNumber: "2",
      Timestamp: new Date().toUTCString(),
      CallDuration: String(Math.ceil((performance.now() - beganAt) / 1_000))
    })

  const answer = await post("/api/webhooks/telephony/voice", params)
  const stream = streamOf(answer?.body ?? "")
  if (answer?.status !== 200 || stream === undefined) return done()
  if (ending === "no stream") {
    await tellCompleted()
    return done({ taken: true })
  }

  const streamSid = newSid("MZ")
  const member = new Member(caller, streamSid, company)
  let closedByService = false
  let leave = (): void => undefined
  const closed = new Promise<void>((resolve) => {
    leave = resolve
  })
  const call = { accountSid, authToken, callSid, parameters: stream.parameters }
  const wire = await openMediaStream({
    url: stream.url,
    streamSid,
    call,
    onText: (bytes, start, end) => member.receive(bytes, start, end),
    onClosed: () => {
      closedByService = true
      leave()
    }
  }).catch(() => undefined)
  if (wire === undefined) {
    await tellCompleted()
    return done({ taken: true, closedByService: true })
  }
  member.send = (text) => wire.send(text)
  const leavePacer = pacer.add(member)
  if (ending !== "at once") await Promise.race([closed, sleep(staysMs)])
  leavePacer()
  company.stamps.forget(caller)
  const heardMs = member.firstFrameAt === 0 ? 0 : performance.now() - member.firstFrameAt
  if (ending === "told first") {
    await tellCompleted()
    await sleep(Math.random() * 200)
  }
  const overAt = performance.now()
  if (!closedByService) {
    if (ending === "cut" || ending === "told first") wire.cut()
    else stopMediaStream(wire, streamSid, call)
  }
  if (ending !== "cut" && ending !== "told first") await tellCompleted()
  return done({ taken: true, closedByService, heardMs, overAt })
}

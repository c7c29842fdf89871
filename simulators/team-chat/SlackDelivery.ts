/** How the simulated Slack tells an app what happens: signed requests that are repeated, or envelopes over a socket (Socket Mode). */
import { createHmac, randomUUID } from "node:crypto"
import type { Server } from "node:http"
import { type WebSocket, WebSocketServer } from "ws"
import { appId, botUserId, teamId } from "./SlackWorkspace.ts"

export const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5"

/** `X-Slack-Signature` of a body. */
export const slackSignature = (secret: string, timestamp: string, body: string): string =>
  `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`

export interface SlackEnvelope {
  readonly eventId: string
  /** The outer event. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Slack waits for so long for an answer, in milliseconds. */
const patienceMs = 3_000

export class SlackDelivery {
  /** Where events go. Undefined: nowhere by HTTP. */
  requestUrl: string | undefined
  /** Where it is told what people press. */
  interactionUrl: string | undefined
  /** Pauses before the three repetitions, in milliseconds; Slack's are nearly none, a minute and five minutes. */
  retryMs: ReadonlyArray<number> = [0, 60_000, 300_000]
  /** Whether events are delivered as they happen. Otherwise they wait in `waiting`. */
  live = false
  readonly waiting: Array<SlackEnvelope> = []
  /** Milliseconds that each answer took. */
  readonly answeredMs: Array<number> = []
  readonly sockets = new Set<WebSocket>()
  readonly #tickets = new Set<string>()
  readonly #acknowledged = new Map<string, () => void>()
  #made = 0
  #closed = false

  /** The outer event of what happened. */
  happened(event: Readonly<Record<string, unknown>>): void {
    this.#made++
    const eventId = `Ev${String(this.#made).padStart(10, "0")}`
    const body = {
      ...{
        token: "not-used-any-more",
        team_id: teamId,
        api_app_id: appId,
        event,
        type: "event_callback",
        event_id: eventId
      },
      ...{ event_time: Math.floor(Date.now() / 1_000), event_context: `4-${eventId}`, is_ext_shared_channel: false },
      authorizations: [
        { enterprise_id: null, team_id: teamId, user_id: botUserId, is_bot: true, is_enterprise_install: false }
      ]
    }
    const envelope = { eventId, body }
    if (this.live) void this.deliver(envelope)
    else this.waiting.push(envelope)
  }

  /** Posts a body with a signature. Gives the status, or undefined without an answer in time. */
  async post(
    body: string,
    headers: Readonly<Record<string, string>> = {},
    at = Date.now(),
    secret = signingSecret,
    url = this.requestUrl
  ) {
    if (url === undefined) return undefined
    const timestamp = String(Math.floor(at / 1_000))
    const began = performance.now()
    return fetch(url, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)" },
        ...{ "x-slack-request-timestamp": timestamp, "x-slack-signature": slackSignature(secret, timestamp, body) },
        ...headers
      },
      body,
      signal: AbortSignal.timeout(patienceMs)
    }).then(
      async (response) => {
        this.answeredMs.push(performance.now() - began)
        return {
          status: response.status,
          text: await response.text(),
          noRetry: response.headers.get("x-slack-no-retry")
        }
      },
      () => undefined
    )
  }

  /** The request that proves the address. Gives whether it was answered with the challenge. */
  async verifyUrl(): Promise<boolean> {
    const challenge = randomUUID()
    const answer = await this.post(JSON.stringify({ token: "not-used-any-more", challenge, type: "url_verification" }))
    return (
      answer !== undefined &&
      answer.status === 200 &&
      (answer.text === challenge || JSON.parse(answer.text).challenge === challenge)
    )
  }

  /** Delivers an event once. Gives whether it was taken. */
  async once({ eventId, body }: SlackEnvelope, headers: Readonly<Record<string, string>> = {}): Promise<boolean> {
    const [socket] = this.sockets
    if (socket !== undefined) return this.#overSocket(socket, eventId, body)
    const answer = await this.post(JSON.stringify(body), headers)
    return answer !== undefined && answer.status >= 200 && answer.status < 300
  }

  /** Somebody presses a button. Slack does not repeat it; over a socket it may. Gives whether it was taken. */
  async pressed(payload: object): Promise<boolean> {
    const [socket] = this.sockets
    if (socket !== undefined) return this.#overSocket(socket, "", payload, "interactive")
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const answer = await this.post(body, headers, Date.now(), signingSecret, this.interactionUrl)
    return answer !== undefined && answer.status >= 200 && answer.status < 300
  }

  /** Delivers an event, and repeats it as Slack does. */
  async deliver(envelope: SlackEnvelope): Promise<boolean> {
    if (await this.once(envelope)) return true
    for (const [place, pause] of this.retryMs.entries()) {
      await new Promise((resolve) => setTimeout(resolve, pause).unref())
      if (this.#closed) return false
      const headers = { "x-slack-retry-num": String(place + 1), "x-slack-retry-reason": "http_timeout" }
      if (await this.once(envelope, headers)) return true
    }
    return false
  }

  /** Delivers all that waits, in order. */
  async flush(): Promise<void> {
    for (const envelope of this.waiting.splice(0)) await this.deliver(envelope)
  }

  #overSocket(socket: WebSocket, eventId: string, payload: object, type = "events_api"): Promise<boolean> {
    const envelopeId = randomUUID()
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), patienceMs)
      this.#acknowledged.set(envelopeId, () => {
        clearTimeout(timer)
        resolve(true)
      })
      socket.send(
        JSON.stringify({
          ...{ envelope_id: envelopeId, payload, type, accepts_response_payload: false },
          ...{ retry_attempt: 0, retry_reason: "", event: eventId }
        })
      )
    })
  }

  /** An address for one socket. */
  ticket(): string {
    const ticket = randomUUID()
    this.#tickets.add(ticket)
    return ticket
  }

  /** Takes sockets at `/link`. */
  serve(server: Server): void {
    const sockets = new WebSocketServer({ noServer: true })
    server.on("upgrade", (request, stream, head) => {
      const url = new URL(request.url ?? "/", "http://slack")
      if (url.pathname !== "/link" || !this.#tickets.delete(url.searchParams.get("ticket") ?? ""))
        return stream.destroy()
      sockets.handleUpgrade(request, stream, head, (socket) => {
        this.sockets.add(socket)
        const info = { host: "applink", build_number: 1, approximate_connection_time: 18_060 }
        socket.send(
          JSON.stringify({
            type: "hello",
            num_connections: this.sockets.size,
            debug_info: info,
            connection_info: { app_id: appId }
          })
        )
        socket.on("message", (data) => {
          const { envelope_id } = JSON.parse(String(data)) as { envelope_id?: string }
          const taken = this.#acknowledged.get(envelope_id ?? "")
          this.#acknowledged.delete(envelope_id ?? "")
          taken?.()
        })
        socket.on("close", () => this.sockets.delete(socket))
      })
    })
  }

  /** Asks every socket to be replaced, and closes it, as Slack does every few hours. */
  refresh(): void {
    for (const socket of this.sockets) {
      socket.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested", debug_info: { host: "applink" } }))
      this.sockets.delete(socket)
      setTimeout(() => socket.close(), 50).unref()
    }
  }

  close(): void {
    this.#closed = true
    for (const socket of this.sockets) socket.terminate()
  }
}

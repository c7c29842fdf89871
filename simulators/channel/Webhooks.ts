/**
 * The channel's webhooks to a customer's app. They are signed, and sent again when they were not accepted. On request they are sent twice or in
 * another order. The signed bytes have all non-ASCII characters escaped, as the vendor's have.
 */
import { createHmac, randomInt } from "node:crypto"
import { delay } from "../support/Loopback.ts"

export interface Subscriber {
  readonly url: string
  readonly verifyToken: string
}

export interface Delivery {
  readonly body: string
  /** The status of the last attempt; 0 without an answer. */
  readonly status: number
  readonly attempts: number
  /** How long the last attempt took, in milliseconds. */
  readonly tookMs: number
}

export interface WebhookFaults {
  /** How often each webhook is sent beyond once. */
  duplicates: number
  /** Webhooks wait until `release`. */
  hold: boolean
  /** Signs with another secret. */
  wrongSignature: boolean
}

/** JSON as the vendor writes it. */
export const vendorJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("/", "\\/")
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

export const signatureOf = (appSecret: string, body: string | Buffer): string =>
  `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`

export class Webhooks {
  readonly faults: WebhookFaults = { duplicates: 0, hold: false, wrongSignature: false }
  readonly deliveries: Array<Delivery> = []
  readonly #subscribers = new Map<string, Subscriber>()
  readonly #retryMs: number
  #held: Array<() => void> = []
  #running = new Set<Promise<void>>()
  #closed = false

  constructor(retryMs: number) {
    this.#retryMs = retryMs
  }

  /** Sets the app's address, as the vendor's dashboard does: the address must first answer a challenge. Rejects when it does not. */
  async configure(appSecret: string, subscriber: Subscriber): Promise<void> {
    const challenge = String(randomInt(1_000_000_000))
    const query = new URLSearchParams({
      "hub.mode": "subscribe",
      "hub.verify_token": subscriber.verifyToken,
      "hub.challenge": challenge
    })
    const answer = await fetch(`${subscriber.url}?${query}`)
    const text = await answer.text()
    if (answer.status !== 200 || text !== challenge)
      throw new Error(`The callback URL was not verified: ${answer.status} ${text.slice(0, 200)}`)
    this.trust(appSecret, subscriber)
  }

  /** Sets the app's address without a challenge: the app is not connected yet. */
  trust(appSecret: string, subscriber: Subscriber): void {
    this.#subscribers.set(appSecret, subscriber)
  }

  /** Sends a webhook to the app with this secret. Nothing happens when the app has no address. */
  tell(appSecret: string, payload: unknown): void {
    const subscriber = this.#subscribers.get(appSecret)
    if (subscriber === undefined || this.#closed) return
    const body = vendorJson(payload)
    for (let copy = 0; copy <= this.faults.duplicates; copy++) {
      const send = () => this.#run(this.#deliver(subscriber, appSecret, body))
      if (this.faults.hold) this.#held.push(send)
      else send()
    }
  }

  /** Sends the held webhooks in this order. */
  release(order: "kept" | "reversed" | "shuffled" = "kept"): void {
    const held = this.#held
    this.#held = []
    if (order === "reversed") held.reverse()
    if (order === "shuffled") held.sort(() => Math.random() - 0.5)
    for (const send of held) send()
  }

  /** Resolves when every webhook was accepted or given up. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  close(): void {
    this.#closed = true
    this.#held = []
  }

  #run(delivery: Promise<void>): void {
    this.#running.add(delivery)
    delivery.finally(() => this.#running.delete(delivery))
  }

  async #deliver({ url }: Subscriber, appSecret: string, body: string): Promise<void> {
    const signature = signatureOf(this.faults.wrongSignature ? "another secret" : appSecret, body)
    for (let attempts = 1; !this.#closed; attempts++) {
      const began = performance.now()
      const status = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "facebookexternalua",
          "x-hub-signature-256": signature
        },
        body,
        signal: AbortSignal.timeout(10_000)
      })
        .then(async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        })
        .catch(() => 0)
      const done = status >= 200 && status < 300
      if (done || attempts === 8) {
        this.deliveries.push({ body, status, attempts, tookMs: performance.now() - began })
        return
      }
      await delay(this.#retryMs * 2 ** (attempts - 1))
    }
  }
}

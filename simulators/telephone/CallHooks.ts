/** One call's requests to the customer's webhooks: signed, with the usual fields of the call. A failure becomes a warning. */
import type { CallRequest, Exchange } from "./CallResult.ts"
import type { Account } from "./provider/Account.ts"
import { post, type WebhookAnswer, webhookParams } from "./Webhook.ts"

export interface HookedCall {
  readonly callSid: string
  readonly account: Account
  readonly request: CallRequest
  readonly live: boolean
}

type Fields = Readonly<Record<string, string>>

export class CallHooks {
  readonly #call: HookedCall
  readonly #exchange: Exchange
  readonly #warnings: Array<string>

  constructor(call: HookedCall, exchange: Exchange, warnings: Array<string>) {
    this.#call = call
    this.#exchange = exchange
    this.#warnings = warnings
  }

  /** Asks for instructions. Asks the fallback URL when there are none. */
  async ask(url: string, fields: Fields): Promise<WebhookAnswer> {
    const { fallbackUrl } = this.#call.account
    if (!fallbackUrl) return this.#post(url, fields)
    const answer = await this.#post(url, fields).then(
      (given) => (given.status === 200 ? given : `answered ${given.status}`),
      (cause: unknown) => String(cause)
    )
    if (typeof answer !== "string") return answer
    this.#warnings.push(`11200: ${url}: ${answer}; the fallback is asked`)
    return this.#post(fallbackUrl, { ...fields, ErrorCode: "11200", ErrorUrl: url })
  }

  /** Asks an action URL for the next document. Relative URLs are relative to the webhook. */
  async document(url: string, fields: Fields): Promise<string> {
    const answer = await this.ask(this.#absolute(url), fields)
    if (answer.status !== 200) throw new Error(`11200: ${url} answered ${answer.status}`)
    return answer.body
  }

  /** Posts to a URL and ignores the answer. */
  async tell(url: string, fields: Fields): Promise<void> {
    await this.#kept(url, this.#post(this.#absolute(url), fields))
  }

  /** Posts to a callback that is not about the call's state: it gets only the given fields. */
  async report(url: string, fields: Fields): Promise<void> {
    await this.#kept(url, post(this.#target(url), fields))
  }

  #kept(url: string, telling: Promise<unknown>): Promise<unknown> {
    return telling.catch((cause: unknown) => this.#warnings.push(`11200: ${url}: ${String(cause)}`))
  }

  #absolute(url: string): string {
    return new URL(url, this.#call.account.webhookUrl).href
  }

  #post(url: string, fields: Fields): Promise<WebhookAnswer> {
    const { callSid, account, request, live } = this.#call
    if (this.#exchange.faults.loseWebhooks > 0) {
      this.#exchange.faults.loseWebhooks--
      return Promise.reject(new Error("11205: HTTP connection failure"))
    }
    return post(this.#target(url), {
      ...webhookParams(account.accountSid, callSid, request),
      CallStatus: live ? "in-progress" : "completed",
      ...fields
    })
  }

  #target(url: string) {
    const { dial, faults } = this.#exchange
    const signature = faults.badSignature ? { signature: "Zm9yZ2Vk" } : {}
    return { url, address: dial(url), authToken: this.#call.account.authToken, ...signature }
  }
}

/** The telephony provider's signed form posts over kept-alive connections: a request costs the generator a fraction of what `fetch` takes. */
import { Agent, request } from "node:http"
import { request as requestSecurely, Agent as SecureAgent } from "node:https"
import { sign } from "../../simulators/telephone/Signature.ts"

export interface Answer {
  readonly status: number
  readonly body: string
}

/** A caller hangs up on a service that says nothing for this long. */
const patienceMs = 15_000

export class SignedPosts {
  readonly #agent = new Agent({ keepAlive: true, scheduling: "lifo" })
  readonly #secureAgent = new SecureAgent({ keepAlive: true, scheduling: "lifo" })

  /** Signed by the account's token over `url`, which is also where it is posted. Rejects when nobody answers. */
  post(url: string, authToken: string, params: Readonly<Record<string, string>>): Promise<Answer> {
    const form = new URLSearchParams(params).toString()
    return new Promise((resolve, reject) => {
      const secure = url.startsWith("https:")
      const sent = (secure ? requestSecurely : request)(url, {
        method: "POST",
        agent: secure ? this.#secureAgent : this.#agent,
        timeout: patienceMs,
        headers: {
          "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
          "content-length": form.length,
          "x-twilio-signature": sign(authToken, url, params)
        }
      })
      sent.on("timeout", () => sent.destroy(new Error(`no answer within ${patienceMs} ms`)))
      sent.on("error", reject)
      sent.on("response", (response) => {
        let body = ""
        response.setEncoding("utf8")
        response.on("data", (text: string) => {
          body += text
        })
        response.on("error", reject)
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }))
      })
      sent.end(form)
    })
  }

  close(): void {
    this.#agent.destroy()
    this.#secureAgent.destroy()
  }
}

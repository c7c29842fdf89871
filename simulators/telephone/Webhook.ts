/** The provider's signed form posts: the voice webhook and the callbacks that TwiML asks for. */
import { sign } from "./Signature.ts"

export interface WebhookAnswer {
  readonly status: number
  readonly body: string
  readonly headers: Headers
}

export interface WebhookOptions {
  /** The URL as configured or as written in TwiML: this is what is signed. */
  readonly url: string
  /** The address that is really posted to. */
  readonly address: string
  readonly authToken: string
  /** Replaces the correct signature; `null` sends none. */
  readonly signature?: string | null
}

/** Posts the form. Rejects without an answer within 15 s. */
export const post = async (
  options: WebhookOptions,
  params: Readonly<Record<string, string>>
): Promise<WebhookAnswer> => {
  const signature = options.signature === undefined ? sign(options.authToken, options.url, params) : options.signature
  const response = await fetch(options.address, {
    method: "POST",
    headers: signature === null ? {} : { "x-twilio-signature": signature },
    body: new URLSearchParams(params),
    signal: AbortSignal.timeout(15_000)
  })
  return { status: response.status, body: await response.text(), headers: response.headers }
}

/** The form fields that every request about a call carries; inbound by default. */
export const webhookParams = (
  accountSid: string,
  callSid: string,
  call: { readonly from: string; readonly to: string; readonly direction?: string }
): Record<string, string> => ({
  AccountSid: accountSid,
  ApiVersion: "2010-04-01",
  CallSid: callSid,
  CallStatus: "ringing",
  Called: call.to,
  Caller: call.from,
  Direction: call.direction ?? "inbound",
  From: call.from,
  To: call.to,
  ...(call.to.startsWith("sip:") ? { SipDomain: call.to.replace(/^sip:[^@]*@|[;?].*$/g, "") } : {})
})

/** The telephony provider as a client of the app: an account, a number with an agent, and webhooks signed like the provider's own library. */
import twilio from "twilio"
import { publicBaseUrl, type World } from "./world.ts"

/** The common prefix of all webhook paths. */
export const hooks = "/api/webhooks/telephony"

export const account = {
  organizationId: "org_1",
  accountSid: "AC0123456789abcdef0123456789abcdef",
  authToken: "12345abcde67890fghij12345abcde67"
}

/** The provider's parameters for an incoming call. */
export const incoming = {
  AccountSid: account.accountSid,
  CallSid: "CA0123456789abcdef0123456789abcdef",
  CallStatus: "ringing",
  From: "+919812345678",
  To: "+14155550123"
}

export const receptionist = {
  name: "Reception",
  welcomeMessage: "Welcome.",
  voiceFamily: "indic",
  voiceId: "anushka",
  primaryLanguage: "hi-IN",
  systemPrompt: "Help."
}

export const post = async (
  world: World,
  path: string,
  fields: Record<string, string> = incoming,
  token = account.authToken
) => {
  const signature = twilio.getExpectedTwilioSignature(token, publicBaseUrl + path, fields)
  const response = await fetch(world.base + path, {
    method: "POST",
    headers: { "x-twilio-signature": signature },
    body: new URLSearchParams(fields)
  })
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
}

/** Connects the account and gives the called number an agent. Returns the agent's id. */
export const connect = async ({ memory, call }: World, settings: object = receptionist): Promise<string> => {
  memory.connections.set(account.accountSid, account)
  const { body } = await call("POST", "/api/voice-agents", settings)
  memory.numbers.set(`${account.organizationId}/${incoming.To}`, String(body.id))
  return String(body.id)
}

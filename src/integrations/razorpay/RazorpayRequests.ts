/** Requests to Razorpay: JSON with the key and its secret, and what its refusals mean. */
import { Schema } from "effect"
import { type AppAnswer, AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import { makeReadJson, sendJson } from "../../domain/apps/adapters/JsonRequests.ts"
import { statusFailure } from "../../domain/apps/StatusFailure.ts"

const Refusal = Schema.Struct({
  error: Schema.Struct({ description: Schema.optionalKey(Schema.NullOr(Schema.String)) })
})
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))
const longestWords = 300

/** What follows from an answer that is no success. */
const refused = (answer: AppAnswer, now: number): AppFailure => {
  const found = readRefusal(answer.text)
  const words = (found._tag === "Some" ? (found.value.error.description ?? "") : "").slice(0, longestWords)
  return answer.status === 401
    ? new AppFailure({ action: "reconnect", message: `Razorpay refuses the key or its secret. ${words}`.trim() })
    : statusFailure("Razorpay", answer, now, words)
}

interface Asked {
  readonly method: "GET" | "POST"
  /** After `/v1`. */
  readonly path: string
  readonly body?: unknown
}

/** Sends a request, and gives its answer with any status. */
export const askRazorpay = (baseUrl: string, session: AppSession, { method, path, body }: Asked) => {
  const { keyId = "", keySecret = "" } = session.credentials
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`
  return sendJson(session, { method, url: `${baseUrl}/v1${path}`, headers: { authorization }, body })
}

/** The decoded body of a success; every other status is a failure. */
export const decodedRazorpay = makeReadJson("Razorpay", refused)

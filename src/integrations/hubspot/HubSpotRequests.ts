/** Requests to HubSpot, and what its refusals mean. */
import { Schema } from "effect"
import { type AppAnswer, AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { dailyWaitMs } from "../../domain/apps/adapters/DailyPace.ts"
import { type JsonRequest, makeReadJson, sendJson } from "../../domain/apps/adapters/JsonRequests.ts"
import { statusFailure } from "../../domain/apps/StatusFailure.ts"

const Refusal = Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  category: Schema.optionalKey(Schema.String),
  policyName: Schema.optionalKey(Schema.String)
})
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))

const longestWords = 300

export const hubSpotRefusal = ({ text }: AppAnswer): typeof Refusal.Type => {
  const found = readRefusal(text)
  return found._tag === "Some" ? found.value : {}
}

/** What follows from an answer that is no success. */
const refused = (answer: AppAnswer, now: number): AppFailure => {
  const { message = "", category, policyName } = hubSpotRefusal(answer)
  const words = message.slice(0, longestWords)
  if (answer.status === 403 || category === "MISSING_SCOPES")
    return new AppFailure({
      action: "reconnect",
      message: `HubSpot does not allow it (403): the app lacks a scope. ${words}`
    })
  if (answer.status === 429 && policyName === "DAILY")
    return new AppFailure({
      action: "wait",
      message: "HubSpot's limit of the day is used up.",
      retryAfterMs: dailyWaitMs
    })
  return statusFailure("HubSpot", answer, now, words)
}

/** Sends a request with the access token, and gives its answer with any status. */
export const askHubSpot = (
  baseUrl: string,
  session: AppSession,
  { path, ...rest }: Omit<JsonRequest, "url" | "headers"> & { readonly path: string }
) => {
  const headers = { authorization: `Bearer ${session.credentials.accessToken}` }
  return sendJson(session, { ...rest, url: baseUrl + path, headers })
}

/** The decoded body of a success; every other status is a failure. */
export const readHubSpot = makeReadJson("HubSpot", refused)

/** Requests to Notion, and what its refusals mean. */
import { Schema } from "effect"
import { type AppAnswer, AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { type JsonRequest, makeReadJson, sendJson } from "../../domain/apps/adapters/JsonRequests.ts"
import { statusFailure } from "../../domain/apps/StatusFailure.ts"

/** The version of the interface: databases hold data sources. */
export const notionVersion = "2026-03-11"

const Refusal = Schema.Struct({
  code: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String)
})
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))
const longestWords = 300

/** What follows from an answer that is no success. A page or database that is not shared with the integration is as if it were not there (404). */
const refused = (answer: AppAnswer, now: number): AppFailure => {
  const found = readRefusal(answer.text)
  const { code = "", message = "" } = found._tag === "Some" ? found.value : {}
  const words = message.slice(0, longestWords)
  if (answer.status === 403)
    return new AppFailure({
      action: "reconnect",
      message: `Notion does not allow it (403): give the integration all its capabilities. ${words}`
    })
  if (answer.status === 404)
    return new AppFailure({
      action: "give_up",
      message: "Notion does not show it to the integration: open it there, ⋯, Connections, and add the integration."
    })
  // Two changed the page at once.
  if (answer.status === 409)
    return new AppFailure({ action: "retry", message: `Notion is busy with the page. ${words}` })
  return statusFailure("Notion", answer, now, [code, words].filter((part) => part !== "").join(": "))
}

/** Sends a request, and gives its answer with any status. `path` begins after `/v1`. */
export const askNotion = (
  baseUrl: string,
  session: AppSession,
  { path, ...rest }: Omit<JsonRequest, "url" | "headers"> & { readonly path: string }
) => {
  const headers = { authorization: `Bearer ${session.credentials.accessToken}`, "notion-version": notionVersion }
  return sendJson(session, { ...rest, url: `${baseUrl}/v1${path}`, headers })
}

/** The decoded body of a success; every other status is a failure. */
export const readNotion = makeReadJson("Notion", refused)

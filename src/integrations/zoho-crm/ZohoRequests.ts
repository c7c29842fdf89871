/** Requests to Zoho CRM, and what its refusals mean. Refusals of single records come within answers that are successes. */
import { Clock, Effect, Schema } from "effect"
import { type AppAnswer, AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { dailyWaitMs } from "../../domain/apps/adapters/DailyPace.ts"
import { type JsonRequest, makeReadJson, sendJson } from "../../domain/apps/adapters/JsonRequests.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"

const Refusal = Schema.Struct({
  code: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String)
})
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))

const Details = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  api_name: Schema.optionalKey(Schema.String),
  duplicate_record: Schema.optionalKey(Schema.Struct({ id: Schema.String }))
})
const Saved = Schema.Struct({
  data: Schema.NonEmptyArray(
    Schema.Struct({
      code: Schema.String,
      status: Schema.String,
      message: Schema.optionalKey(Schema.String),
      details: Schema.optionalKey(Details)
    })
  )
})
const readSaved = Schema.decodeUnknownOption(Schema.fromJsonString(Saved))
const longestWords = 300

/** What follows from an answer that is no success. */
const refused = (answer: AppAnswer, now: number): AppFailure => {
  const found = readRefusal(answer.text)
  const { code = "", message = "" } = found._tag === "Some" ? found.value : {}
  const words = message.slice(0, longestWords)
  if (answer.headers["x-api-credits-remaining"] === "0")
    return new AppFailure({
      action: "wait",
      message: "Zoho's credits of the day are used up.",
      retryAfterMs: dailyWaitMs
    })
  if (code === "OAUTH_SCOPE_MISMATCH")
    return new AppFailure({
      action: "reconnect",
      message: "Zoho does not allow it: authorize Zoho CRM again, with all scopes."
    })
  if (answer.status === 403)
    return new AppFailure({
      action: "reconnect",
      message: `Zoho does not allow it (403): the user lacks a permission. ${words}`
    })
  return statusFailure("Zoho", answer, now, [code, words].filter((part) => part !== "").join(": "))
}

/** Sends a request to the data centre of the organization, and gives its answer with any status. */
export const askZoho = (
  session: AppSession,
  {
    path,
    modifiedSince,
    ...rest
  }: Omit<JsonRequest, "url" | "headers"> & {
    readonly path: string
    /** ISO 8601: only records that changed since then; 304 when there are none. */
    readonly modifiedSince?: string
  }
) => {
  const { accessToken, apiDomain } = session.credentials
  const headers = {
    authorization: `Zoho-oauthtoken ${accessToken}`,
    ...(modifiedSince === undefined ? {} : { "if-modified-since": modifiedSince })
  }
  return sendJson(session, { ...rest, url: `${apiDomain}/crm/v8${path}`, headers })
}

/** The decoded body of a success; every other status is a failure. */
export const readZoho = makeReadJson("Zoho", refused)

/** Zoho answers 204 when there is nothing. */
export const isEmpty = ({ status }: AppAnswer): boolean => status === 204 || status === 404

export interface ZohoOutcome {
  readonly id?: string
  /** It is the same as another one; undefined: Zoho does not say which. */
  readonly isDuplicate?: boolean
  readonly duplicate?: string | undefined
  readonly gone?: boolean
}

/**
 * What became of the one record of a request: its id, or of one that is the same (`DUPLICATE_DATA`), or `gone` when there is no such record. Another
 * refusal is a failure.
 */
export const savedBy = Effect.fnUntraced(function* (answer: AppAnswer): Effect.fn.Return<ZohoOutcome, AppFailure> {
  const found = readSaved(answer.text)
  const now = yield* Clock.currentTimeMillis
  if (found._tag === "None") {
    if (answer.status === 404) return { gone: true }
    return yield* isOk(answer)
      ? new AppFailure({ action: "retry", message: "Zoho's answer could not be read." })
      : refused(answer, now)
  }
  const [{ code, status, message = "", details = {} }] = found.value.data
  if (status === "success" && details.id !== undefined) return { id: details.id }
  if (code === "DUPLICATE_DATA") return { isDuplicate: true, duplicate: details.duplicate_record?.id ?? details.id }
  if (/id given seems to be invalid/i.test(message) || code === "RECORD_NOT_FOUND") return { gone: true }
  const field = details.api_name === undefined ? "" : ` (${details.api_name})`
  return yield* new AppFailure({
    action: "give_up",
    message: `Zoho refuses it: ${code}${field}. ${message.slice(0, longestWords)}`
  })
})

/** Requests to Salesforce's REST interface, and what its refusals mean. */
import { Schema } from "effect"
import { type AppAnswer, AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { dailyWaitMs } from "../../domain/apps/adapters/DailyPace.ts"
import { type JsonRequest, makeReadJson, sendJson } from "../../domain/apps/adapters/JsonRequests.ts"
import { statusFailure } from "../../domain/apps/StatusFailure.ts"

/** The version of the interface. Salesforce keeps each version for years. */
export const apiVersion = "v62.0"

const Matches = Schema.Struct({
  allowSave: Schema.optionalKey(Schema.Boolean),
  matchResults: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        entityType: Schema.optionalKey(Schema.String),
        matchRecords: Schema.optionalKey(
          Schema.Array(Schema.Struct({ record: Schema.optionalKey(Schema.Struct({ Id: Schema.String })) }))
        )
      })
    )
  )
})
const Refusal = Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  errorCode: Schema.optionalKey(Schema.String),
  duplicateResult: Schema.optionalKey(Matches)
})
const readRefusals = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Refusal)))

/** Refusals that pass by themselves, whatever their status. */
const passing = new Set(["UNABLE_TO_LOCK_ROW", "SERVER_UNAVAILABLE", "QUERY_TIMEOUT", "REQUEST_RUNNING_TOO_LONG"])
const longestWords = 300

/** Salesforce answers a list of refusals; the first one says it. */
export const salesforceRefusal = ({ text }: AppAnswer): typeof Refusal.Type => {
  const found = readRefusals(text)
  return found._tag === "Some" ? (found.value.at(0) ?? {}) : {}
}

/** What follows from an answer that is no success. */
const refused = (answer: AppAnswer, now: number): AppFailure => {
  const { message = "", errorCode = "" } = salesforceRefusal(answer)
  const words = message.slice(0, longestWords)
  if (errorCode === "REQUEST_LIMIT_EXCEEDED")
    return new AppFailure({
      action: "wait",
      message: "Salesforce's limit of the day is used up.",
      retryAfterMs: dailyWaitMs
    })
  if (passing.has(errorCode)) return new AppFailure({ action: "retry", message: `Salesforce is busy. ${words}` })
  if (answer.status === 403)
    return new AppFailure({
      action: "reconnect",
      message: `Salesforce does not allow it (403): the user lacks a permission. ${words}`
    })
  return statusFailure("Salesforce", answer, now, [errorCode, words].filter((part) => part !== "").join(": "))
}

/** Sends a request to the organization's own address, and gives its answer with any status. */
export const askSalesforce = (
  session: AppSession,
  {
    path,
    headers = {},
    ...rest
  }: Omit<JsonRequest, "url" | "headers"> & { path: string; headers?: JsonRequest["headers"] }
) => {
  const { accessToken, instanceUrl } = session.credentials
  const url = `${instanceUrl}/services/data/${apiVersion}${path}`
  return sendJson(session, { ...rest, url, headers: { ...headers, authorization: `Bearer ${accessToken}` } })
}

/** The decoded body of a success; every other status is a failure. */
export const readSalesforce = makeReadJson("Salesforce", refused)

/** A text within a SOQL statement. */
export const quoted = (text: string): string => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`

/** The path of a SOQL query. */
export const queryPath = (soql: string): string => `/query?${new URLSearchParams({ q: soql })}`

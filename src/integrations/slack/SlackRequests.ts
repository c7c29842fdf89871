/** Requests to Slack's Web API, and what its refusals mean. Slack answers 200 with `ok: false`. */
import { Clock, Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"
import { retryAfterMs } from "../../domain/basics/RetryAfter.ts"

const Refusal = Schema.Struct({
  ok: Schema.Boolean,
  error: Schema.optionalKey(Schema.String),
  needed: Schema.optionalKey(Schema.String)
})
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))

/** The wait after `ratelimited` without `Retry-After`, in milliseconds. */
const usualWaitMs = 30_000
const over = "Slack has ended our access:"

const ended: Readonly<Record<string, string>> = {
  account_inactive: `${over} the app was removed from the workspace.`,
  token_revoked: `${over} somebody has revoked it.`,
  team_access_not_granted: `${over} the app may not use this workspace.`,
  invalid_refresh_token: "Slack does not take our authorization any more."
}
const sentences: Readonly<Record<string, string>> = {
  channel_not_found: "Slack does not show this channel to the app: invite it there (/invite), or choose another one.",
  not_in_channel: "The app is not in this channel: invite it there (/invite).",
  is_archived: "The channel is archived.",
  msg_too_long: "The message is too long for Slack.",
  no_text: "Slack takes no message without text.",
  restricted_action: "An administrator of the workspace does not allow the app to write there.",
  user_not_found: "Slack does not know this person.",
  method_not_supported_for_channel_type: "The app cannot join this channel: invite it there (/invite)."
}
/** Refusals that pass by themselves. */
const passing = new Set([
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
  "team_added_to_org"
])
/** Tokens that can be renewed, or that somebody has to renew. */
const refusedTokens = new Set(["invalid_auth", "token_expired", "not_authed", "missing_scope", "no_permission"])

/** What follows from `ok: false`. */
export const refusalOf = (error: string, needed = ""): AppFailure => {
  if (error in ended) return new AppFailure({ action: "reconnect", message: ended[error], final: true })
  if (error === "missing_scope")
    return new AppFailure({ action: "reconnect", message: `Slack does not allow it: the app lacks ${needed}.` })
  if (refusedTokens.has(error))
    return new AppFailure({ action: "reconnect", message: `Slack refuses our access (${error}).` })
  if (passing.has(error)) return new AppFailure({ action: "retry", message: `Slack could not do it (${error}).` })
  if (error === "ratelimited" || error === "rate_limited")
    return new AppFailure({ action: "wait", message: "Slack asks us to slow down.", retryAfterMs: usualWaitMs })
  return new AppFailure({ action: "give_up", message: sentences[error] ?? `Slack does not do it (${error}).` })
}

/** Until when a method may not be asked, by workspace and method (and channel, for messages): Slack's limits are by method. Bounded. */
const makePauses = () => {
  const most = 5_000
  const until = new Map<string, number>()
  return {
    left: (name: string, now: number) => Math.max(0, (until.get(name) ?? 0) - now),
    set: (name: string, at: number) => {
      until.delete(name)
      until.set(name, at)
      for (const oldest of until.keys()) if (until.size > most) until.delete(oldest)
    }
  }
}

/** `ask(session, method, arguments, schema)`. The arguments are sent as a form, which every method takes. */
export const makeAskSlack = (baseUrl: string) => {
  const pauses = makePauses()

  return Effect.fnUntraced(function* <A>(
    session: AppSession,
    method: string,
    given: Readonly<Record<string, string | number | boolean | object | undefined>>,
    answer: Schema.Decoder<A>
  ) {
    const { teamId = "", accessToken = "" } = session.credentials
    const limited = method === "chat.postMessage" ? `${teamId} ${method} ${given.channel}` : `${teamId} ${method}`
    const began = yield* Clock.currentTimeMillis
    const left = pauses.left(limited, began)
    if (left > 0)
      return yield* new AppFailure({ action: "wait", message: "Slack has asked us to slow down.", retryAfterMs: left })
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(given))
      if (value !== undefined) form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value))
    const answered = yield* session.ask(
      HttpClientRequest.post(`${baseUrl}/api/${method}`).pipe(
        HttpClientRequest.bearerToken(accessToken),
        HttpClientRequest.acceptJson,
        HttpClientRequest.bodyText(form.toString(), "application/x-www-form-urlencoded")
      )
    )
    const now = yield* Clock.currentTimeMillis
    if (answered.status === 429) {
      const wait = retryAfterMs(answered.headers["retry-after"], now) ?? usualWaitMs
      pauses.set(limited, now + wait)
      return yield* new AppFailure({ action: "wait", message: "Slack asks us to slow down.", retryAfterMs: wait })
    }
    if (!isOk(answered)) return yield* statusFailure("Slack", answered, now)
    const refusal = readRefusal(answered.text)
    if (refusal._tag === "None")
      return yield* new AppFailure({ action: "retry", message: "Slack's answer could not be read." })
    const { ok, error = "unknown_error", needed } = refusal.value
    if (!ok) return yield* refusalOf(error, needed)
    return yield* Effect.mapError(
      Schema.decodeUnknownEffect(Schema.fromJsonString(answer))(answered.text),
      () => new AppFailure({ action: "retry", message: "Slack's answer could not be read." })
    )
  })
}
export type AskSlack = ReturnType<typeof makeAskSlack>

/**
 * The integration that is only an address: each change is posted to it, signed as Standard Webhooks describes. `webhook-id` is the same in every attempt,
 * so a receiver that keeps it takes nothing twice.
 */
import { Clock, Effect } from "effect"
import { HttpClientRequest } from "effect/http"
import { type AppAdapter, type AppChange, AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import type { AppSettings } from "../../domain/apps/AppConnection.ts"
import { mappedContact } from "../../domain/apps/FieldMapping.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"
import { newId } from "../../domain/basics/Ids.ts"
import { isoTime } from "../../domain/basics/IsoTime.ts"
import { signedHeaders } from "../../domain/events/WebhookSignature.ts"

const secretForm = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/

const addressOf = ({ url }: AppSettings): string => String(url)

/** What is posted about a change. */
export const bodyOf = (change: AppChange, settings: AppSettings) => {
  const contact = mappedContact(change.contact, settings.mapping)
  return "conversation" in change ? { contact, conversation: change.conversation } : { contact }
}

const post = Effect.fnUntraced(function* (session: AppSession, id: string, type: string, data: object, now: number) {
  const body = JSON.stringify({ id, type, timestamp: isoTime(now), data })
  const signed = signedHeaders([session.credentials.signingSecret], id, body, now)
  const answer = yield* session.ask(
    HttpClientRequest.post(addressOf(session.settings)).pipe(
      HttpClientRequest.setHeaders({ ...signed, "user-agent": "Parley-Webhooks" }),
      HttpClientRequest.bodyText(body, "application/json")
    )
  )
  if (isOk(answer)) return
  const failure = statusFailure("The address", answer, yield* Clock.currentTimeMillis)
  return yield* answer.status === 410
    ? new AppFailure({ action: "reconnect", message: "The address answered 410: it is gone.", final: true })
    : failure
})

/** `refusal` says why an address cannot be reached from here. */
export const make = (refusal: (url: string) => string | undefined): AppAdapter => ({
  rate: { requests: 100, windowMs: 1_000 },
  atOnce: 4,
  problem: ({ credentials, settings }) => {
    if (!secretForm.test(credentials.signingSecret))
      return "credentials.signingSecret is invalid: it must be whsec_ and 24 to 64 bytes in base64."
    const problem = refusal(addressOf(settings))
    return problem === undefined ? undefined : `settings.url is invalid: ${problem}`
  },
  identify: ({ settings }) => {
    const { host } = new URL(addressOf(settings))
    return Effect.succeed({ id: host, name: host })
  },
  tryOut: (session, now) => post(session, newId("syn", now), "integration.test", {}, now),
  push: (session, { id, change }, now) =>
    Effect.as(post(session, id, change.trigger, bodyOf(change, session.settings), now), [])
})

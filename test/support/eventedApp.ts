/** The adapter of the CRM of no vendor (`simulators/crm/EventedCrm`), which stands for every provider that tells and is asked. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import type { AppAdapter } from "../../src/domain/apps/AppAdapter.ts"
import { AppRejection } from "../../src/domain/apps/AppInbound.ts"
import type { AppRecord } from "../../src/domain/apps/AppRecord.ts"
import { AppFailure, type AppSession } from "../../src/domain/apps/AppSession.ts"
import { isOk, statusFailure } from "../../src/domain/apps/StatusFailure.ts"

const nullable = Schema.NullOr(Schema.String)
const Contact = Schema.Struct({
  id: Schema.String,
  changedAt: Schema.Number,
  phone: nullable,
  name: nullable,
  email: nullable,
  deleted: Schema.optionalKey(Schema.Boolean)
})
const Event = Schema.Struct({ event: Schema.String, contact: Contact })
const Page = Schema.Struct({ contacts: Schema.Array(Contact), next: nullable })

const recordOf = ({ id: externalId, changedAt: updatedAt, deleted, ...fields }: typeof Contact.Type): AppRecord =>
  deleted === true
    ? { _tag: "removed", what: "contact", externalId, updatedAt }
    : { _tag: "contact", externalId, updatedAt, fields }

const windowMs = 5 * 60_000

/** With `asks` the contact of an event is asked for, as providers want it whose events only name it. */
export const eventedApp = (
  baseUrl: string,
  { everyMs, asks = false }: { readonly everyMs?: number; readonly asks?: boolean } = {}
): AppAdapter => {
  const get = Effect.fnUntraced(function* <A>(
    session: AppSession,
    path: string,
    schema: Schema.Decoder<A>,
    now: number
  ) {
    const answer = yield* session.ask(HttpClientRequest.get(baseUrl + path))
    if (!isOk(answer)) return yield* statusFailure("The CRM", answer, now)
    return yield* Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(answer.text).pipe(
      Effect.mapError(() => new AppFailure({ action: "give_up", message: "The CRM answered something else." }))
    )
  })
  return {
    rate: { requests: 1_000, windowMs: 1_000 },
    atOnce: 4,
    problem: () => undefined,
    identify: (session) => get(session, "/me", Schema.Struct({ id: Schema.String, name: Schema.String }), 0),
    inbound: {
      verify: Effect.fnUntraced(function* ({ credentials }, { headers, body }, now) {
        const at = headers["x-crm-time"] ?? ""
        const expected = createHmac("sha256", credentials.webhookSecret ?? "")
          .update(`${at}.`)
          .update(body)
          .digest()
        const given = Buffer.from(headers["x-crm-signature"] ?? "", "hex")
        if (given.length !== expected.length || !timingSafeEqual(given, expected))
          return yield* new AppRejection({ status: 401, message: "The signature of this webhook is not valid." })
        if (Math.abs(now - Number(at)) > windowMs)
          return yield* new AppRejection({ status: 401, message: "This webhook is too old." })
        const payload = Buffer.from(body).toString("utf8")
        const read = Schema.decodeUnknownResult(Schema.fromJsonString(Event))(payload)
        if (read._tag === "Failure")
          return yield* new AppRejection({ status: 400, message: "This is not an event of the CRM." })
        const { event, contact } = read.success
        return { arrivals: [{ id: event, topic: "contact.changed", lane: contact.id, at: contact.changedAt, payload }] }
      }),
      read: Effect.fnUntraced(function* (session, { payload }, now) {
        const read = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Event))(payload).pipe(
          Effect.mapError(() => new AppFailure({ action: "give_up", message: "This is not an event of the CRM." }))
        )
        return [recordOf(asks ? yield* get(session, `/contacts/${read.contact.id}`, Contact, now) : read.contact)]
      }),
      subscribe: () => Effect.succeed({ webhookSecret: "secret-of-the-webhooks" })
    },
    pull: {
      kinds: ["contact"],
      ...(everyMs === undefined ? {} : { everyMs }),
      page: Effect.fnUntraced(function* (session, { since, cursor }, now) {
        const query = new URLSearchParams({ since: String(since ?? 0), after: cursor ?? "" })
        const { contacts, next } = yield* get(session, `/contacts?${query}`, Page, now)
        return { records: contacts.map(recordOf), cursor: next }
      })
    }
  }
}

/**
 * What Notion tells by webhooks: signals that a page has changed, out of order and put together. The page is then read. The first request carries the token
 * by which the others are signed; an administrator pastes it back into Notion.
 */
import { createHmac } from "node:crypto"
import { Effect, Schema } from "effect"
import { AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { type AppInbound, AppRejection } from "../../domain/apps/AppInbound.ts"
import type { AppRecord } from "../../domain/apps/AppRecord.ts"
import { sameSecret } from "../../domain/basics/tokens/SameSecret.ts"
import type { makeNotionContacts, NotionPage } from "./NotionContacts.ts"
import type { makeNotionDatabase, NotionDatabase } from "./NotionDatabase.ts"
import { notionFields } from "./NotionProperties.ts"
import { askNotion, readNotion } from "./NotionRequests.ts"

const Handshake = Schema.Struct({ verification_token: Schema.String })
const Event = Schema.Struct({
  id: Schema.String,
  timestamp: Schema.String,
  type: Schema.String,
  authors: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String }))),
  entity: Schema.Struct({ id: Schema.String, type: Schema.String })
})
const Payload = Schema.Struct({
  type: Schema.String,
  page: Schema.String,
  at: Schema.Number,
  authors: Schema.Array(Schema.String)
})
const Bot = Schema.Struct({ id: Schema.String })

const readHandshake = Schema.decodeUnknownOption(Schema.fromJsonString(Handshake))
const readEvent = Schema.decodeUnknownOption(Schema.fromJsonString(Event))
const readPayload = Schema.decodeUnknownOption(Schema.fromJsonString(Payload))

/** Events that change what a page tells of a contact. The content of pages does not. */
const topics = new Set(["page.created", "page.properties_updated", "page.undeleted", "page.moved", "page.deleted"])

/** `X-Notion-Signature` of a body. */
export const notionSignature = (token: string, body: Uint8Array): string =>
  `sha256=${createHmac("sha256", token).update(body).digest("hex")}`

const isSigned = (token: string, body: Uint8Array, given: string) => sameSecret(notionSignature(token, body), given)

/** What a page of the database says of a contact; undefined when it is another's page. */
export const recordOfPage = (page: NotionPage, { dataSourceId, mapping }: NotionDatabase): AppRecord | undefined => {
  if (page.parent.data_source_id !== dataSourceId) return undefined
  const updatedAt = Date.parse(page.last_edited_time)
  const { id: externalId } = page
  return page.in_trash === true
    ? { _tag: "removed", what: "contact", externalId, updatedAt }
    : { _tag: "contact", externalId, updatedAt, fields: notionFields(page.properties, mapping) }
}

export const makeNotionWebhooks = (
  baseUrl: string,
  contacts: ReturnType<typeof makeNotionContacts>,
  databaseOf: ReturnType<typeof makeNotionDatabase>
): AppInbound => {
  const ownId = Effect.fnUntraced(function* (session: AppSession) {
    return (yield* readNotion(Bot, yield* askNotion(baseUrl, session, { method: "GET", path: "/users/me" }))).id
  })

  return {
    pasted: "verificationToken",
    verify: ({ credentials }, { headers, body }) => {
      const reject = (status: 400 | 401, message: string) => Effect.fail(new AppRejection({ status, message }))
      const { verificationToken } = credentials
      const text = Buffer.from(body).toString("utf8")
      const handshake = readHandshake(text)
      if (handshake._tag === "Some") {
        const { verification_token: given } = handshake.value
        return verificationToken === undefined || verificationToken === given
          ? Effect.succeed({ arrivals: [], learned: { verificationToken: given } })
          : reject(
              401,
              "Another verification token is stored: disconnect Notion and connect it again to take this one."
            )
      }
      if (verificationToken === undefined) return reject(401, "No verification token came before.")
      if (!isSigned(verificationToken, body, headers["x-notion-signature"] ?? ""))
        return reject(401, "The signature is not valid.")
      const event = readEvent(text)
      if (event._tag === "None") return reject(400, "This is not an event of Notion.")
      const { id, timestamp, type, entity, authors = [] } = event.value
      if (!topics.has(type) || entity.type !== "page") return Effect.succeed({ arrivals: [] })
      const at = Date.parse(timestamp)
      const payload = JSON.stringify({ type, page: entity.id, at, authors: authors.map((author) => author.id) })
      return Effect.succeed({ arrivals: [{ id, topic: type, lane: entity.id, at, payload }] })
    },

    read: Effect.fnUntraced(function* (session, arrival) {
      const payload = readPayload(arrival.payload)
      if (payload._tag === "None")
        return yield* new AppFailure({ action: "give_up", message: "The webhook could not be read." })
      const { type, page: externalId, at, authors } = payload.value
      const database = yield* databaseOf(session, false)
      if (database === undefined) return []
      // What we wrote ourselves is known.
      if (authors.length > 0 && type !== "page.deleted") {
        const own = yield* ownId(session)
        if (authors.every((author) => author === own)) return []
      }
      const page = yield* contacts.get(session, externalId)
      if (page === undefined) return [{ _tag: "removed", what: "contact", externalId, updatedAt: at }]
      const record = recordOfPage(page, database)
      return record === undefined ? [] : [record]
    })
  }
}

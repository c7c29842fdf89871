/** Conversations in HubSpot: a note on the contact's timeline, and for calls a call with its duration and recording. */
import { Effect, Schema } from "effect"
import type { AppSession, ToldConversation } from "../../domain/apps/AppAdapter.ts"
import { conversationHead, conversationTitle, makeNoteConversation } from "../../domain/apps/adapters/UpsertContact.ts"
import { askHubSpot, readHubSpot } from "./HubSpotRequests.ts"

const Named = Schema.Struct({ id: Schema.String })
const Associated = Schema.Struct({
  results: Schema.Array(Schema.Struct({ toObjectId: Schema.Union([Schema.Number, Schema.String]) }))
})
const Bodies = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({ id: Schema.String, properties: Schema.Record(Schema.String, Schema.NullOr(Schema.String)) })
  )
})

const longestBody = 60_000

/** HubSpot shows bodies as HTML. */
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign)

export const activityBody = (conversation: ToldConversation): string => {
  const { summary, lines, url } = conversation
  const said = lines.map(({ by, text }) => `${by === "contact" ? "Contact" : "We"}: ${escaped(text)}`)
  const link = `<a href="${escaped(url)}">${escaped(url)}</a>`
  const summed = summary === null ? [] : [`Summary: ${escaped(summary)}`]
  const whole = [escaped(conversationHead(conversation)), ...summed, ...said].join("<br>")
  return `${whole.slice(0, longestBody)}<br>${link}`
}

/** What becomes of a conversation: its object, the association with the contact, and its properties. */
const activityOf = (conversation: ToldConversation) => {
  const { durationSeconds, recordingUrl, at } = conversation
  const body = activityBody(conversation)
  return durationSeconds === null
    ? {
        ...{ kind: "notes", object: "notes", associationTypeId: 202, bodyName: "hs_note_body" },
        properties: { hs_timestamp: at, hs_note_body: body }
      }
    : {
        ...{ kind: "calls", object: "calls", associationTypeId: 194, bodyName: "hs_call_body" },
        properties: {
          hs_timestamp: at,
          hs_call_title: conversationTitle(conversation),
          hs_call_body: body,
          hs_call_duration: String(Math.round(durationSeconds * 1_000)),
          hs_call_status: "COMPLETED",
          ...(recordingUrl === null ? {} : { hs_call_recording_url: recordingUrl })
        }
      }
}

type Activity = ReturnType<typeof activityOf>

export const makeActivities = (baseUrl: string) => {
  /** The activity that an earlier attempt has made, by the link in its body. Associations do not lag as the search does. */
  const made = Effect.fnUntraced(function* (
    session: AppSession,
    contactId: string,
    { object, bodyName }: Activity,
    url: string
  ) {
    const path = `/crm/v4/objects/contacts/${encodeURIComponent(contactId)}/associations/${object}?limit=100`
    const { results: near } = yield* readHubSpot(
      Associated,
      yield* askHubSpot(baseUrl, session, { method: "GET", path })
    )
    if (near.length === 0) return undefined
    const inputs = near.map(({ toObjectId }) => ({ id: String(toObjectId) }))
    const body = { properties: [bodyName], inputs }
    const batch = yield* askHubSpot(baseUrl, session, {
      method: "POST",
      path: `/crm/v3/objects/${object}/batch/read`,
      body
    })
    const { results } = yield* readHubSpot(Bodies, batch)
    return results.find(({ properties }) => properties[bodyName]?.includes(escaped(url)))?.id
  })

  const change = Effect.fnUntraced(function* (session: AppSession, id: string, { object, properties }: Activity) {
    const path = `/crm/v3/objects/${object}/${encodeURIComponent(id)}`
    const answer = yield* askHubSpot(baseUrl, session, { method: "PATCH", path, body: { properties } })
    return answer.status === 404 ? undefined : (yield* readHubSpot(Named, answer)).id
  })

  const create = Effect.fnUntraced(function* (session: AppSession, contactId: string, activity: Activity) {
    const { object, properties, associationTypeId } = activity
    const types = [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId }]
    const body = { properties, associations: [{ to: { id: contactId }, types }] }
    const answer = yield* askHubSpot(baseUrl, session, { method: "POST", path: `/crm/v3/objects/${object}`, body })
    return (yield* readHubSpot(Named, answer)).id
  })

  return makeNoteConversation(activityOf, { made, change, create })
}

/** Conversations in Zoho CRM: a note of the contact, and for calls a call with its duration. */
import { Effect, Schema } from "effect"
import { AppFailure, type AppSession, type ToldConversation } from "../../domain/apps/AppAdapter.ts"
import { conversationText, conversationTitle, makeNoteConversation } from "../../domain/apps/adapters/UpsertContact.ts"
import { askZoho, isEmpty, readZoho, savedBy, type ZohoOutcome } from "./ZohoRequests.ts"

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))
const Found = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, Note_Content: Text, Description: Text }))
})

/** Zoho takes 32,000 characters. */
const longestText = 30_000

/** `03:45`; an hour and more goes on in minutes. */
const lengthOf = (seconds: number) => {
  const whole = Math.round(seconds)
  return [Math.floor(whole / 60), whole % 60].map((part) => String(part).padStart(2, "0")).join(":")
}

const activityOf = (conversation: ToldConversation) => {
  const { channel, durationSeconds, beganAt } = conversation
  const text = conversationText(conversation, longestText)
  return durationSeconds === null
    ? {
        kind: "Notes",
        fields: { Note_Title: `${conversationTitle(conversation)} (${channel.replace("_", " ")})`, Note_Content: text }
      }
    : {
        kind: "Calls",
        fields: {
          ...{ Subject: conversationTitle(conversation), Description: text, Call_Type: "Inbound" },
          ...{ Call_Start_Time: beganAt.replace(/\.\d+Z$/, "+00:00"), Call_Duration: lengthOf(durationSeconds) }
        }
      }
}
type Activity = ReturnType<typeof activityOf>

const idOf = ({ id }: ZohoOutcome) =>
  id === undefined
    ? Effect.fail(new AppFailure({ action: "give_up", message: "Zoho did not take the note." }))
    : Effect.succeed(id)

const made = Effect.fnUntraced(function* (session: AppSession, contactId: string, { kind }: Activity, url: string) {
  const fields = kind === "Notes" ? "Note_Content" : "Description"
  const path = `/Contacts/${encodeURIComponent(contactId)}/${kind}?fields=${fields}&per_page=50`
  const answer = yield* askZoho(session, { method: "GET", path })
  if (isEmpty(answer)) return undefined
  const { data } = yield* readZoho(Found, answer)
  return data.find(({ Note_Content, Description }) => (Note_Content ?? Description)?.includes(url))?.id
})

const change = Effect.fnUntraced(function* (session: AppSession, id: string, { kind, fields }: Activity) {
  const path = `/${kind}/${encodeURIComponent(id)}`
  const saved = yield* savedBy(yield* askZoho(session, { method: "PUT", path, body: { data: [fields] } }))
  return saved.gone ? undefined : yield* idOf(saved)
})

const create = Effect.fnUntraced(function* (session: AppSession, contactId: string, { kind, fields }: Activity) {
  const [path, record] =
    kind === "Notes"
      ? ([`/Contacts/${encodeURIComponent(contactId)}/Notes`, fields] as const)
      : (["/Calls", { ...fields, Who_Id: { id: contactId } }] as const)
  return yield* idOf(yield* savedBy(yield* askZoho(session, { method: "POST", path, body: { data: [record] } })))
})

export const noteZohoConversation = makeNoteConversation(activityOf, { made, change, create })

/** Conversations in Salesforce: a completed task of the contact, and for calls a logged call with its duration. */
import { Effect, Schema } from "effect"
import type { AppSession, ToldConversation } from "../../domain/apps/AppAdapter.ts"
import { conversationText, conversationTitle, makeNoteConversation } from "../../domain/apps/adapters/UpsertContact.ts"
import { isOk } from "../../domain/apps/StatusFailure.ts"
import { askSalesforce, queryPath, quoted, readSalesforce } from "./SalesforceRequests.ts"

const Saved = Schema.Struct({ id: Schema.String })
const Tasks = Schema.Struct({
  records: Schema.Array(Schema.Struct({ Id: Schema.String, Description: Schema.NullOr(Schema.String) }))
})

/** Salesforce takes 32,000 characters. */
const longestDescription = 30_000
const root = "/sobjects/Task"

const taskOf = (conversation: ToldConversation) => {
  const { channel, durationSeconds, at } = conversation
  const isCall = durationSeconds !== null
  return {
    kind: isCall ? "call" : "task",
    fields: {
      Subject: `${conversationTitle(conversation)}${isCall ? "" : ` (${channel.replace("_", " ")})`}`,
      Description: conversationText(conversation, longestDescription),
      Status: "Completed",
      ActivityDate: at.slice(0, 10),
      ...(isCall ? { CallDurationInSeconds: Math.round(durationSeconds) } : {})
    }
  }
}
type Task = ReturnType<typeof taskOf>

/** Descriptions cannot be asked for in a query, so the newest tasks of the contact are read. */
const made = Effect.fnUntraced(function* (session: AppSession, contactId: string, _: Task, url: string) {
  const soql = `SELECT Id, Description FROM Task WHERE WhoId = ${quoted(contactId)} ORDER BY CreatedDate DESC LIMIT 50`
  const { records } = yield* readSalesforce(
    Tasks,
    yield* askSalesforce(session, { method: "GET", path: queryPath(soql) })
  )
  return records.find(({ Description }) => Description?.includes(url))?.Id
})

const change = Effect.fnUntraced(function* (session: AppSession, id: string, { fields: body }: Task) {
  const answer = yield* askSalesforce(session, { method: "PATCH", path: `${root}/${encodeURIComponent(id)}`, body })
  if (answer.status === 404) return undefined
  if (!isOk(answer)) return yield* readSalesforce(Schema.Never, answer)
  return id
})

const create = Effect.fnUntraced(function* (session: AppSession, WhoId: string, { kind, fields }: Task) {
  const body = { WhoId, TaskSubtype: kind === "call" ? "Call" : "Task", ...fields }
  return (yield* readSalesforce(Saved, yield* askSalesforce(session, { method: "POST", path: root, body }))).id
})

export const noteSalesforceConversation = makeNoteConversation(taskOf, { made, change, create })

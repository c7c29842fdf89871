/** `/api/messaging-api/chats/{conversationId}/notes`: what people note in a conversation for each other. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { ConversationNote, NoteText } from "../../../domain/messaging/conversations/ConversationNote.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"

const ofConversation = { conversationId: Id }
const params = { conversationId: Id, id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

export const RemovedNote = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
  title: "RemovedNote",
  examples: [{ id: exampleIds.note, deleted: true }]
})

export class ConversationNotesGroup extends HttpApiGroup.make("conversationNotes")
  .add(
    HttpApiEndpoint.get("list", "/", {
      params: ofConversation,
      query: listQuery,
      success: listOf(ConversationNote),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the notes of a conversation, newest first",
        description: "Notes are for the organization; the contact never sees them. Scope `conversations:read`."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      params: ofConversation,
      payload: NoteText,
      success: ConversationNote.pipe(HttpApiSchema.status(201)),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Write a note",
        description: "Told by the event `conversation.noted`. Scope `conversations:write`."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: ConversationNote, error }).annotateMerge(
      OpenApi.annotations({ summary: "Get a note", description: "Scope `conversations:read`." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: NoteText,
      success: ConversationNote,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change the text of a note",
        description: "A person with the role AGENT changes only their own notes. Scope `conversations:write`."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: RemovedNote, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a note",
        description: "A person with the role AGENT deletes only their own notes. Scope `conversations:write`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/chats/:conversationId/notes") {}

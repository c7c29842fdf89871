import { Effect } from "effect"
import { type ConversationNote, ConversationNotes } from "../../../domain/messaging/conversations/ConversationNote.ts"
import { callerId, type Principal } from "../../../domain/people/access/Access.ts"
import { Audit } from "../../../domain/people/access/Audit.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { Forbidden, NotFound } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"

const noConversation = () => new NotFound({ error: "There is no such conversation." })
const noNote = () => new NotFound({ error: "There is no such note in this conversation." })

/** Whether the caller may change the note: its author, an API key, an OWNER or an ADMIN. */
const mayChange = (caller: Principal, { author }: ConversationNote) =>
  "keyId" in caller || caller.role !== "AGENT" || caller.userId === author

interface Which {
  readonly conversationId: string
  readonly id: string
}

/** Needs ConversationNotes and Audit. */
export const layer = group(
  AppApi,
  "conversationNotes",
  Effect.fn(function* (handlers) {
    const notes = yield* ConversationNotes
    const audit = yield* Audit

    const known = Effect.fnUntraced(function* (organizationId: string, { conversationId, id }: Which) {
      return (yield* notes.find(organizationId, conversationId, id)) ?? (yield* noNote())
    })

    /** The note, when the caller may change it. */
    const own = Effect.fnUntraced(function* (caller: Principal, which: Which) {
      const note = yield* known(caller.organizationId, which)
      if (mayChange(caller, note)) return note
      return yield* new Forbidden({ error: "Somebody else wrote this note. Its author, an OWNER or an ADMIN may." })
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ params: { conversationId }, query }) {
        const { organizationId } = yield* requireScope("conversations:read")
        const part = yield* partOf("conversationNotes", query)
        const found = yield* notes.list(organizationId, conversationId, part)
        return toList(found ?? (yield* noConversation()), part)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("conversations:read")
        return yield* known(organizationId, params)
      }),
      create: Effect.fnUntraced(function* ({ params: { conversationId }, payload: { text } }) {
        const caller = yield* requireScope("conversations:write")
        const { organizationId } = caller
        const made = yield* notes.write(organizationId, conversationId, callerId(caller), text)
        return made ?? (yield* noConversation())
      }),
      update: Effect.fnUntraced(function* ({ params, payload: { text } }) {
        const caller = yield* requireScope("conversations:write")
        const { organizationId } = caller
        const { conversationId, id, author } = yield* own(caller, params)
        const change = Effect.flatMap(notes.rewrite(organizationId, conversationId, id, text), (note) =>
          note === undefined ? Effect.fail(noNote()) : Effect.succeed(note)
        )
        // Somebody else's words may be changed here. The log says by whom, but no text: what was taken back shall not stay there.
        const entry = { action: "conversation_note.changed", subjectId: id, before: { conversationId, author } }
        return yield* audit.recorded(organizationId, change, () => entry)
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const caller = yield* requireScope("conversations:write")
        const { organizationId } = caller
        const { conversationId, id, author } = yield* own(caller, params)
        const removal = Effect.flatMap(notes.remove(organizationId, conversationId, id), (gone) =>
          gone ? Effect.void : Effect.fail(noNote())
        )
        const entry = { action: "conversation_note.deleted", subjectId: id, before: { conversationId, author } }
        yield* audit.recorded(organizationId, removal, () => entry)
        return { id, deleted: true as const }
      })
    })
  })
)

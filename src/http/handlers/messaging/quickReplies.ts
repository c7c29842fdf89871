import { Effect } from "effect"
import {
  type DuplicateShortcut,
  QuickReplies,
  type QuickReply,
  type QuickReplyChanges
} from "../../../domain/messaging/templates/QuickReplies.ts"
import { Audit, changedFields } from "../../../domain/people/access/Audit.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, existing, NotFound } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"

const notFound = () => new NotFound({ error: "There is no such quick reply." })

/** 409 with the id of the quick reply that has the shortcut. */
const duplicate = ({ shortcut, existingId }: DuplicateShortcut) =>
  existing(existingId, `There is already a quick reply with the shortcut ${shortcut}: ${existingId}.`)

const shown = ({ shortcut, text }: QuickReply) => ({ shortcut, text })

/** Needs QuickReplies and Audit. */
export const layer = group(
  AppApi,
  "quickReplies",
  Effect.fn(function* (handlers) {
    const replies = yield* QuickReplies
    const audit = yield* Audit

    const known = Effect.fnUntraced(function* (organizationId: string, id: string) {
      return (yield* replies.find(organizationId, id)) ?? (yield* notFound())
    })
    const change = Effect.fnUntraced(function* (organizationId: string, id: string, changes: QuickReplyChanges) {
      const before = yield* known(organizationId, id)
      const after = yield* replies.update(organizationId, id, changes)
      return { before, after: after ?? (yield* notFound()) }
    })
    const remove = Effect.fnUntraced(function* (organizationId: string, id: string) {
      const before = yield* known(organizationId, id)
      yield* replies.remove(organizationId, id)
      return before
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("messages:read")
        const part = yield* partOf("quickReplies", query)
        const filter = query.search === undefined || query.search.trim() === "" ? {} : { search: query.search }
        return toList(yield* replies.list(organizationId, filter, part), part)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("messages:read")
        return yield* known(organizationId, params.id)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("messages:send")
        return yield* audit
          .recorded(organizationId, replies.create(organizationId, payload), (made) => ({
            action: "quick_reply.created",
            subjectId: made.id,
            after: shown(made)
          }))
          .pipe(Effect.catchTag("DuplicateShortcut", duplicate))
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* requireScope("messages:send")
        if (Object.keys(payload).length === 0)
          return yield* new BadRequest({ error: "Send at least one of shortcut and text." })
        const { after } = yield* audit
          .recorded(organizationId, change(organizationId, params.id, payload), ({ before, after }) => ({
            action: "quick_reply.updated",
            subjectId: after.id,
            ...changedFields(before, after, (reply) => shown(reply))
          }))
          .pipe(Effect.catchTag("DuplicateShortcut", duplicate))
        return after
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("messages:send")
        const gone = yield* audit.recorded(organizationId, remove(organizationId, params.id), (before) => ({
          action: "quick_reply.deleted",
          subjectId: before.id,
          before: shown(before)
        }))
        return { id: gone.id, deleted: true as const }
      })
    })
  })
)

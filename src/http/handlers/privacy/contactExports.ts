import { Clock, Effect } from "effect"
import { ObjectStorage } from "../../../domain/basics/ObjectStorage.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { Audit } from "../../../domain/people/access/Audit.ts"
import { type ContactExport, ContactExports, exportKey } from "../../../domain/privacy/ContactExport.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { Conflict, NotFound } from "../../wire/Errors.ts"
import { fileResponse, present } from "../../wire/FileResponse.ts"

const shown = (made: ContactExport) => ({
  ...made,
  file: made.status === "completed" ? `/api/messaging-api/contacts/${made.contactId}/export/file` : null
})

const noContact = () => new NotFound({ error: "There is no such contact." })
const sentences = {
  missing: "There is no export of such a contact; ask for one with POST.",
  unreadable: "The export cannot be read right now. Please try again later."
}

/** Needs ContactExports, ObjectStorage and Audit. */
export const layer = group(
  AppApi,
  "contactExports",
  Effect.fn(function* (handlers) {
    const exports = yield* ContactExports
    const storage = yield* ObjectStorage
    const audit = yield* Audit

    const newest = Effect.fnUntraced(function* (organizationId: string, contactId: string) {
      const found = yield* exports.newest(organizationId, contactId, yield* Clock.currentTimeMillis)
      return found ?? (yield* new NotFound({ error: sentences.missing }))
    })

    return handlers
      .handle(
        "request",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* requireScope("admin")
          const { organizationId } = caller
          const now = yield* Clock.currentTimeMillis
          const requested = Effect.filterOrFail(
            exports.request(organizationId, params.id, callerId(caller), now),
            (made) => made !== undefined,
            noContact
          )
          const made = yield* audit.recorded(organizationId, requested, ({ id }) => ({
            action: "contact.export_requested",
            subjectId: params.id,
            after: { exportId: id }
          }))
          return shown(made)
        })
      )
      .handle(
        "get",
        Effect.fnUntraced(function* ({ params }) {
          const { organizationId } = yield* requireScope("admin")
          return shown(yield* newest(organizationId, params.id))
        })
      )
      .handleRaw(
        "file",
        Effect.fnUntraced(function* ({ params, request }) {
          const { organizationId } = yield* requireScope("admin")
          const { id, status } = yield* newest(organizationId, params.id)
          if (status !== "completed")
            return yield* new Conflict({
              error:
                status === "queued"
                  ? "The export is still being made; try again in a minute."
                  : "The export could not be made; ask for it again with POST."
            })
          const key = exportKey(organizationId, id)
          const { size, etag } = yield* present(storage.find(key), sentences)
          yield* audit.recorded(organizationId, Effect.void, () => ({
            action: "contact.export_downloaded",
            subjectId: params.id,
            after: { exportId: id }
          }))
          return fileResponse(request, {
            size,
            etag,
            contentType: "application/zip",
            fileName: `contact-${id}.zip`,
            read: (range) => storage.read(key, range)
          })
        })
      )
  })
)

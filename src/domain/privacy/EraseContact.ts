/**
 * Use case: erase a contact and the recordings of its calls. The audit log records the erasure. Files are removed first, in parts, and each finished
 * part is recorded. If the storage does not answer or the process dies, the request can be repeated and has less to do. Files of its messages, which
 * other messages may use, are hidden together with the contact and removed afterwards. If that stops early, `MediaFiles.settle` removes them.
 */
import { Effect } from "effect"
import { type ObjectKey, ObjectStorage, type ObjectStorageError } from "../basics/ObjectStorage.ts"
import { traced } from "../basics/Traced.ts"
import { MediaFiles } from "../messaging/media/Media.ts"
import { Audit } from "../people/access/Audit.ts"
import { NoSuchContact } from "../people/contacts/Contact.ts"
import { type ContactBusy, ContactErasure, type Erasure } from "./ContactErasure.ts"

/**
 * Needs ContactErasure, Audit, MediaFiles and ObjectStorage once. The function it gives fails with NoSuchContact, ContactBusy or ObjectStorageError.
 */
export const makeEraseContact = Effect.gen(function* () {
  const erasure = yield* ContactErasure
  const objects = yield* ObjectStorage
  const media = yield* MediaFiles
  const audit = yield* Audit

  const removeFiles = Effect.fnUntraced(function* (organizationId: string, contactId: string) {
    let gone: ReadonlyArray<ObjectKey> = []
    do {
      gone = yield* erasure.releaseFiles(organizationId, contactId, gone)
      yield* Effect.forEach(gone, objects.remove, { concurrency: 8, discard: true })
    } while (gone.length > 0)
  })

  const erase = Effect.fnUntraced(function* (organizationId: string, contactId: string) {
    return (yield* erasure.erase(organizationId, contactId)) ?? (yield* new NoSuchContact({ id: contactId }))
  })

  const forget = (
    organizationId: string,
    contactId: string
  ): Effect.Effect<Erasure, NoSuchContact | ContactBusy | ObjectStorageError> =>
    Effect.andThen(
      removeFiles(organizationId, contactId),
      audit.recorded(organizationId, erase(organizationId, contactId), ({ mediaIds, ...counts }) => ({
        action: "contact.erased",
        subjectId: contactId,
        after: { ...counts, media: mediaIds.length }
      }))
    ).pipe(Effect.catchTag("ContactHasFiles", () => forget(organizationId, contactId)))

  return traced("EraseContact.erase")(function* (organizationId: string, contactId: string) {
    const { mediaIds, ...gone } = yield* forget(organizationId, contactId)
    yield* media.finishRemovals(organizationId, mediaIds)
    return gone
  })
})

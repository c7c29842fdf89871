/**
 * Use case: a contact is forgotten, with the recordings of its calls, and the audit log keeps that it was. If the storage does not answer,
 * erasing can be asked for again.
 */
import { Effect, Schema } from "effect"
import { Audit } from "./Audit.ts"
import { Contacts } from "./Contact.ts"
import { MediaFiles } from "./Media.ts"
import { ObjectStorage } from "./ObjectStorage.ts"

/** 404: not there, or another organization's. */
export class NoSuchContact extends Schema.TaggedError<NoSuchContact>()("NoSuchContact", { id: Schema.String }) {}

/** Needs Contacts, Audit, MediaFiles and ObjectStorage once; the function it gives fails with NoSuchContact, ContactBusy or ObjectStorageError. */
export const makeEraseContact = Effect.gen(function* () {
  const contacts = yield* Contacts
  const objects = yield* ObjectStorage
  const media = yield* MediaFiles
  const audit = yield* Audit

  const erase = Effect.fnUntraced(function* (organizationId: string, contactId: string) {
    const erasure = yield* contacts.erase(organizationId, contactId, (keys) =>
      Effect.forEach(keys, objects.remove, { concurrency: 8, discard: true })
    )
    return erasure ?? (yield* new NoSuchContact({ id: contactId }))
  })

  /** Once nothing refers to them any more. One that cannot be removed now is hidden, and removed by the sweep of files. */
  const removeMedia = (organizationId: string, mediaIds: ReadonlyArray<string>) =>
    media.removeUnused(organizationId, mediaIds).pipe(
      Effect.map((removed) => removed.length),
      Effect.catch((error) =>
        Effect.as(Effect.logWarning("files of an erased contact are removed later", { message: error.message }), 0)
      )
    )

  return Effect.fn("EraseContact.erase")(function* (organizationId: string, contactId: string) {
    const { mediaIds, ...gone } = yield* audit.recorded(
      organizationId,
      erase(organizationId, contactId),
      ({ mediaIds, ...counts }) => ({
        action: "contact.erased",
        subjectId: contactId,
        after: { ...counts, media: mediaIds.length }
      })
    )
    yield* removeMedia(organizationId, mediaIds)
    return gone
  })
})

import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { exportContacts } from "../../../domain/imports/ExportContacts.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { Audit } from "../../../domain/people/access/Audit.ts"
import {
  Contact,
  type ContactFilter,
  Contacts,
  type DuplicateContact
} from "../../../domain/people/contacts/Contact.ts"
import { makeManageContacts } from "../../../domain/people/contacts/ManageContacts.ts"
import { makeMergeContacts } from "../../../domain/people/contacts/MergeContacts.ts"
import { makeEraseContact } from "../../../domain/privacy/EraseContact.ts"
import { AppApi } from "../../groups/Api.ts"
import { mostTagsListed } from "../../groups/people/contacts.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { Conflict, existing, NotFound, ServerError } from "../../wire/Errors.ts"
import { listAnswer, partOf } from "../../wire/Listing.ts"

export const noSuchContact = () => new NotFound({ error: "There is no such contact." })

/** The refusal of a number that is known. An archived contact is in no list, so the sentence says how to get it back. */
export const duplicateSentence = Effect.fnUntraced(function* (
  { find }: Pick<Contacts["Service"], "find">,
  organizationId: string,
  { phone, existingId }: DuplicateContact
) {
  const found = yield* find(organizationId, existingId)
  const archived =
    found === undefined || found.archivedAt === null
      ? ""
      : ` It is archived: restore it with POST /api/messaging-api/contacts/${existingId}/restore.`
  return `There is already a contact with the number ${phone}: ${existingId}.${archived}`
})

const answer = listAnswer(Contact)

interface Asked {
  readonly search?: string
  readonly tag?: string
  readonly archived?: string
}

const filterOf = ({ search, tag, archived }: Asked): ContactFilter => ({
  // An empty search finds everything.
  ...(search === undefined || search.trim() === "" ? {} : { search }),
  ...(tag === undefined ? {} : { tag: tag.trim() }),
  archived: archived === "true"
})

/** Needs Contacts, ContactMerging, Audit, ObjectStorage and MediaFiles. */
export const layer = group(
  AppApi,
  "contacts",
  Effect.fn(function* (handlers) {
    const contacts = yield* Contacts
    const manage = yield* makeManageContacts
    const merge = yield* makeMergeContacts
    const erase = yield* makeEraseContact
    const audit = yield* Audit

    const duplicate = (organizationId: string) => (known: DuplicateContact) =>
      Effect.flatMap(duplicateSentence(contacts, organizationId, known), (sentence) =>
        existing(known.existingId, sentence)
      )

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("contacts:read")
        const part = yield* partOf("contacts", query)
        const filter = { ...filterOf(query), ...(query.sort === undefined ? {} : { sort: query.sort }) }
        return answer(yield* contacts.list(organizationId, filter, part), part)
      }),
      export: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("admin")
        const filter = filterOf(query)
        yield* audit.recorded(organizationId, Effect.void, () => ({
          action: "contacts.exported",
          subjectId: organizationId,
          after: filter
        }))
        return HttpServerResponse.stream(Stream.encodeText(exportContacts(contacts, organizationId, filter)), {
          contentType: "text/csv; charset=utf-8",
          headers: {
            "content-disposition": 'attachment; filename="contacts.csv"',
            "cache-control": "private, no-cache"
          }
        })
      }),
      tags: Effect.fnUntraced(function* () {
        const { organizationId } = yield* requireScope("contacts:read")
        const tags = yield* contacts.tags(organizationId, mostTagsListed)
        return { data: tags.map((tag) => ({ tag })) }
      }),
      create: Effect.fnUntraced(function* ({ query, payload }) {
        const caller = yield* requireScope("contacts:write")
        const { organizationId } = caller
        if (query.upsert !== "true")
          return yield* manage
            .create(organizationId, payload, callerId(caller))
            .pipe(Effect.catchTag("DuplicateContact", duplicate(organizationId)))
        const { contact, created } = yield* manage.save(organizationId, payload, callerId(caller))
        return created ? contact : HttpServerResponse.jsonUnsafe(contact)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("contacts:read")
        return (yield* contacts.find(organizationId, params.id)) ?? (yield* noSuchContact())
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* requireScope("contacts:write")
        const { organizationId } = caller
        const changed = yield* manage
          .update(organizationId, params.id, payload, callerId(caller))
          .pipe(Effect.catchTag("DuplicateContact", duplicate(organizationId)))
        return changed ?? (yield* noSuchContact())
      }),
      archive: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("contacts:write")
        return (yield* manage.setArchived(organizationId, params.id, true)) ?? (yield* noSuchContact())
      }),
      restore: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("contacts:write")
        return (yield* manage.setArchived(organizationId, params.id, false)) ?? (yield* noSuchContact())
      }),
      merge: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* requireScope("contacts:write")
        return yield* merge(caller.organizationId, params.id, payload, callerId(caller)).pipe(
          Effect.catchTags({
            NoSuchContact: noSuchContact,
            UnmergeableContacts: ({ reason }) => new Conflict({ error: reason })
          })
        )
      }),
      erase: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("contacts:write")
        const { phoneHash: _, ...gone } = yield* erase(organizationId, params.id).pipe(
          Effect.catchTags({
            NoSuchContact: noSuchContact,
            ContactBusy: () =>
              new Conflict({
                error: "A call of this contact is still under way; erase it when that is over."
              }),
            ObjectStorageError: ({ message }) =>
              Effect.andThen(
                Effect.logError("recordings of a contact could not be removed", { message }),
                new ServerError({
                  error:
                    "Recordings of this contact could not be removed, so the contact is still there; try again later."
                })
              )
          })
        )
        return { id: params.id, erased: true as const, ...gone }
      })
    })
  })
)

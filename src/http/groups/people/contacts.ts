/** `/api/messaging-api/contacts`: the people the organization talks with. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { oneLine, plainText } from "../../../domain/basics/PlainText.ts"
import { Contact, ContactChanges, ContactSort, NewContact } from "../../../domain/people/contacts/Contact.ts"
import { MergeRequest } from "../../../domain/people/contacts/MergeContacts.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { ofLeaders } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"
import { yesOrNo } from "../../wire/QueryNumber.ts"
import { textOf } from "../imports/importFile.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

/** The numbers of records that were erased with the contact. Its calls are kept without their transcripts. */
export const ErasedContact = Schema.Struct({
  id: Schema.String,
  erased: Schema.Literal(true),
  conversations: Schema.Int,
  messages: Schema.Int,
  calls: Schema.Int
}).annotate({
  title: "ErasedContact",
  examples: [{ id: exampleIds.contact, erased: true, conversations: 1, messages: 2, calls: 1 }]
})

/** The most tags that the list has. */
export const mostTagsListed = 1_000

const ContactTags = Schema.Struct({ data: Schema.Array(Schema.Struct({ tag: Schema.String })) }).annotate({
  title: "ContactTags",
  examples: [{ data: [{ tag: "book club" }, { tag: "poetry" }] }]
})

export class ContactsGroup extends HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...listQuery,
        search: Schema.optionalKey(oneLine(200)),
        tag: Schema.optionalKey(plainText(64)),
        archived: yesOrNo,
        sort: Schema.optionalKey(ContactSort)
      },
      success: listOf(Contact),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List contacts, newest first",
        description:
          "`search` finds any part of a name, whatever its case and accents, and any part of a number, however it is written. `tag` is " +
          "one whole tag. Archived contacts are listed only with `archived=true`. `sort` is `-createdAt` unless it is sent; by `name`, contacts without " +
          "one come last, and by `-lastSeenAt` those who never wrote or called. A search that is sorted otherwise than newest first has its newest 1,000 hits. Scope `contacts:read`."
      })
    ),
    HttpApiEndpoint.get("export", "/export", {
      query: {
        search: Schema.optionalKey(oneLine(200)),
        tag: Schema.optionalKey(plainText(64)),
        archived: yesOrNo
      },
      success: textOf(
        "text/csv",
        "phone,name,email,tags,opted in\r\n+14155550123,Asha Rao,asha@example.com,book club,true\r\n"
      ),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Export contacts as CSV",
        description:
          "In the columns that an import reads, newest first, with the filters of the list. A cell that a spreadsheet would run as a formula begins with an " +
          "apostrophe, which an import takes away. In the audit log. OWNER or ADMIN (for a key: scope `admin`)."
      })
    ),
    HttpApiEndpoint.get("tags", "/tags", { success: ContactTags, error: Forbidden }).annotateMerge(
      OpenApi.annotations({
        summary: "The tags of contacts",
        description: `Each once, in order; the first ${mostTagsListed}. Tags of archived contacts only are left out. Scope \`contacts:read\`.`
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      query: { upsert: yesOrNo },
      payload: NewContact,
      success: [Contact.pipe(HttpApiSchema.status(201)), Contact],
      error: [BadRequest, Forbidden, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a contact",
        description:
          "The number is kept in E.164; two ways of writing one number are one contact (Brazil's ninth digit, Mexico's 521). A known number " +
          "is 409, its contact's id in the header `X-Existing-Id`; with `upsert=true` that contact gets the fields that are sent, " +
          "comes back from the archive, and the answer is 200. Scope `contacts:write`."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: Contact, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a contact, also an archived one",
        description:
          "Of a contact that was merged into another one it gives that one, which has another `id`. Scope `contacts:read`."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: ContactChanges,
      success: Contact,
      error: [...error, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a contact",
        description:
          "What is not sent keeps its value; null removes name or email; tags are replaced as a whole. Another number has not opted in, " +
          "unless `optedIn` is sent with it. Scope `contacts:write`."
      })
    ),
    HttpApiEndpoint.post("archive", "/:id/archive", { params, success: Contact, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Archive a contact",
        description: "It leaves the lists; everything about it stays. Scope `contacts:write`."
      })
    ),
    HttpApiEndpoint.post("restore", "/:id/restore", { params, success: Contact, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Restore an archived contact",
        description:
          "One that was merged is a contact of its own again; what belonged to it stays where it is. Scope `contacts:write`."
      })
    ),
    HttpApiEndpoint.post("merge", "/:id/merge", {
      params,
      payload: MergeRequest,
      success: Contact,
      error: [...error, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Merge another contact into this one",
        description:
          "Conversations, calls, notes, orders, payments, companies and links of integrations of the contact `contactId` become those of this one, as do its tags and " +
          "the fields that are empty here or named in `take`. A withdrawal of either holds for both. The merged contact is archived, its id and number stand " +
          "for this one from now on, and whatever is sent goes to this one's number. Merging again gives the same answer. In the audit log. Scope `contacts:write`."
      })
    ),
    HttpApiEndpoint.delete("erase", "/:id", {
      params,
      success: ErasedContact,
      error: [...error, Conflict, ServerError]
    })
      .annotateMerge(ofLeaders("erase contacts"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Erase a contact for good",
          description:
            "Removes the contact, its conversations and messages, and transcripts and recordings of its calls. Consents are withdrawn: the number " +
            "is not called again without a new one. Their evidence stays under a hash of the number, and the audit log keeps that it was " +
            "erased. Queued calls are canceled; 409 during a call. Scope `contacts:write`; of people OWNER and ADMIN."
        })
      )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/contacts") {}

/**
 * Use case: two records of one person become one. The contact that stays gets what belongs to the other one: conversations, calls, orders, payments, links of
 * integrations. The merged record is archived and stands for the one that stays.
 */
import { Context, Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import { traced } from "../../basics/Traced.ts"
import { Audit } from "../access/Audit.ts"
import { type Contact, Contacts, type NoSuchContact } from "./Contact.ts"
import { contactChange } from "./ManageContacts.ts"

/** The fields of which a contact has one. */
export const SingleField = Schema.Literals(["phone", "name", "email"])
export type SingleField = typeof SingleField.Type

export const MergeRequest = Schema.Struct({
  /** The id of the contact that is merged into this one. */
  contactId: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(60)),
  /** The fields whose value is taken from there, although the contact that stays has one. */
  take: Schema.optionalKey(Schema.Array(SingleField).check(Schema.isMaxLength(3)))
}).annotate({ title: "MergeRequest", examples: [{ contactId: exampleIds.otherContact, take: ["email"] }] })
export type MergeRequest = typeof MergeRequest.Type

/** 409: these two cannot be merged; `reason` is the sentence that says why. */
export class UnmergeableContacts extends Schema.TaggedError<UnmergeableContacts>()("UnmergeableContacts", {
  reason: Schema.String
}) {}

type Merged = Pick<Contact, SingleField | "tags" | "optedIn">

/**
 * The fields of two contacts as one. What the contact that stays has not is taken from the other one; tags are those of both. `withdrew`: one of them does
 * not want messages any more, which then holds for both. A consent belongs to a number, so it is not carried over to another one.
 */
export const mergedFields = (
  stays: Merged,
  from: Merged,
  take: ReadonlyArray<SingleField>,
  withdrew: boolean
): Merged => {
  const isTaken = (field: SingleField) => from[field] !== null && (stays[field] === null || take.includes(field))
  const of = (field: SingleField) => (isTaken(field) ? from : stays)[field]
  const reached = isTaken("phone") ? from : stays
  return {
    ...{ phone: of("phone"), name: of("name"), email: of("email") },
    tags: [...new Set([...stays.tags, ...from.tags])],
    optedIn: reached.optedIn && !withdrew
  }
}

/** The contact that stays, before and after the merge. Both are the same when the other one had been merged already. */
export interface MergeResult {
  readonly before: Contact
  readonly after: Contact
}

export class ContactMerging extends Context.Service<
  ContactMerging,
  {
    /** Merges the contact of the request into `contactId`. A repeated request changes nothing. `by`: the id of the key or person, stored with consents. */
    readonly merge: (
      organizationId: string,
      contactId: string,
      request: MergeRequest,
      by: string
    ) => Effect.Effect<MergeResult, NoSuchContact | UnmergeableContacts>
  }
>()("parley/domain/ContactMerging") {}

/** Needs ContactMerging, Contacts and Audit once. The function it gives fails with NoSuchContact or UnmergeableContacts. */
export const makeMergeContacts = Effect.gen(function* () {
  const merging = yield* ContactMerging
  const contacts = yield* Contacts
  const audit = yield* Audit

  return traced("MergeContacts.merge")(function* (
    organizationId: string,
    contactId: string,
    request: MergeRequest,
    by: string
  ) {
    const known = yield* contacts.find(organizationId, request.contactId)
    // Nothing to record: the merge was made, and is asked for again.
    if (known?.id === contactId && request.contactId !== contactId) return known
    const { after } = yield* audit.recorded(
      organizationId,
      merging.merge(organizationId, contactId, request, by),
      (merged) => {
        const change = contactChange(merged.before, merged.after)
        return {
          action: "contact.merged",
          subjectId: contactId,
          before: change.before,
          after: { ...change.after, mergedId: request.contactId }
        }
      }
    )
    return after
  })
})

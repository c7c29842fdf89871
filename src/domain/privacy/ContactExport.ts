/** The export of a contact: one file with all data that the service has about the contact. It is made in the background and kept for a week. */
import { Context, type Effect, Schema, type Stream } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import { objectKey } from "../basics/ObjectStorage.ts"
import type { RefusedRow } from "../imports/Import.ts"
import type { Conversation } from "../messaging/conversations/Conversation.ts"
import type { ConversationNote } from "../messaging/conversations/ConversationNote.ts"
import type { Message } from "../messaging/conversations/Message.ts"
import type { Contact } from "../people/contacts/Contact.ts"
import type { ConsentEntry } from "../people/contacts/VoiceConsent.ts"

export const ContactExport = Schema.Struct({
  id: Schema.String,
  contactId: Schema.String,
  status: Schema.Literals(["queued", "completed", "failed"]),
  /** The API key or person who asked for it. */
  requestedBy: Schema.String,
  /** The size of the file; null before there is one. */
  sizeBytes: Schema.NullOr(Schema.Int),
  /** The sentence that says why the export failed. */
  error: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  completedAt: Schema.NullOr(Schema.String),
  /** When the file and this record are removed. */
  expiresAt: Schema.String
}).annotate({
  examples: [
    {
      id: exampleIds.contactExport,
      contactId: exampleIds.contact,
      status: "completed",
      requestedBy: exampleIds.owner,
      sizeBytes: 20_480,
      error: null,
      createdAt: "2026-11-23T10:00:00.000Z",
      completedAt: "2026-11-23T10:00:04.000Z",
      expiresAt: "2026-11-30T10:00:00.000Z"
    }
  ]
})
export type ContactExport = typeof ContactExport.Type

export const exportLifetimeMs = 7 * 86_400_000
/** An export has failed after this many attempts. */
export const mostExportAttempts = 5

/** The storage key of an export. Throws for ids that cannot be part of a key. */
export const exportKey = (organizationId: string, exportId: string) =>
  objectKey("exports", organizationId, `${exportId}.zip`)

export interface ExportJob {
  readonly organizationId: string
  readonly id: string
  readonly contactId: string
  readonly attempts: number
}

/** Port of the records of exports. Times are Unix milliseconds. */
export class ContactExports extends Context.Service<
  ContactExports,
  {
    /** Requests an export: gives the one that is queued already, or a new one. `undefined` when there is no such contact. */
    readonly request: (
      organizationId: string,
      contactId: string,
      by: string,
      now: number
    ) => Effect.Effect<ContactExport | undefined>
    /** The contact's newest export that has not expired. */
    readonly newest: (
      organizationId: string,
      contactId: string,
      now: number
    ) => Effect.Effect<ContactExport | undefined>
    /** Claims due jobs for `leaseMs`. */
    readonly claim: (now: number, leaseMs: number, most: number) => Effect.Effect<ReadonlyArray<ExportJob>>
    /** Extends the claim on a job that takes longer. */
    readonly extend: (job: ExportJob, until: number) => Effect.Effect<void>
    /** Marks a job as completed. False when the job does not exist any more: the contact was erased, and the caller must remove the file. */
    readonly completed: (job: ExportJob, sizeBytes: number, now: number) => Effect.Effect<boolean>
    /** Ends the claim; the job is due again at `dueAt`. */
    readonly postpone: (job: ExportJob, dueAt: number) => Effect.Effect<void>
    /** Marks a job as failed. `error` is a sentence. */
    readonly failed: (job: ExportJob, error: string) => Effect.Effect<void>
    /** At most `most` exports that have expired at `now`. */
    readonly expired: (
      now: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<Pick<ExportJob, "organizationId" | "id">>>
    readonly remove: (job: Pick<ExportJob, "organizationId" | "id">) => Effect.Effect<void>
  }
>()("parley/domain/ContactExports") {}

/** What a text agent keeps of a conversation. */
export interface ExportedThread {
  readonly conversationId: string
  readonly agentId: string | null
  readonly summary: string | null
  readonly summarizedUntil: string | null
  readonly reminder: string | null
  readonly remindAt: string | null
  readonly tools: ReadonlyArray<{
    readonly name: string
    readonly arguments: string
    readonly outcome: "ok" | "error" | null
    readonly result: string | null
    readonly startedAt: string
  }>
}

/** What a record is called at an integration: the contact, or one of its conversations. */
export interface ExportedLink {
  readonly provider: string
  readonly kind: string
  /** Our id, and theirs. */
  readonly id: string
  readonly externalId: string
  /** The fields of the contact as both sides had them last, where the integration tells us of changes. */
  readonly fields: unknown
  readonly updatedAt: string
}

/** What the contact has ordered, left in a cart, and was asked to pay, oldest first. Amounts are in the smallest unit of their currency. */
export interface ExportedPurchases {
  readonly orders: ReadonlyArray<unknown>
  readonly carts: ReadonlyArray<unknown>
  readonly payments: ReadonlyArray<unknown>
}

/** Port of the data that goes into an export. */
export class ContactDossier extends Context.Service<
  ContactDossier,
  {
    readonly contact: (organizationId: string, contactId: string) => Effect.Effect<Contact | undefined>
    /** The consents to voice calls and to messages, oldest first. */
    readonly consents: (
      organizationId: string,
      contact: Contact
    ) => Effect.Effect<{ readonly voice: ReadonlyArray<ConsentEntry>; readonly messaging: ReadonlyArray<ConsentEntry> }>
    readonly conversations: (organizationId: string, contactId: string) => Effect.Effect<ReadonlyArray<Conversation>>
    /** What was noted in the conversations, oldest first. */
    readonly notes: (organizationId: string, contactId: string) => Effect.Effect<ReadonlyArray<ConversationNote>>
    /** What text agents keep of the conversations: summaries, reminders, and the tools that they ran, oldest first. */
    readonly agentThreads: (organizationId: string, contactId: string) => Effect.Effect<ReadonlyArray<ExportedThread>>
    readonly purchases: (organizationId: string, contactId: string) => Effect.Effect<ExportedPurchases>
    /** What the contact and its conversations are called at integrations. */
    readonly links: (organizationId: string, contactId: string) => Effect.Effect<ReadonlyArray<ExportedLink>>
    /** Rows of imports with its number that wait or were refused. */
    readonly importRows: (organizationId: string, contact: Contact) => Effect.Effect<ReadonlyArray<RefusedRow>>
    /** All messages, oldest first, read page by page. */
    readonly messages: (organizationId: string, contactId: string) => Stream.Stream<Message>
    readonly mediaIds: (organizationId: string, contactId: string) => Effect.Effect<ReadonlyArray<string>>
    readonly callIds: (organizationId: string, contactId: string) => Effect.Effect<ReadonlyArray<string>>
  }
>()("parley/domain/ContactDossier") {}

/** A file in an archive. */
export interface ArchiveEntry<E = unknown> {
  readonly name: string
  readonly bytes: Stream.Stream<Uint8Array, E>
}

/** The archive could not be written, or an entry could not be read; trying again later may help. */
export class ArchiveFailed extends Schema.TaggedError<ArchiveFailed>()("ArchiveFailed", { message: Schema.String }) {}

/** Port that makes archives of files, which may be larger than memory. */
export class Archives extends Context.Service<
  Archives,
  {
    /** Writes the entries, one after the other, into an archive and passes it to `use`. The archive is removed when `use` ends. */
    readonly zip: <A, E, R>(
      entries: ReadonlyArray<ArchiveEntry>,
      use: (archive: {
        readonly size: number
        readonly bytes: Stream.Stream<Uint8Array, ArchiveFailed>
      }) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ArchiveFailed, R>
  }
>()("parley/domain/Archives") {}

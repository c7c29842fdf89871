/** Everything the service knows of one contact, as one file for whoever asks for it: made in the background, kept for a week. */
import { Context, type Effect, Schema, type Stream } from "effect"
import { objectKey } from "../basics/ObjectStorage.ts"
import type { Conversation } from "../messaging/conversations/Conversation.ts"
import type { Message } from "../messaging/conversations/Message.ts"
import type { Contact } from "../people/contacts/Contact.ts"
import type { ConsentEntry } from "../people/contacts/VoiceConsent.ts"

export const ContactExport = Schema.Struct({
  id: Schema.String,
  contactId: Schema.String,
  status: Schema.Literals(["queued", "completed", "failed"]),
  /** The API key or person who asked for it. */
  requestedBy: Schema.String,
  /** Of the file, when there is one. */
  sizeBytes: Schema.NullOr(Schema.Int),
  /** Why it failed, as a sentence. */
  error: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  completedAt: Schema.NullOr(Schema.String),
  /** Then the file and this record are removed. */
  expiresAt: Schema.String
})
export type ContactExport = typeof ContactExport.Type

export const exportLifetimeMs = 7 * 86_400_000
/** Attempts until an export has failed. */
export const mostExportAttempts = 5

/** Throws for ids that cannot be part of a key. */
export const exportKey = (organizationId: string, exportId: string) =>
  objectKey("exports", organizationId, `${exportId}.zip`)

export interface ExportJob {
  readonly organizationId: string
  readonly id: string
  readonly contactId: string
  readonly attempts: number
}

/** The records of exports. Times are Unix milliseconds. */
export class ContactExports extends Context.Service<
  ContactExports,
  {
    /** The one that is queued already, or a new one; `undefined` when there is no such contact. */
    readonly request: (
      organizationId: string,
      contactId: string,
      by: string,
      now: number
    ) => Effect.Effect<ContactExport | undefined>
    /** The contact's newest that has not expired. */
    readonly newest: (
      organizationId: string,
      contactId: string,
      now: number
    ) => Effect.Effect<ContactExport | undefined>
    /** Work that is due: now this worker's for `leaseMs`. */
    readonly claim: (now: number, leaseMs: number, most: number) => Effect.Effect<ReadonlyArray<ExportJob>>
    /** Holds on to a job that takes longer. */
    readonly extend: (job: ExportJob, until: number) => Effect.Effect<void>
    /** False when the job is not there any more: the contact was erased, and the file has to go. */
    readonly completed: (job: ExportJob, sizeBytes: number, now: number) => Effect.Effect<boolean>
    readonly postpone: (job: ExportJob, dueAt: number) => Effect.Effect<void>
    readonly failed: (job: ExportJob, error: string) => Effect.Effect<void>
    readonly expired: (
      now: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<Pick<ExportJob, "organizationId" | "id">>>
    readonly remove: (job: Pick<ExportJob, "organizationId" | "id">) => Effect.Effect<void>
  }
>()("parley/domain/ContactExports") {}

/** What goes into an export. */
export class ContactDossier extends Context.Service<
  ContactDossier,
  {
    readonly contact: (organizationId: string, contactId: string) => Effect.Effect<Contact | undefined>
    /** Of voice calls and of messages, oldest first. */
    readonly consents: (
      organizationId: string,
      contact: Contact
    ) => Effect.Effect<{ readonly voice: ReadonlyArray<ConsentEntry>; readonly messaging: ReadonlyArray<ConsentEntry> }>
    readonly conversations: (organizationId: string, contactId: string) => Effect.Effect<ReadonlyArray<Conversation>>
    /** Oldest first, a page at a time. */
    readonly messages: (organizationId: string, contactId: string) => Stream.Stream<Message>
    readonly mediaIds: (organizationId: string, contactId: string) => Effect.Effect<ReadonlyArray<string>>
    readonly callIds: (organizationId: string, contactId: string) => Effect.Effect<ReadonlyArray<string>>
  }
>()("parley/domain/ContactDossier") {}

/** A file of an archive. */
export interface ArchiveEntry<E = unknown> {
  readonly name: string
  readonly bytes: Stream.Stream<Uint8Array, E>
}

/** The archive could not be written, or an entry not be read; trying again later may help. */
export class ArchiveFailed extends Schema.TaggedError<ArchiveFailed>()("ArchiveFailed", { message: Schema.String }) {}

/** Port: archives of files, which may be larger than memory. */
export class Archives extends Context.Service<
  Archives,
  {
    /** Reads the entries one after the other; `use` gets the finished archive, which is gone when it has ended. */
    readonly zip: <A, E, R>(
      entries: ReadonlyArray<ArchiveEntry>,
      use: (archive: {
        readonly size: number
        readonly bytes: Stream.Stream<Uint8Array, ArchiveFailed>
      }) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ArchiveFailed, R>
  }
>()("parley/domain/Archives") {}

/** Ports of the store of imports: for who sends files and asks for their state, and for the worker. Times are Unix milliseconds. */
import { Context, type Effect, type Schema, type Stream } from "effect"
import type { Listed, Page, Part } from "../basics/Listing.ts"
import type { Actor } from "../people/access/Audit.ts"
import type { Import, ImportColumn, ImportKind, OnDuplicate, RefusedRow, TooManyImports } from "./Import.ts"

export interface NewImport {
  readonly kind: ImportKind
  readonly dryRun: boolean
  readonly onDuplicate: OnDuplicate
  readonly tags: ReadonlyArray<string>
  readonly fileName: string | null
  /** On whose behalf the records are made. */
  readonly actor: Actor
  readonly requestedBy: string
}

/** Whom a row is about, as far as it says so: an erasure of this person finds the row. */
export interface RowSubject {
  /** E.164, in its canonical form. */
  readonly phone: string | null
  /** In lower case. */
  readonly email: string | null
}

/** A row that waits for its turn, or one that was refused when it was read. */
export interface StagedRow {
  readonly number: number
  readonly subject: RowSubject
  /** What makes it the same record as another row; absent for a contact, whose number does that. */
  readonly key?: string
  /** What the file says, in the order of its columns. */
  readonly values: ReadonlyArray<string>
  /** What the row means, for who applies it; null for a refused row. */
  readonly input: Schema.Json
  readonly field: string | null
  readonly problem: string | null
}

export class Imports extends Context.Service<
  Imports,
  {
    readonly begin: (organizationId: string, given: NewImport, now: number) => Effect.Effect<Import, TooManyImports>
    /** Stores rows of a file that is still coming. False when the import is not there any more, or was canceled. */
    readonly stage: (
      organizationId: string,
      id: string,
      rows: ReadonlyArray<StagedRow>,
      now: number
    ) => Effect.Effect<boolean>
    /** The file is here: the rows may be worked off. `undefined` when the import is not there any more, or was canceled. */
    readonly start: (
      organizationId: string,
      id: string,
      columns: ReadonlyArray<ImportColumn>,
      now: number
    ) => Effect.Effect<Import | undefined>
    /** Removes the import with all its rows. What it has made stays. */
    readonly remove: (organizationId: string, id: string) => Effect.Effect<void>
    readonly find: (organizationId: string, id: string) => Effect.Effect<Import | undefined>
    readonly list: (organizationId: string, part: Part) => Effect.Effect<Listed<Import>>
    /** Removes the rows that wait. "over": it had ended before; `undefined`: there is no such import. */
    readonly cancel: (organizationId: string, id: string, now: number) => Effect.Effect<Import | "over" | undefined>
    /** One page of the refused rows, in the order of the file. */
    readonly refused: (
      organizationId: string,
      id: string,
      page: number,
      limit: number
    ) => Effect.Effect<Page<RefusedRow>>
    /** All refused rows, in the order of the file. */
    readonly everyRefused: (organizationId: string, id: string) => Stream.Stream<RefusedRow>
  }
>()("parley/domain/Imports") {}

/** What became of a row. */
export type RowOutcome =
  | { readonly _tag: "Created" | "Updated" | "Skipped" }
  | { readonly _tag: "Refused"; readonly field: string | null; readonly problem: string }

export interface WaitingRow {
  readonly number: number
  readonly input: Schema.Json
}

/** An import at work. */
export interface ImportJob extends NewImport {
  readonly organizationId: string
  readonly id: string
}

export interface DueImport {
  readonly organizationId: string
  readonly id: string
  /** Nothing is to be done but to remove it. */
  readonly expired: boolean
}

export class ImportQueue extends Context.Service<
  ImportQueue,
  {
    /** Imports that have work at `now`: of each organization the oldest one, first those that have waited longest. At most `most`, and so many expired ones. */
    readonly due: (now: number, most: number) => Effect.Effect<ReadonlyArray<DueImport>>
    /**
     * Applies the next rows, at most `most`, in one transaction with the record of their outcomes: after a crash no row is applied twice, and none is
     * left out. `apply` gives an outcome for each row, in order. Gives how many rows it had; `undefined` when there was nothing to do, or somebody
     * else does it.
     */
    readonly advance: (
      due: Pick<DueImport, "organizationId" | "id">,
      most: number,
      apply: (job: ImportJob, rows: ReadonlyArray<WaitingRow>) => Effect.Effect<ReadonlyArray<RowOutcome>>,
      now: number
    ) => Effect.Effect<number | undefined>
    /** Of these rows of a dry run, the numbers of those whose key, or phone number of a contact, an earlier row has. */
    readonly repeated: (
      organizationId: string,
      id: string,
      numbers: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlySet<number>>
    /** Records a failed attempt: the next one is at `dueAt`. After the last attempt the import has failed, with the sentence `error`. */
    readonly stumbled: (
      due: Pick<DueImport, "organizationId" | "id">,
      dueAt: number,
      error: string,
      now: number
    ) => Effect.Effect<void>
  }
>()("parley/domain/ImportQueue") {}

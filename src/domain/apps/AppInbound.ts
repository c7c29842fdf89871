/**
 * How a provider tells us of its records: by webhooks, which arrive at an address of the connection, and by pages that we ask for. Both become
 * `AppRecord`s. Times are Unix milliseconds.
 */
import { Data, type Effect } from "effect"
import type { AppRecord, AppRecordTag } from "./AppRecord.ts"
import type { AppFailure, AppSession } from "./AppSession.ts"

/** A request at the address of a connection, as it came. */
export interface AppRequest {
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The public address that was asked, with its query: some providers sign it. */
  readonly url: string
}

/** One event of the provider. It is stored before the provider has its answer, and read afterwards. */
export interface AppArrival {
  /** The provider's id of the event: the same twice is one. */
  readonly id: string
  /** What it is about, in the provider's words: `orders/create`. The newest of each topic is shown. */
  readonly topic: string
  /** The record that it is about: arrivals of a lane are read one after the other. */
  readonly lane: string
  /** When it happened there, if it says so. */
  readonly at: number | null
  /** What `read` needs. */
  readonly payload: string
}

/** The request is not the provider's (401), or not what the provider sends (400). The sentence is the answer. */
export class AppRejection extends Data.TaggedError("AppRejection")<{
  readonly status: 400 | 401 | 403
  readonly message: string
}> {}

/** What a request says. Without `answer` it is answered 200. */
export interface AppHeard {
  readonly arrivals: ReadonlyArray<AppArrival>
  /** What the provider wants to hear, e.g. of a hand-shake. */
  readonly answer?: { readonly status: number; readonly contentType: string; readonly body: string }
  /** What was learned, e.g. a token of verification: it is stored over the credentials before the answer. */
  readonly learned?: Readonly<Record<string, string>>
}

export interface AppInbound {
  /**
   * Checks that the provider sent this, by its signature over the raw body in constant time, and gives what it says. `session.ask` reaches the provider,
   * but the provider waits for our answer meanwhile.
   */
  readonly verify: (
    session: AppSession,
    request: AppRequest,
    now: number
  ) => Effect.Effect<AppHeard, AppRejection | AppFailure>
  /** What an arrival says of records. It may ask the provider for more. A payload that nobody understands is a `give_up`. */
  readonly read: (
    session: AppSession,
    arrival: AppArrival,
    now: number
  ) => Effect.Effect<ReadonlyArray<AppRecord>, AppFailure>
  /** The credential that a person has to paste back at the provider, which has sent it to the address. It is shown to those who connect. */
  readonly pasted?: string
  /**
   * Registers the address at the provider, when a connection is made or changed, and gives credentials to store with it (a signing secret). What is
   * registered already stays. Absent: a person registers it.
   */
  readonly subscribe?: (
    session: AppSession,
    webhookUrl: string,
    now: number
  ) => Effect.Effect<Readonly<Record<string, string>>, AppFailure>
  /** Ends what `subscribe` has registered, when the connection is removed. */
  readonly unsubscribe?: (session: AppSession, webhookUrl: string) => Effect.Effect<void, AppFailure>
}

export interface PullRequest {
  readonly kind: AppRecordTag
  /** Records that changed since then; null: all. It is when the last complete pull began: the adapter goes back further if edit times are rounded. */
  readonly since: number | null
  /** Where the page before ended; null: the first page. */
  readonly cursor: string | null
}

export interface PulledPage {
  readonly records: ReadonlyArray<AppRecord>
  /** Null: this was the last page. */
  readonly cursor: string | null
  /** Nothing is asked before so many milliseconds have passed: the provider prepares the rest. */
  readonly waitMs?: number
}

export interface AppPull {
  /** The kinds that can be pulled, in the order in which they are. */
  readonly kinds: ReadonlyArray<AppRecordTag>
  readonly page: (session: AppSession, request: PullRequest, now: number) => Effect.Effect<PulledPage, AppFailure>
  /** How long after a pull the next one begins, by itself: polling, or nightly reconciliation. Absent: only on request. */
  readonly everyMs?: number
}

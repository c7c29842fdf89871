/**
 * The pulls of connections: for each kind of records, how far it was pulled, and when the next page is due. The kinds of a connection are pulled one after
 * the other, by one worker at a time. Times are Unix milliseconds.
 */
import { Context, type Effect } from "effect"
import type { FairWork } from "../basics/FairWork.ts"
import type { StoredConnection } from "./AppConnection.ts"
import type { AppPull, PullRequest } from "./AppInbound.ts"
import type { HeardEntry } from "./HeardLog.ts"
import type { SyncOutcome } from "./SyncVerdict.ts"

export interface PullClaim {
  readonly connection: StoredConnection
  readonly request: PullRequest
  /** How often pages of it were claimed, with this time. */
  readonly claims: number
  /** How often this page failed. */
  readonly failures: number
}

/** What became of a page: its place, or (`undefined`) nothing, and the outcome says why. */
export interface PullResult {
  readonly page: { readonly cursor: string | null; readonly records: number; readonly waitMs: number } | undefined
  readonly outcome: SyncOutcome
  readonly exchanges: ReadonlyArray<HeardEntry>
}

export class PullQueue extends Context.Service<
  PullQueue,
  {
    /**
     * Starts pulls of all kinds. `all`: of all records, and what was stopped goes on; `changed`: of those that changed since the last complete pull, unless
     * one is under way.
     */
    readonly start: (
      organizationId: string,
      connectionId: string,
      pull: AppPull,
      what: "all" | "changed",
      now: number
    ) => Effect.Effect<void>
    /** Stops the pulls that are under way. */
    readonly stop: (organizationId: string, connectionId: string) => Effect.Effect<void>
    /** Sees to it that a connection whose provider is asked from time to time is. What was there before is not asked for. */
    readonly keepUp: (organizationId: string, connectionId: string, pull: AppPull, now: number) => Effect.Effect<void>
    /** Connections with a due page; each is a lane. */
    readonly due: FairWork["due"]
    /** Claims the next page of a connection for `leaseMs`. */
    readonly claim: (
      organizationId: string,
      connectionId: string,
      now: number,
      leaseMs: number
    ) => Effect.Effect<PullClaim | undefined>
    /** Stores what became of a page. It changes nothing when another process has claimed it meanwhile. */
    readonly settle: (claim: PullClaim, result: PullResult, now: number) => Effect.Effect<void>
  }
>()("parley/domain/PullQueue") {}

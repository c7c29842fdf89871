/**
 * How a process takes the place of another one, and how it leaves its place to the next, so that neither callers nor clients notice. The two of them
 * hear of each other through their parent (`cli/process/reload`).
 */
import type { Effect } from "effect"
import type { ListenFailed, OpenPort } from "../http/server/UwsHttpServer.ts"

/** What becomes of the calls of a process that leaves its place: the next goes on with them, or they come to their end first. */
export type CallsThen = "go on" | "end"

export interface Place {
  /** Another process is in it, which this one is to follow. */
  readonly isTaken: boolean
  /**
   * Waits until this process may do what the one before it did: own conversations, take calls, work. Meanwhile it may be asked to open the port, where
   * requests then wait. Gives the port, if it was. It completes at once in a process that takes nobody's place.
   */
  readonly take: <R>(
    open: Effect.Effect<OpenPort, ListenFailed, R>
  ) => Effect.Effect<OpenPort | undefined, ListenFailed, R>
  /** Tells that this process does nothing of that any more. */
  readonly given: Effect.Effect<void>
  /** Completes when this process is to leave its place. */
  readonly asked: Effect.Effect<CallsThen>
  /** Has its clients come again over other connections, for a moment: none should be in the middle of one when this process ends. */
  readonly sendAway: Effect.Effect<void>
  readonly closesConnections: () => boolean
  /** Tells that its calls can be left now. Completes when it is to end, since its clients are let in by others. */
  readonly leaves: Effect.Effect<void>
  /** Completes when it is to stay after all. */
  readonly stays: Effect.Effect<void>
  /** Ends the process in order, without a drain. */
  readonly end: Effect.Effect<void>
}

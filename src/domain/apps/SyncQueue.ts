/**
 * The queue of changes for integrations, for the workers. Many may run: a claim keeps its tasks from other workers until its lease ends. The tasks of a
 * contact are sent one after the other, in the order of the event log. Times are Unix milliseconds.
 */
import { Context, type Effect } from "effect"
import type { FairWork } from "../basics/FairWork.ts"
import type { Contact } from "../people/contacts/Contact.ts"
import type { Plan } from "../people/organizations/Organization.ts"
import type { AppLink, AppTrigger } from "./AppAdapter.ts"
import type { StoredConnection } from "./AppConnection.ts"
import type { AppProvider } from "./Catalogue.ts"
import type { Exchange } from "./Exchange.ts"
import type { SyncOutcome } from "./SyncVerdict.ts"

export interface ClaimedTask {
  readonly id: string
  readonly trigger: AppTrigger
  readonly contactId: string
  /** The contact, or the conversation of `conversation.resolved` and `call.ended`. */
  readonly subjectId: string
  /** How often it was claimed, with this time. */
  readonly claims: number
  /** How often it failed. */
  readonly failures: number
  /** The contact as it was when the task was claimed: after every change that is no task of its own. Undefined: it was erased. */
  readonly contact: Contact | undefined
  /** What the contact and its conversation are called at the provider. */
  readonly links: ReadonlyArray<AppLink>
}

/** How many tasks may be claimed: `most`, and so many `atOnce` of a provider, of which `busy` run here already. */
export interface SyncRoom {
  readonly most: number
  readonly busy: number
  readonly atOnce: Readonly<Record<AppProvider, number>>
}

export interface SyncClaim {
  readonly connection: StoredConnection
  readonly tasks: ReadonlyArray<ClaimedTask>
}

/** The outcome of an attempt, with the new links and what was said. `gone`: there is nothing to tell any more. */
export interface SyncResult {
  readonly outcome: SyncOutcome | "gone"
  readonly links: ReadonlyArray<AppLink>
  readonly exchanges: ReadonlyArray<Exchange>
}

export class SyncQueue extends Context.Service<
  SyncQueue,
  {
    /** Those of these organizations (`undefined`: of all) that have events from which no tasks were made yet. */
    readonly behind: (organizations: ReadonlyArray<string> | undefined) => Effect.Effect<ReadonlyArray<string>>
    /**
     * Makes tasks of the next events, once for each connection. `told`: the providers that are told anything, by the plan of the organization; others pass
     * the events. A change of a contact that already waits is not added again. True: there may be more.
     */
    readonly fanOut: (
      organizationId: string,
      told: Readonly<Record<Plan, ReadonlyArray<AppProvider>>>,
      now: number
    ) => Effect.Effect<boolean>
    /** Connections with due tasks; each is a lane. */
    readonly due: FairWork["due"]
    /** Claims due tasks of a connection for `leaseMs`. */
    readonly claim: (
      organizationId: string,
      connectionId: string,
      now: number,
      leaseMs: number,
      room: SyncRoom
    ) => Effect.Effect<SyncClaim | undefined>
    /** Stores the result of an attempt. It changes nothing when another process has claimed the task meanwhile. */
    readonly settle: (
      connection: StoredConnection,
      task: ClaimedTask,
      result: SyncResult,
      now: number
    ) => Effect.Effect<void>
    /** Makes tasks of the next contacts of running back-fills, while few wait. */
    readonly fill: (now: number) => Effect.Effect<void>
  }
>()("parley/domain/SyncQueue") {}

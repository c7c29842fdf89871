/** The recipient of a message, and the conversation in which it is written. */
import { Context, type Effect } from "effect"
import type { SendTo } from "./SendRequest.ts"

export interface Recipient {
  /** `undefined`: no contact has this number. `optedOut` then comes from the ledger alone. */
  readonly contactId: string | undefined
  /** E.164, canonical; null for a contact that only its channel knows. */
  readonly phone: string | null
  /** Whether the newest entry on messages in the ledger of consents withdraws the consent. */
  readonly optedOut: boolean
  /** The newest unresolved conversation on the messaging channel, when there is one. */
  readonly conversationId: string | undefined
}

export class Recipients extends Context.Service<
  Recipients,
  {
    /** Finds the recipient; `undefined` for an id that no contact has. */
    readonly find: (organizationId: string, to: SendTo) => Effect.Effect<Recipient | undefined>
    /**
     * The id of the conversation to write in. Creates the contact and the conversation when they are missing; `undefined` for an id that no contact
     * has. Name a known contact by its id.
     */
    readonly open: (organizationId: string, to: SendTo) => Effect.Effect<string | undefined>
  }
>()("parley/domain/Recipients") {}

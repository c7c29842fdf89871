/** Whom a message goes to, and in which conversation it is written. */
import { Context, type Effect } from "effect"
import type { SendTo } from "./SendRequest.ts"

export interface Recipient {
  /** `undefined`: the number is no contact's, and what is told of it is what the ledger says. */
  readonly contactId: string | undefined
  /** E.164, canonical; null for a contact that only its channel knows. */
  readonly phone: string | null
  /** The last word about messages in the ledger of consents is that they are not wanted. */
  readonly optedOut: boolean
  /** The newest unresolved one on the messaging channel, when there is one. */
  readonly conversationId: string | undefined
}

export class Recipients extends Context.Service<
  Recipients,
  {
    /** `undefined` for an id that no contact has. */
    readonly find: (organizationId: string, to: SendTo) => Effect.Effect<Recipient | undefined>
    /**
     * The conversation to write in, made with its contact where they are missing; `undefined` for an id that no contact has. A contact that is
     * known is best given by its id.
     */
    readonly open: (organizationId: string, to: SendTo) => Effect.Effect<string | undefined>
  }
>()("parley/domain/Recipients") {}

/** Port: who answers a called number. Asked for every call that comes. */
import { Context, type Effect } from "effect"
import type { Organization } from "../../people/organizations/Organization.ts"
import type { VoiceAgent } from "../agents/VoiceAgent.ts"

export interface Called {
  /** Undefined: there is none (any more). */
  readonly organization: Organization | undefined
  /** Undefined: the number is unknown or unassigned. */
  readonly agent: VoiceAgent | undefined
}

export class CalledNumbers extends Context.Service<
  CalledNumbers,
  {
    /** As they are now: what was saved before the call came counts. The same objects again as long as nothing has changed. */
    readonly find: (organizationId: string, phone: string) => Effect.Effect<Called>
  }
>()("parley/domain/CalledNumbers") {}

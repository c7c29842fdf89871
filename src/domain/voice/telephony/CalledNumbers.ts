/** Port: finds the organization and the agent behind a called number. It is asked once for every inbound call. */
import { Context, type Effect } from "effect"
import type { Organization } from "../../people/organizations/Organization.ts"
import type { VoiceAgent } from "../agents/VoiceAgent.ts"

export interface Called {
  /** Undefined: the organization does not exist (any more). */
  readonly organization: Organization | undefined
  /** Undefined: the number is unknown or unassigned. */
  readonly agent: VoiceAgent | undefined
}

export class CalledNumbers extends Context.Service<
  CalledNumbers,
  {
    /** The current state: everything saved before the call counts. While nothing changes, each answer has the same objects. */
    readonly find: (organizationId: string, phone: string) => Effect.Effect<Called>
  }
>()("parley/domain/CalledNumbers") {}

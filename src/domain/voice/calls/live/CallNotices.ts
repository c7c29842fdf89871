/** Port of the notices to running calls: what happens outside of a call that its agent waits for, like a payment. */
import { Context, type Effect } from "effect"
import type { CallNotice } from "../../engine/CallNotice.ts"

export class CallNotices extends Context.Service<
  CallNotices,
  {
    /** The notices behind this position, in their order; at most 20. */
    readonly after: (
      organizationId: string,
      callId: string,
      position: number
    ) => Effect.Effect<ReadonlyArray<CallNotice>>
    /** For a call that comes back to its agent: the position of the newest notice from before `until` (Unix milliseconds); undefined when none will come. */
    readonly toldUntil: (organizationId: string, callId: string, until: number) => Effect.Effect<number | undefined>
  }
>()("parley/domain/CallNotices") {}

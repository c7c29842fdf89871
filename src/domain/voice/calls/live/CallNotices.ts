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
  }
>()("parley/domain/CallNotices") {}

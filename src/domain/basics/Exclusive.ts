/** Port of a lock across processes: one request at a time changes what an organization has in another service, where no transaction reaches. */
import { Context, type Effect, Schema } from "effect"

/** Another request held the lock for too long, or changed the same thing at the same time. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", { name: Schema.String }) {}

export class Exclusive extends Context.Service<
  Exclusive,
  {
    /**
     * Waits until no process runs an effect of the same organization and name, then runs `effect`; fails with `Busy`. The lock of a process that
     * died ends after some seconds. So after a long freeze two effects may run at once: each step must be safe to repeat.
     */
    readonly run: (
      organizationId: string,
      name: string
    ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Busy, R>
  }
>()("parley/domain/Exclusive") {}

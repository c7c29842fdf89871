/** Port: one at a time. What an organization changes outside, where no transaction reaches, is changed by one request after the other. */
import { Context, type Effect, Schema } from "effect"

/** Somebody else has been at it for too long, or was at it at the same time. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", { name: Schema.String }) {}

export class Exclusive extends Context.Service<
  Exclusive,
  {
    /**
     * Runs `effect` while nobody else, in no process, runs one of the same organization and name; waits for its turn. A process that
     * dies holds its turn for some seconds only, so after a long freeze two may run at once: each step must bear being done twice.
     */
    readonly run: (
      organizationId: string,
      name: string
    ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Busy, R>
  }
>()("parley/domain/Exclusive") {}

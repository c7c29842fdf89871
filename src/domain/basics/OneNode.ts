/** Port for work that only one node of the cluster does at a time. The other nodes skip it. */
import { Context, type Effect, type Option } from "effect"

export class OneNode extends Context.Service<
  OneNode,
  {
    /**
     * Runs the effect, or gives `None` at once while another node runs one of this name. A node that dies frees the name. When a node loses its
     * connection to the others, a second one may start the same work: the effect must be safe to run twice.
     */
    readonly run: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<A>, E, R>
  }
>()("parley/domain/OneNode") {}

/** Work that one node at a time does for all: the others do without. */
import { Context, type Effect, type Option } from "effect"

export class OneNode extends Context.Service<
  OneNode,
  {
    /**
     * Runs the effect unless another node is at it: then it is `None` at once. A node that dies frees the name. Should a node lose sight of
     * the others in the middle, a second one may begin: what runs here must bear that.
     */
    readonly run: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<A>, E, R>
  }
>()("parley/domain/OneNode") {}

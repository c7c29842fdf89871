/**
 * Marks a route that reads its body as a stream, whatever its type: nobody may read it whole before, to look for unknown fields or to compare it with
 * that of an earlier request. `.annotateMerge(streamedBody)` beside its payload.
 */
import { Context } from "effect"

const StreamedBody = Context.Reference<boolean>("parley/http/StreamedBody", { defaultValue: () => false })

/** The annotation. */
export const streamedBody = Context.make(StreamedBody, true)

export const isStreamed = ({ annotations }: { readonly annotations: Context.Context<never> }): boolean =>
  Context.get(annotations, StreamedBody)

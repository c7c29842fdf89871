/** Marks a route whose fields may all be left out: it takes requests without a body. `.annotateMerge(optionalBody)` beside its payload. */
import { Context } from "effect"
import { OpenApi } from "effect/http-api"

const OptionalBody = Context.Reference<boolean>("parley/http/OptionalBody", { defaultValue: () => false })

/** The annotation. `/openapi.json` says that the body is not required. */
export const optionalBody = Context.add(
  OpenApi.annotations({
    transform: (operation) => ({ ...operation, requestBody: { ...operation.requestBody, required: false } })
  }),
  OptionalBody,
  true
)

export const bodyMayBeAbsent = ({ annotations }: { readonly annotations: Context.Context<never> }): boolean =>
  Context.get(annotations, OptionalBody)

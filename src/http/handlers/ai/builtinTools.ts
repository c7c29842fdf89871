import { Effect } from "effect"
import { BuiltinTools, shownBuiltin } from "../../../domain/ai/tools/BuiltinTools.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"

/** Needs BuiltinTools. Every organization sees the same. */
export const layer = group(
  AppApi,
  "builtinTools",
  Effect.fn(function* (handlers) {
    const { tools } = yield* BuiltinTools
    const data = tools.map(shownBuiltin)
    return handlers.handleAll({ list: () => Effect.succeed({ data }) })
  })
)

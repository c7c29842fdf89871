import { Effect } from "effect"
import { FlagGates, flagNames } from "../../../domain/operators/FlagGate.ts"
import { makeSetFlagGate } from "../../../domain/operators/SetFlagGate.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { NotFound } from "../../wire/Errors.ts"

/** Needs FlagGates and InstallationLog. */
export const layer = group(
  AppApi,
  "operatorFlags",
  Effect.fn(function* (handlers) {
    const gates = yield* FlagGates
    const setGate = yield* makeSetFlagGate
    return handlers.handleAll({
      list: () => Effect.map(gates.list, (data) => ({ data })),
      set: Effect.fnUntraced(function* ({ params, payload: { reason, ...percent } }) {
        const flag = flagNames.find((name) => name === params.flag)
        if (flag === undefined)
          return yield* new NotFound({ error: `There is no such flag. There are ${flagNames.join(" and ")}.` })
        return { data: yield* setGate(flag, percent, reason) }
      })
    })
  })
)

/** Use case: open or close the gate of a flag. */
import { Clock, Effect } from "effect"
import { traced } from "../basics/Traced.ts"
import { changedFields } from "../people/access/Audit.ts"
import type { FlagName } from "../people/organizations/ManageOrganization.ts"
import { FlagGates, type Stage } from "./FlagGate.ts"
import { InstallationLog } from "./InstallationLog.ts"

/** Needs FlagGates and InstallationLog once; the function it gives needs nothing. */
export const makeSetFlagGate = Effect.gen(function* () {
  const gates = yield* FlagGates
  const log = yield* InstallationLog

  const gateOf = (flag: FlagName) =>
    Effect.map(gates.list, (all) => {
      const { staging, production } = all.find((gate) => gate.flag === flag) ?? { staging: 100, production: 100 }
      return { staging, production }
    })

  return traced("SetFlagGate")(function* (flag: FlagName, wanted: Readonly<Record<Stage, number>>, reason: string) {
    const before = yield* gateOf(flag)
    yield* log.recorded(gates.set(flag, wanted, yield* Clock.currentTimeMillis), () => ({
      type: "flag.gated",
      subjectId: flag,
      details: changedFields(before, { staging: wanted.staging, production: wanted.production }),
      reason
    }))
    return yield* gates.list
  })
})

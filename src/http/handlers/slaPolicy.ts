import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Audit } from "../../domain/Audit.ts"
import { Organizations } from "../../domain/Organization.ts"
import { AppApi } from "../Api.ts"
import { NotFound } from "../Errors.ts"
import { requireScope } from "../middleware/Authorization.ts"

/** Needs Organizations and Audit. */
export const layer = HttpApiBuilder.group(
  AppApi,
  "slaPolicy",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const audit = yield* Audit

    const existing = Effect.fnUntraced(function* (organizationId: string) {
      const organization = yield* organizations.find(organizationId)
      return organization ?? (yield* new NotFound({ error: "This organization no longer exists." }))
    })

    return handlers.handleAll({
      get: Effect.fn("slaPolicy.get")(function* () {
        const { organizationId } = yield* requireScope("conversations:read")
        const { slaPolicy } = yield* existing(organizationId)
        return { slaPolicy }
      }),
      set: Effect.fn("slaPolicy.set")(function* ({ payload: { slaPolicy } }) {
        const { organizationId } = yield* requireScope("admin")
        const before = yield* existing(organizationId)
        yield* audit.recorded(organizationId, organizations.setSlaPolicy(organizationId, slaPolicy), () => ({
          action: "organization.sla_policy_changed",
          subjectId: organizationId,
          before: { slaPolicy: before.slaPolicy },
          after: { slaPolicy }
        }))
        return { slaPolicy }
      })
    })
  })
)

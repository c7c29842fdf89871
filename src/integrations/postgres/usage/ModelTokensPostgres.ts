import { Effect, Layer } from "effect"
import { ModelTokens } from "../../../domain/ai/providers/ModelTokens.ts"
import { dayAt } from "../../../domain/basics/Calendar.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { addUsage, tokensSince } from "../messaging/agents/AiTokens.ts"
import { makeSql } from "../tenancy/Sql.ts"

export const layer = Layer.effect(
  ModelTokens,
  Effect.map(makeSql, ({ sql, asTenant }) =>
    ModelTokens.of({
      thisMonth: traced("ModelTokens.thisMonth")(
        (organizationId, timeZone, now) =>
          asTenant(organizationId)(tokensSince(sql, `${dayAt(now, timeZone).slice(0, 7)}-01`)),
        Effect.orDie
      ),
      spend: traced("ModelTokens.spend")(
        (organizationId, agentId, usage, now) =>
          usage.length === 0
            ? Effect.void
            : asTenant(organizationId)(addUsage(sql, organizationId, agentId, usage, now)),
        Effect.orDie
      )
    })
  )
)

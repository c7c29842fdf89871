/** `parley demo --dashboard`: the dashboard of a living organization, at once. Somebody phones every minute. */
import { Console, Effect } from "effect"
import type { Settings } from "../../config/Environment.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { aboutCalls, keepRunning, speaks } from "./converse.ts"
import { lines } from "./dialogue.ts"
import { furnish, keepAlive, sayHowToSignIn } from "./living.ts"
import { setStage } from "./stage.ts"

export const dashboard = traced("Demo.dashboard")(function* (settings: Settings) {
  yield* Console.log("Starting PostgreSQL, the service and the world around it …")
  const stage = yield* setStage(settings, lines)
  const { baseUrl, world, tenant } = stage
  const living = { baseUrl, organizationId: tenant.organizationId, channel: world.channel }
  const furnished = yield* furnish(living).pipe(Effect.provide(stage.services))
  yield* sayHowToSignIn(baseUrl, furnished)
  yield* keepAlive(living, furnished, stage.call(speaks(stage, ["hours", "order", "thanks"]), "+14155550101"))
  yield* keepRunning({ baseUrl, key: tenant.key }, aboutCalls(tenant.agentId))
})

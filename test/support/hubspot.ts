/** Organizations that are connected to a simulated HubSpot. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../../simulators/crm/HubSpot.ts"
import { startAppsWith } from "./apps.ts"

/** Lives as long as the scope. */
export const startHubSpot = Effect.gen(function* () {
  const hubspot = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  hubspot.tokens.privateApps.add("pat-na1-the-token-of-a-private-app")
  const apps = yield* startAppsWith({ hubspot: hubspot.url })
  const connectHubSpot = async (as: Parameters<typeof apps.call>[0], settings: object = {}) => {
    const given = { credentials: { accessToken: "pat-na1-the-token-of-a-private-app" }, settings }
    const { status, body } = await apps.call(as, "PUT", "/hubspot", given)
    assert.strictEqual(status, 200, JSON.stringify(body))
  }
  return { ...apps, hubspot, connectHubSpot }
})
export type WithHubSpot = Effect.Success<typeof startHubSpot>

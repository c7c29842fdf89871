/** Organizations that are connected to a simulated Salesforce. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../../simulators/crm/Salesforce.ts"
import { startAppsWith } from "./apps.ts"
import { authorize, redirectUri } from "./authorize.ts"

/** Lives as long as the scope. */
export const startSalesforce = Effect.gen(function* () {
  const salesforce = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const apps = yield* startAppsWith({ salesforce: salesforce.url })
  const connectSalesforce = async (as: Parameters<typeof apps.call>[0], settings?: object) => {
    const agreed = await authorize(apps, as, "salesforce", (asked) => {
      assert.deepInclude(Object.fromEntries(asked), { response_type: "code", code_challenge_method: "S256" })
      return { code: salesforce.tokens.agree(redirectUri, String(asked.get("code_challenge"))) }
    })
    assert.strictEqual(agreed.status, 200, agreed.text)
    if (settings === undefined) return
    const { status, body } = await apps.call(as, "PUT", "/salesforce", { settings })
    assert.strictEqual(status, 200, JSON.stringify(body))
  }
  return { ...apps, salesforce, connectSalesforce }
})
export type WithSalesforce = Effect.Success<typeof startSalesforce>

/** Organizations that are connected to a simulated Zoho CRM in a data centre in Europe; the operator's client begins at one elsewhere. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../../simulators/crm/ZohoCrm.ts"
import { startAppsWith } from "./apps.ts"
import { authorize, redirectUri } from "./authorize.ts"

/** Lives as long as the scope. */
export const startZoho = Effect.gen(function* () {
  const dataCentre = Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const [america, zoho] = [yield* dataCentre, yield* dataCentre]
  const apps = yield* startAppsWith({ zoho: america.url, zohoElsewhere: zoho.url })
  const connectZoho = async (as: Parameters<typeof apps.call>[0], settings?: object) => {
    const agreed = await authorize(apps, as, "zoho_crm", () => ({
      ...{ code: zoho.tokens.agree(redirectUri), location: "eu", "accounts-server": zoho.url }
    }))
    assert.strictEqual(agreed.status, 200, agreed.text)
    if (settings === undefined) return
    const { status, body } = await apps.call(as, "PUT", "/zoho_crm", { settings })
    assert.strictEqual(status, 200, JSON.stringify(body))
  }
  return { ...apps, america, zoho, connectZoho }
})
export type WithZoho = Effect.Success<typeof startZoho>

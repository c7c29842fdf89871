/** Connecting an integration over REST: plans, credentials that are never shown, the audit log. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Apps, signingSecret, startApps } from "../../../support/apps.ts"

const story = (name: string, tell: (apps: Apps) => Promise<void>) =>
  it.live(name, () => Effect.scoped(Effect.flatMap(startApps, (apps) => Effect.promise(() => tell(apps)))))

const given = (url: string) => ({ settings: { url, mapping: { name: "full_name" } }, credentials: { signingSecret } })

describe("an integration", () => {
  story(
    "is connected, changed, switched and removed, and its secret is never shown",
    async ({ tenant, call, receiver }) => {
      const us = await tenant()
      const url = `${receiver.url}/crm`
      const made = await call(us, "PUT", "/webhook", given(url))
      assert.strictEqual(made.status, 200)
      assert.deepInclude(made.body.connection, {
        ...{ enabled: true, state: "connected", secrets: ["signingSecret"], problem: null },
        account: { id: new URL(url).host, name: new URL(url).host }
      })
      const tried = await call(us, "POST", "/webhook/test")
      assert.deepStrictEqual(tried.body, { ok: true, problem: null })
      assert.deepInclude(JSON.parse(receiver.received[0].body), { type: "integration.test" })
      // Without the secret, for the same host: it stays.
      const changed = await call(us, "PUT", "/webhook", { settings: { url: `${url}/2` } })
      assert.deepInclude(changed.body.connection, { settings: { url: `${url}/2` }, secrets: ["signingSecret"] })
      const off = await call(us, "POST", "/webhook/disable")
      assert.deepInclude(off.body.connection, { enabled: false })
      const on = await call(us, "POST", "/webhook/enable")
      assert.deepInclude(on.body.connection, { enabled: true })
      const list = await call(us, "GET", "")
      const removed = await call(us, "DELETE", "/webhook")
      assert.deepStrictEqual(removed.body, { disconnected: true })
      assert.strictEqual((await call(us, "POST", "/webhook/test")).status, 404)
      const audit = await call(us, "GET", "/api/audit-log")
      const actions = (audit.body.data as ReadonlyArray<{ action: string }>).map(({ action }) => action)
      assert.includeMembers(actions, [
        ...["integration.connected", "integration.changed", "integration.disabled"],
        ...["integration.enabled", "integration.removed"]
      ])
      assert.notInclude(JSON.stringify([made, changed, list, audit]), signingSecret.slice(6))
    }
  )

  story("needs the Pro plan, the scope admin, and a name of the catalogue", async ({ tenant, call, world }) => {
    const small = await tenant({ plan: "STARTER" })
    const refused = await call(small, "PUT", "/webhook", given("https://maplebooks.example/crm"))
    assert.strictEqual(refused.status, 403)
    assert.match(String(refused.body.error), /Integrations need the Pro plan/)
    const shown = await call(small, "GET", "/webhook")
    assert.match(String(shown.body.refusal), /Integrations need the Pro plan/)
    assert.strictEqual((await call(small, "GET", "/sugar")).status, 404)
    assert.strictEqual((await call(small, "DELETE", "/webhook")).status, 404)
    assert.strictEqual((await world.call("GET", "/api/integrations", undefined, "mk_nobody")).status, 401)
  })

  story("of one organization is invisible to others", async ({ tenant, call, receiver }) => {
    const [us, them] = [await tenant(), await tenant()]
    await call(us, "PUT", "/webhook", given(`${receiver.url}/crm`))
    assert.isNull((await call(them, "GET", "/webhook")).body.connection)
    assert.strictEqual((await call(them, "GET", "/webhook/log")).status, 404)
  })
})

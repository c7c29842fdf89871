/** People who authorize integrations at a simulated provider. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Users } from "../../src/domain/people/access/User.ts"
import { csrfToken } from "../../src/domain/people/access/UserSession.ts"
import type { Apps } from "./apps.ts"
import { startedSession } from "./sessions.ts"

type Tenant = Awaited<ReturnType<Apps["tenant"]>>

export const redirectUri = "https://app.example.test/api/integrations/oauth/callback"

/** An OWNER of the organization, signed in. */
export const personOf = async ({ run, world }: Apps, { organizationId }: Tenant, name: string) => {
  const cookie = await run(
    Effect.gen(function* () {
      const person = {
        ...{ organizationId, email: `${name}@${organizationId.toLowerCase()}.example.com` },
        ...{ name, role: "OWNER" as const }
      }
      const { id } = yield* (yield* Users).create(person)
      return (yield* startedSession({ ...person, id }, "")).cookie
    }).pipe(Effect.orDie)
  )
  const ask = async (method: string, path: string) => {
    const headers = { cookie: `parley_session=${cookie}`, "x-csrf-token": csrfToken(cookie) }
    const response = await fetch(`${world.base}/api/integrations${path}`, { method, headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  /** Opens an address in the person's browser, which does not follow it further. */
  const browse = async (path: string) => {
    const headers = { cookie: `parley_session=${cookie}` }
    const response = await fetch(`${world.base}/api/integrations${path}`, { headers, redirect: "manual" })
    const location = response.headers.get("location") ?? ""
    return { status: response.status, location, text: await response.text(), headers: response.headers }
  }
  /** Begins an authorization; gives the query of the address at the provider. */
  const begin = async (provider: string) => {
    const { status, body } = await ask("POST", `/${provider}/authorize`)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return new URL(String(body.url)).searchParams
  }
  /** Comes back from the provider with this query, to a page. */
  const comeBack = (query: Readonly<Record<string, string>>) => browse(`/oauth/callback?${new URLSearchParams(query)}`)
  return { ask, browse, begin, comeBack }
}

/** Connects a provider by authorizing it. `agree` is what the provider does with the address, and gives what it adds to the query. */
export const authorize = async (
  apps: Apps,
  us: Tenant,
  provider: string,
  agree: (asked: URLSearchParams) => Readonly<Record<string, string>>,
  name = "ann"
) => {
  const { begin, comeBack } = await personOf(apps, us, name)
  const asked = await begin(provider)
  assert.strictEqual(asked.get("redirect_uri"), redirectUri)
  return comeBack({ state: String(asked.get("state")), ...agree(asked) })
}

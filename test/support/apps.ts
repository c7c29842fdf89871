/** Organizations with integrations over real stores, the adapters of integrations, which may reach loopback, and workers that tell them what happens. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { start } from "../../simulators/webhook-receiver/WebhookReceiver.ts"
import * as SyncWorker from "../../src/actors/apps/SyncWorker.ts"
import * as EventHub from "../../src/actors/events/EventHub.ts"
import { Scope } from "../../src/domain/people/access/Access.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Contacts } from "../../src/domain/people/contacts/Contact.ts"
import type { NewOrganization } from "../../src/domain/people/organizations/Organization.ts"
import { tenant as asTenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import { makeWorld, publicBaseUrl } from "../http/world.ts"
import { newOrganization, testStores } from "./tenants.ts"
import { testApps } from "./testApps.ts"

export const signingSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
const root = "/api/integrations"

/** Lives as long as the scope. */
export const startAppsWith = Effect.fnUntraced(function* (providers: Parameters<typeof testApps>[0] = {}) {
  const stores = yield* Layer.build(testStores)
  const world = yield* makeWorld({ stores: Layer.succeedContext(stores), apps: testApps(providers) })
  const receiver = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof testStores>>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, stores))

  /** A node that tells integrations what happens; it stops with the scope. */
  const worker = Layer.build(
    SyncWorker.layer({ publicBaseUrl, lookEveryMs: 50, leaseMs: 3_000 }).pipe(
      Layer.provide([
        EventHub.layer(),
        testApps(providers),
        RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer))
      ]),
      Layer.provide(Layer.succeedContext(stores))
    )
  )

  const tenant = (input: Partial<NewOrganization> = {}) =>
    run(
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization({ plan: "PRO", ...input })
        const keys = yield* ApiKeys
        const { secret: key } = yield* keys.create({ organizationId, name: "admin", scopes: Scope.literals })
        return { organizationId, key }
      })
    )
  type Tenant = Awaited<ReturnType<typeof tenant>>

  const call = ({ key }: Tenant, method: string, path: string, body?: unknown) =>
    world.call(method, path.startsWith("/api") ? path : root + path, body, key)

  /** Connects the receiver's path as the webhook target. */
  const connect = async (as: Tenant, path: string) => {
    const given = { settings: { url: receiver.url + path }, credentials: { signingSecret } }
    const { status, body } = await call(as, "PUT", "/webhook", given)
    assert.strictEqual(status, 200, JSON.stringify(body))
  }
  /** The connection as it is shown. */
  const connection = async (as: Tenant, provider = "webhook") => {
    const { body } = await call(as, "GET", `/${provider}`)
    return body.connection as Record<string, unknown>
  }

  let guests = 0
  const contact = ({ organizationId }: Tenant, name = "Guest") =>
    run(
      Effect.flatMap(Contacts, (contacts) =>
        contacts.create(organizationId, { phone: `+1415555${String(guests++).padStart(4, "0")}`, name }, "key")
      )
    )
  const rename = ({ organizationId }: Tenant, id: string, name: string) =>
    run(Effect.flatMap(Contacts, (contacts) => contacts.update(organizationId, id, { name }, "key")))

  /** Runs a statement as the organization. */
  const rows = ({ organizationId }: Tenant, statement: string) =>
    run(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        asTenant(organizationId)(sql.unsafe<Record<string, unknown>>(statement))
      )
    )
  return { stores, world, receiver, run, worker, tenant, call, connect, connection, contact, rename, rows }
})
export const startApps = startAppsWith()
export type Apps = Effect.Success<typeof startApps>

/** Organizations with webhook endpoints over real stores, a customer's server, and workers that send. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { start } from "../../simulators/webhook-receiver/WebhookReceiver.ts"
import * as EventHub from "../../src/actors/events/EventHub.ts"
import * as WebhookWorker from "../../src/actors/events/webhooks/WebhookWorker.ts"
import { Scope } from "../../src/domain/people/access/Access.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Contacts } from "../../src/domain/people/contacts/Contact.ts"
import type { NewOrganization } from "../../src/domain/people/organizations/Organization.ts"
import * as HttpWebhooks from "../../src/integrations/webhooks/HttpWebhooks.ts"
import { makeWorld, type WorldOptions } from "../http/world.ts"
import { connectChannel } from "./messaging.ts"
import { newOrganization, testStores } from "./tenants.ts"

export const root = "/api/webhook-endpoints"

/** Lives as long as the scope. */
export const startWebhooks = (options: WorldOptions = {}) =>
  Effect.gen(function* () {
    const stores = yield* Layer.build(testStores)
    const world = yield* makeWorld({ stores: Layer.succeedContext(stores), ...options })
    const receiver = yield* Effect.acquireRelease(
      Effect.promise(() => start()),
      ({ close, received }) =>
        Effect.promise(async () => {
          await close()
          for (const { body } of received) assert.isUndefined(world.contract.webhookProblem(JSON.parse(body)))
        })
    )
    const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof testStores>>): Promise<A> =>
      Effect.runPromise(Effect.provide(effect, stores))

    /** A node that sends; it stops with the scope. */
    const worker = Layer.build(
      WebhookWorker.layer({ lookEveryMs: 50, leaseMs: 2_000 }).pipe(
        Layer.provide([EventHub.layer(), HttpWebhooks.layer({ allowPrivateNetwork: true, timeoutMs: 1_000 })]),
        Layer.provide(Layer.succeedContext(stores))
      )
    )

    const tenant = (input: Partial<NewOrganization> = {}) =>
      run(
        Effect.gen(function* () {
          const { id: organizationId } = yield* newOrganization({ plan: "STARTER", ...input })
          yield* connectChannel(organizationId)
          const keys = yield* ApiKeys
          const { secret: key } = yield* keys.create({ organizationId, name: "admin", scopes: Scope.literals })
          const { secret: plainKey } = yield* keys.create({ organizationId, name: "plain" })
          return { organizationId, key, plainKey }
        })
      )
    type Tenant = Awaited<ReturnType<typeof tenant>>

    const call = (as: Tenant | string, method: string, path: string, body?: unknown) =>
      world.call(method, path.startsWith("/api") ? path : root + path, body, typeof as === "string" ? as : as.key)

    const endpoint = async (as: Tenant, path: string, input: object = {}) => {
      const { status, body } = await call(as, "POST", "", { url: receiver.url + path, ...input })
      assert.strictEqual(status, 201, JSON.stringify(body))
      return { id: String(body.id), secret: String(body.secret) }
    }

    let guests = 0
    const contact = ({ organizationId }: Tenant, name = "Guest") =>
      run(
        Effect.flatMap(Contacts, (contacts) =>
          contacts.create(organizationId, { phone: `+1415555${String(guests++).padStart(4, "0")}`, name }, "key")
        )
      )

    return { stores, world, receiver, run, worker, tenant, call, endpoint, contact }
  })
export type Webhooks = Effect.Success<ReturnType<typeof startWebhooks>>

/** REST hooks, as automation tools use them: they subscribe, are told, look for samples, and unsubscribe. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import type { Scope } from "../../../../src/domain/people/access/Access.ts"
import { ApiKeys } from "../../../../src/domain/people/access/ApiKey.ts"
import { tenant as asTenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { comesAbout } from "../../../support/eventually.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { startWebhooks, type Webhooks } from "../../../support/webhooks.ts"

playsInRealTime()

const hooks = "/api/integrations/hooks"
type Tenant = Awaited<ReturnType<Webhooks["tenant"]>>

const story = (name: string, tell: (webhooks: Webhooks) => Promise<void>) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const webhooks = yield* startWebhooks()
      yield* webhooks.worker
      yield* Effect.promise(() => tell(webhooks))
    }).pipe(Effect.scoped)
  )

/** A key with these scopes. */
const keyOf = ({ run }: Webhooks, { organizationId }: Tenant, ...scopes: ReadonlyArray<Scope>) =>
  run(Effect.flatMap(ApiKeys, (keys) => keys.create({ organizationId, name: "Zapier", scopes })))

const subscribe = async (
  { call, receiver }: Webhooks,
  as: Tenant | string,
  path: string,
  event = "contact.created"
) => {
  const { status, body } = await call(as, "POST", hooks, { targetUrl: receiver.url + path, event })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body
}

describe("the hooks of automation tools", () => {
  story("are told of their event, signed and with its id, until the tool unsubscribes", async (webhooks) => {
    const { tenant, contact, receiver, call } = webhooks
    const us = await tenant()
    const { secret: key } = await keyOf(webhooks, us, "integrations:write", "contacts:read")
    const { id, secret, ...hook } = await subscribe(webhooks, key, "/zap")
    assert.deepInclude(hook, { event: "contact.created", targetUrl: `${receiver.url}/zap` })
    assert.deepStrictEqual((await call(key, "GET", `${hooks}?id=${id}`)).body, { id, ...hook })
    const asha = await contact(us, "Asha")
    await comesAbout("the event came", () => receiver.to("/zap").length === 1)
    const [{ headers, body }] = receiver.to("/zap")
    const said = new Webhook(String(secret)).verify(body, headers) as Record<string, unknown>
    assert.strictEqual(said.id, headers["webhook-id"])
    assert.deepStrictEqual(said.data, { contact: { ...asha } })
    assert.deepStrictEqual((await call(key, "DELETE", `${hooks}?id=${id}`)).body, { id, deleted: true })
    assert.strictEqual((await call(key, "DELETE", `${hooks}?id=${id}`)).status, 404)
    const log = await call(us, "GET", `/api/audit-log?subjectId=${id}`)
    assert.deepStrictEqual(
      (log.body.data as ReadonlyArray<{ action: string }>).map(({ action }) => action),
      ["webhook.unsubscribed", "webhook.subscribed"]
    )
    await contact(us, "Ben")
    await new Promise((done) => setTimeout(done, 300))
    assert.lengthOf(receiver.to("/zap"), 1)
  })

  story("end when their address answers 410, and the organization is told", async (webhooks) => {
    const { tenant, contact, receiver, call } = webhooks
    const us = await tenant()
    const { id } = await subscribe(webhooks, us, "/gone")
    await webhooks.endpoint(us, "/owner", { events: ["webhook.disabled"] })
    receiver.behave("/gone", { kind: "answer", status: 410 })
    await contact(us)
    await comesAbout("the hook ended", async () => (await call(us, "GET", `${hooks}?id=${id}`)).status === 404)
    await comesAbout("the organization was told", () => receiver.to("/owner").length === 1)
    const { webhook } = JSON.parse(receiver.to("/owner")[0].body).data
    assert.deepInclude(webhook, { id, hook: true, disabledReason: "The endpoint answered 410 (Gone)." })
    assert.strictEqual((await call(us, "GET", "")).body.total, 1)
  })

  story("are kept with a new secret when the tool subscribes the same address again", async (webhooks) => {
    const { tenant, contact, receiver, call } = webhooks
    const us = await tenant()
    const first = await subscribe(webhooks, us, "/twice")
    const second = await subscribe(webhooks, us, "/twice")
    assert.strictEqual(second.id, first.id)
    await contact(us)
    await comesAbout("the event came once", () => receiver.to("/twice").length === 1)
    const [{ headers, body }] = receiver.to("/twice")
    new Webhook(String(second.secret)).verify(body, headers)
    assert.throws(() => new Webhook(String(first.secret)).verify(body, headers))
    const other = await subscribe(webhooks, us, "/twice", "contact.updated")
    assert.notStrictEqual(other.id, first.id)
    assert.strictEqual((await call(us, "GET", "")).body.total, 2)
  })

  story("begin anew when an administrator had switched them off and the tool subscribes again", async (webhooks) => {
    const { tenant, contact, receiver, call, run } = webhooks
    const us = await tenant()
    const { id } = await subscribe(webhooks, us, "/off")
    await call(us, "PATCH", `/${id}`, { enabled: false })
    // While an older transaction is under way, no event of later ones is given out.
    const [begun, older] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    const ended = run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const longTransaction = Effect.gen(function* () {
          yield* sql`SELECT pg_current_xact_id()::text`
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(older)
        })
        yield* sql.withTransaction(longTransaction)
      })
    )
    await run(Deferred.await(begun))
    await contact(us, "Missed")
    await subscribe(webhooks, us, "/off")
    await run(Deferred.succeed(older, undefined))
    await ended
    await contact(us, "Told")
    await comesAbout("the second came", () => receiver.to("/off").length === 1)
    await new Promise((done) => setTimeout(done, 300))
    assert.deepStrictEqual(
      receiver.to("/off").map(({ body }) => JSON.parse(body).data.contact.name),
      ["Told"]
    )
  })

  story("end with the key that subscribed them, and go on with the key that replaces it", async (webhooks) => {
    const { tenant, contact, receiver, call, run } = webhooks
    const us = await tenant()
    const [revoked, rotated] = [
      await keyOf(webhooks, us, "integrations:write", "contacts:read"),
      await keyOf(webhooks, us, "integrations:write", "contacts:read")
    ]
    // Its maker was demoted, so it may not subscribe any more.
    const narrowed = await keyOf(webhooks, us, "integrations:write", "contacts:read")
    const lost = await subscribe(webhooks, narrowed.secret, "/lost")
    const dead = await subscribe(webhooks, revoked.secret, "/dead")
    const alive = await subscribe(webhooks, rotated.secret, "/alive")
    await run(
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        yield* keys.revoke(us.organizationId, revoked.id)
        const sql = yield* SqlClient.SqlClient
        yield* asTenant(us.organizationId)(
          sql`UPDATE api_keys SET scopes = ARRAY['contacts:read'] WHERE id = ${narrowed.id}`
        )
      })
    )
    const successor = await call(us, "POST", `/api/api-keys/${rotated.id}/rotate`, { overlapSeconds: 0 })
    assert.strictEqual(successor.status, 201, JSON.stringify(successor.body))
    await contact(us)
    await comesAbout("the other got it", () => receiver.to("/alive").length === 1)
    assert.lengthOf([...receiver.to("/dead"), ...receiver.to("/lost")], 0)
    assert.strictEqual((await call(us, "GET", `${hooks}?id=${lost.id}`)).status, 404)
    assert.strictEqual((await call(us, "GET", `${hooks}?id=${dead.id}`)).status, 404)
    assert.strictEqual((await call(us, "GET", `${hooks}?id=${alive.id}`)).status, 200)
  })

  story("give the newest real events as samples, in the shape that is posted", async (webhooks) => {
    const { tenant, contact, receiver, call } = webhooks
    const [us, them] = [await tenant(), await tenant()]
    const samples = (as: Tenant | string, event = "contact.created") => call(as, "GET", `${hooks}/samples/${event}`)
    assert.deepStrictEqual((await samples(us)).body, [] as unknown)
    await subscribe(webhooks, us, "/hook")
    for (let i = 0; i < 12; i++) await contact(us, `Guest ${i}`)
    await contact(them, "Stranger")
    await comesAbout("all came", () => receiver.to("/hook").length === 12)
    const posted = receiver
      .to("/hook")
      .map(({ body }) => JSON.parse(body) as { id: string; data: unknown })
      .sort((a, b) => (a.id < b.id ? 1 : -1))
    assert.deepStrictEqual((await samples(us)).body, posted.slice(0, 10) as unknown)
    assert.strictEqual((await samples(us, "webhook.disabled")).status, 400)
    const { secret: reader } = await keyOf(webhooks, us, "integrations:read")
    const refused = await samples(reader)
    assert.strictEqual(refused.status, 403)
    assert.include(String(refused.body.error), "contacts:read")
  })

  story("are refused where they may not be", async (webhooks) => {
    const { tenant, receiver, call } = webhooks
    const us = await tenant()
    const free = await tenant({ plan: "FREE" })
    const wish = { targetUrl: `${receiver.url}/hook`, event: "contact.created" }
    const { secret: narrow } = await keyOf(webhooks, us, "integrations:write")
    const { secret: reader } = await keyOf(webhooks, us, "integrations:read", "contacts:read")
    const refusal = async (as: Tenant | string, body: object) => {
      const { status, body: said } = await call(as, "POST", hooks, body)
      return [status, String(said.error)] as const
    }
    assert.deepStrictEqual(await refusal(narrow, wish), [403, "This API key lacks the scope contacts:read."])
    assert.deepStrictEqual(await refusal(reader, wish), [403, "This API key lacks the scope integrations:write."])
    assert.strictEqual((await refusal(free, wish))[0], 403)
    assert.deepStrictEqual(await refusal(us, { ...wish, targetUrl: "not an address" }), [
      400,
      "targetUrl is invalid: it must be an https URL."
    ])
    assert.strictEqual((await refusal(us, { ...wish, event: "webhook.test" }))[0], 400)
    // An endpoint that an administrator made is no hook.
    const { id } = await webhooks.endpoint(us, "/own")
    assert.strictEqual((await call(us, "DELETE", `${hooks}?id=${id}`)).status, 404)
  })
})

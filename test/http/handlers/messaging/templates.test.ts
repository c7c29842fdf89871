/** Templates as a client sees them: synced from the channel, listed, and kept up to date. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { TestChannel, template } from "../../../support/channel.ts"
import { type Messaging, root, startMessagingWith } from "../../../support/messaging.ts"

const story = (name: string, tell: (messaging: Messaging, channel: TestChannel) => Promise<void>) =>
  it.live(name, () => {
    const channel = new TestChannel()
    return Effect.flatMap(startMessagingWith({ channel: channel.layer }), (messaging) =>
      Effect.promise(() => tell(messaging, channel))
    )
  })

const names = (body: Record<string, unknown>) =>
  (body.data as ReadonlyArray<{ name: string; language: string }>).map(({ name, language }) => `${name}/${language}`)

/** The statuses in the events, in their order. */
const told = ({ run, organizationId }: Messaging) =>
  run(
    tenant(organizationId)(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ status: string }>`SELECT data -> 'template' ->> 'status' AS status FROM events
          WHERE type = 'template.updated' ORDER BY transaction, position`
      )
    )
  ).then((rows) => rows.map(({ status }) => status))

describe("templates", () => {
  story(
    "follow the channel's list when templates are added, changed, removed and restored",
    async (messaging, channel) => {
      const { call } = messaging
      assert.deepInclude((await call("GET", "/templates")).body, { total: 0 })
      channel.templates = [
        template(),
        template({ language: "hi_IN", status: "PENDING" }),
        template({ name: "welcome" })
      ]
      const first = await call("POST", "/templates/sync")
      assert.deepInclude(first.body, { added: 3, changed: 0, removed: 0, unchanged: 0 })
      assert.deepInclude((await call("POST", "/templates/sync")).body, {
        added: 0,
        changed: 0,
        removed: 0,
        unchanged: 3
      })

      channel.templates = [template({ category: "MARKETING" }), template({ language: "hi_IN" })]
      assert.deepInclude((await call("POST", "/templates/sync")).body, {
        added: 0,
        changed: 2,
        removed: 1,
        unchanged: 0
      })
      const gone = await call("GET", "/templates?name=welcome")
      assert.deepInclude((gone.body.data as ReadonlyArray<object>)[0], { status: "REMOVED" })
      assert.deepInclude((await call("POST", "/templates/sync")).body, { removed: 0, unchanged: 2 })
      channel.templates = [...channel.templates, template({ name: "welcome", channelTemplateId: "900200" })]
      await call("POST", "/templates/sync")
      assert.deepStrictEqual(await told(messaging), ["APPROVED", "REMOVED", "APPROVED"])
    }
  )

  story(
    "are listed by name, status and language, with the parameters that a message must give",
    async ({ call }, channel) => {
      channel.templates = [template(), template({ language: "hi_IN", status: "PAUSED" }), template({ name: "welcome" })]
      await call("POST", "/templates/sync")
      assert.sameMembers(names((await call("GET", "/templates?name=order_update")).body), [
        "order_update/en_US",
        "order_update/hi_IN"
      ])
      assert.deepStrictEqual(names((await call("GET", "/templates?status=PAUSED")).body), ["order_update/hi_IN"])
      assert.strictEqual((await call("GET", "/templates?language=en_US")).body.total, 2)
      const first = await call("GET", "/templates?limit=2")
      assert.lengthOf(first.body.data as ReadonlyArray<unknown>, 2)
      const rest = await call("GET", `/templates?limit=2&cursor=${first.body.nextCursor}`)
      assert.lengthOf(rest.body.data as ReadonlyArray<unknown>, 1)

      const [{ id }] = (await call("GET", "/templates?name=order_update&language=en_US")).body.data as ReadonlyArray<{
        id: string
      }>
      const { body } = await call("GET", `/templates/${id}`)
      const slot = { subType: null, index: null, format: "text", names: null, required: true }
      assert.deepStrictEqual(body.parameters, [
        { type: "header", ...slot, count: 1 },
        { type: "body", ...slot, count: 2 }
      ])
      assert.deepInclude(body, { channelTemplateId: "900100", category: "UTILITY", rejectedReason: null })
    }
  )

  story("stay as they were when the channel cannot list them", async ({ call }, channel) => {
    await call("POST", "/templates/sync")
    channel.refuses("The channel's token has expired: connect it again.")
    const refused = await call("POST", "/templates/sync")
    assert.deepStrictEqual(
      [refused.status, refused.body.error],
      [409, "The channel's token has expired: connect it again."]
    )
    channel.isAway("it does not answer.")
    assert.strictEqual((await call("POST", "/templates/sync")).status, 500)
    assert.strictEqual((await call("GET", "/templates?status=APPROVED")).body.total, 1)
  })

  story("can be synced twice at the same time without harm", async ({ call }, channel) => {
    channel.templates = Array.from({ length: 20 }, (_, i) => template({ name: `t${i}` }))
    const counts = await Promise.all(Array.from({ length: 5 }, () => call("POST", "/templates/sync")))
    assert.strictEqual(
      counts.reduce((sum, { body }) => sum + Number(body.added), 0),
      20
    )
    assert.strictEqual((await call("GET", "/templates")).body.total, 20)
  })

  story(
    "need their scopes, and are hidden from other organizations",
    async ({ call, run, keyOf, organizationId, otherKey }) => {
      await call("POST", "/templates/sync")
      const [{ id }] = (await call("GET", "/templates")).body.data as ReadonlyArray<{ id: string }>
      const { secret: reader } = await run(keyOf(organizationId, ["messages:read"]))
      const { secret: sender } = await run(keyOf(organizationId, ["messages:send"]))
      assert.strictEqual((await call("POST", "/templates/sync", undefined, reader)).status, 403)
      assert.strictEqual((await call("GET", `/templates/${id}`, undefined, sender)).status, 403)
      assert.strictEqual((await call("GET", "/templates", undefined, sender)).status, 403)
      assert.strictEqual((await call("GET", `/templates/${id}`, undefined, otherKey)).status, 404)
      assert.strictEqual((await call("GET", "/templates", undefined, otherKey)).body.total, 0)
      assert.strictEqual((await call("GET", "/templates", undefined, "mk_nobody")).status, 401)
    }
  )

  story("refuse invalid list parameters and ids with a sentence", async ({ raw }) => {
    for (const query of [
      ...["limit=-1", "limit=101", "limit=x", "page=0", "page=9e99", "cursor=x", "cursor=%00", "page=1&cursor=MS5hYg"],
      ...[
        "name=",
        "name=%00",
        `name=${"x".repeat(513)}`,
        "status=",
        `status=${"x".repeat(65)}`,
        "language=",
        "language=%0A"
      ],
      ...[`language=${"x".repeat(21)}`, "name=a&name=b"]
    ]) {
      const { status, body } = await raw("GET", `${root}/templates?${query}`)
      assert.strictEqual(status, 400, query)
      assert.match(String(body.error), /^\S.{8,600}\.$/s, query)
    }
    assert.strictEqual((await raw("GET", `${root}/templates/tpl_1`)).status, 404)
    assert.strictEqual((await raw("GET", `${root}/templates/%00`)).status, 400)
    assert.strictEqual((await raw("GET", `${root}/templates/${encodeURIComponent("x' OR '1'='1")}`)).status, 404)
    assert.strictEqual((await raw("GET", `${root}/templates?name=${encodeURIComponent("' OR 1=1 --")}`)).body.total, 0)
    assert.strictEqual((await raw("GET", `${root}/templates/sync`)).status, 404)
  })
})

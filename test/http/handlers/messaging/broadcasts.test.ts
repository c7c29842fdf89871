/** Broadcasts as a client sees them. test/actors/messaging/broadcasts/BroadcastWorker.test.ts covers how they are sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Templates } from "../../../../src/domain/messaging/templates/Templates.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { makeAccessWorld } from "../../../support/access.ts"
import { TestChannel, template } from "../../../support/channel.ts"
import { type Messaging, root, startMessagingWith } from "../../../support/messaging.ts"

const greeting = template({ name: "greeting", components: [{ type: "BODY", text: "Hello {{1}}." }] })
const text = (value: string) => [{ type: "body", parameters: [{ type: "text", text: value }] }]
const draft = {
  name: "Diwali",
  templateName: "greeting",
  language: "en_US",
  components: text("{{firstName|there}}"),
  audience: { tags: ["vip"] }
}

const story = (name: string, tell: (messaging: Messaging, ids: ReadonlyArray<string>) => Promise<void>) =>
  it.live(name, () => {
    const channel = new TestChannel()
    channel.templates = [greeting]
    return Effect.flatMap(startMessagingWith({ channel: channel.layer }), (messaging) =>
      Effect.promise(async () => {
        await messaging.call("POST", "/templates/sync")
        const people = [
          { phone: "+14155550101", name: "Asha Rao", tags: ["vip"], optedIn: true },
          { phone: "+14155550102", name: "Ben", tags: ["vip", "new"], optedIn: true },
          { phone: "+14155550103", tags: ["vip"] },
          { phone: "+14155550104", tags: ["new"], optedIn: true }
        ]
        const ids: Array<string> = []
        for (const person of people) ids.push(String((await messaging.call("POST", "/contacts", person)).body.id))
        await tell(messaging, ids)
      })
    )
  })

describe("broadcasts over HTTP", () => {
  story("show whom they would reach before one is created", async ({ call }, ids) => {
    const preview = async (audience: object) => {
      const { status, body } = await call("POST", "/broadcasts", { ...draft, audience, dryRun: true })
      assert.strictEqual(status, 200)
      return body
    }
    const nobody = { opted_out: 0, never_opted_in: 0, no_phone: 0, archived: 0 }
    assert.deepStrictEqual(await preview({ tags: ["vip"] }), {
      ...{ dryRun: true, total: 3, recipients: 2, limit: null },
      skipped: { ...nobody, never_opted_in: 1 }
    })
    assert.deepInclude(await preview({ tags: ["vip", "new"] }), { total: 4, recipients: 3 })
    assert.deepInclude(await preview({ all: true }), { total: 3, recipients: 3, skipped: nobody })
    assert.deepInclude(await preview({ all: true, contactIds: [ids[2], ids[0]] }), { total: 4, recipients: 3 })
    await call("POST", `/contacts/${ids[0]}/archive`)
    assert.deepInclude(await preview({ tags: ["vip"] }), { total: 2, recipients: 1 })
    assert.deepInclude(await preview({ contactIds: [ids[0]] }), { total: 1, skipped: { ...nobody, archived: 1 } })
    assert.strictEqual((await call("GET", "/broadcasts")).body.total, 0)
  })

  story(
    "are created, started, paused, resumed and cancelled, and list their recipients",
    async ({ call, raw, run, keyOf, organizationId }, ids) => {
      const made = await call("POST", "/broadcasts", draft)
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, { status: "draft", name: "Diwali", scheduledAt: null, startedAt: null })
      const path = `/broadcasts/${made.body.id}`
      assert.strictEqual((await call("GET", `${path}/recipients`)).body.total, 0)
      const started = await call("POST", `${path}/start`)
      assert.deepInclude(started.body, { status: "running" })
      assert.deepInclude(started.body.counts as object, { total: 3, queued: 2, skipped: 1 })
      const recipients = await call("GET", `${path}/recipients?limit=2`)
      assert.deepInclude(recipients.body, { total: 3 })
      const [first] = recipients.body.data as ReadonlyArray<Record<string, unknown>>
      assert.deepInclude(first, {
        contactId: ids[0],
        name: "Asha Rao",
        status: "queued",
        reason: null,
        messageId: null
      })
      const rest = await call("GET", `${path}/recipients?limit=2&cursor=${recipients.body.nextCursor}`)
      assert.deepInclude((rest.body.data as ReadonlyArray<object>)[0], {
        contactId: ids[2],
        status: "skipped",
        reason: "never_opted_in"
      })
      assert.strictEqual((await call("GET", `${path}/recipients?status=skipped`)).body.total, 1)
      assert.strictEqual((await call("GET", `${path}/recipients?status=queued`)).body.total, 2)

      for (const [verb, status] of [
        ["pause", "paused"],
        ["pause", "paused"],
        ["resume", "running"],
        ["cancel", "cancelled"]
      ] as const)
        assert.strictEqual((await call("POST", `${path}/${verb}`)).body.status, status)
      assert.strictEqual((await call("POST", `${path}/start`)).status, 409)
      assert.deepInclude((await call("GET", path)).body.counts as object, { queued: 0, skipped: 3 })
      assert.strictEqual((await call("GET", "/broadcasts?status=cancelled")).body.total, 1)
      assert.strictEqual((await call("GET", "/broadcasts?status=running")).body.total, 0)

      const { secret: admin } = await run(keyOf(organizationId, ["admin"]))
      const { body } = await raw("GET", `/api/audit-log?subjectId=${made.body.id}`, undefined, admin)
      assert.deepStrictEqual(
        (body.data as ReadonlyArray<{ action: string }>).map(({ action }) => action),
        ["cancelled", "resumed", "paused", "started", "created"].map((what) => `broadcast.${what}`)
      )
    }
  )

  story("do not start with a template that can no longer be sent", async ({ call, run, organizationId }) => {
    const { body } = await call("POST", "/broadcasts", draft)
    await run(
      Effect.flatMap(Templates, (templates) =>
        templates.replace(organizationId, [{ ...greeting, status: "PAUSED" }], Date.now())
      )
    )
    const refused = await call("POST", `/broadcasts/${body.id}/start`)
    assert.strictEqual(refused.status, 409)
    assert.match(String(refused.body.error), /PAUSED/)
    assert.strictEqual((await call("GET", `/broadcasts/${body.id}`)).body.status, "draft")
  })

  story(
    "are created once by a repeated request, and started once by many requests at the same time",
    async ({ call, base, key }) => {
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": "diwali"
      }
      const once = async () => {
        const answer = await fetch(`${base}${root}/broadcasts`, {
          method: "POST",
          headers,
          body: JSON.stringify(draft)
        })
        return { body: (await answer.json()) as { id: string } }
      }
      const [{ body }, again] = [await once(), await once()]
      assert.deepStrictEqual(again.body, body)
      assert.strictEqual((await call("GET", "/broadcasts")).body.total, 1)
      const answers = await Promise.all(Array.from({ length: 6 }, () => call("POST", `/broadcasts/${body.id}/start`)))
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.deepInclude((await call("GET", `/broadcasts/${body.id}`)).body.counts as object, { total: 3 })
    }
  )

  story(
    "need their scopes, and are hidden from other organizations",
    async ({ call, run, keyOf, organizationId, otherKey, otherId }, ids) => {
      const { body } = await call("POST", "/broadcasts", draft)
      const { secret: reader } = await run(keyOf(organizationId, ["messages:read"]))
      const { secret: sender } = await run(keyOf(organizationId, ["messages:send"]))
      const path = `/broadcasts/${body.id}`
      for (const [method, at, payload, refused] of [
        ["GET", "/broadcasts", undefined, sender],
        ["GET", path, undefined, sender],
        ["GET", `${path}/recipients`, undefined, sender],
        ["POST", "/broadcasts", draft, reader],
        ...(["start", "pause", "resume", "cancel"] as const).map(
          (verb) => ["POST", `${path}/${verb}`, undefined, reader] as const
        )
      ] as const) {
        assert.strictEqual((await call(method, at, payload, refused)).status, 403, at)
        assert.strictEqual((await call(method, at, payload, "mk_nobody")).status, 401, at)
        if (at.includes("brd_")) assert.strictEqual((await call(method, at, payload, otherKey)).status, 404, at)
      }
      assert.strictEqual((await call("GET", "/broadcasts", undefined, otherKey)).body.total, 0)
      await run(Effect.flatMap(Templates, (templates) => templates.replace(otherId, [greeting], Date.now())))
      const foreign = await call("POST", "/broadcasts", { ...draft, audience: { contactIds: [ids[0]] } }, otherKey)
      assert.deepStrictEqual([foreign.status, foreign.body.error], [400, `There is no contact with the id ${ids[0]}.`])
      const none = await call("POST", "/broadcasts", { ...draft, dryRun: true }, otherKey)
      assert.deepInclude(none.body, { total: 0 })
      assert.strictEqual((await call("GET", path)).body.status, "draft")
    }
  )

  it.live("are allowed for OWNER and ADMIN, not for AGENT", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      yield* world.provide(
        Effect.gen(function* () {
          yield* (yield* Templates).replace(world.organizationId, [greeting], Date.now())
          yield* (yield* Contacts).create(world.organizationId, { phone: "+14155550101", optedIn: true }, "key_test")
        })
      )
      const asked = { body: { ...draft, audience: { all: true } } }
      for (const [role, status] of [
        ["OWNER", 201],
        ["ADMIN", 201],
        ["AGENT", 403]
      ] as const) {
        const { ask } = yield* world.as(role)
        const answer = yield* ask("POST", `${root}/broadcasts`, asked)
        assert.strictEqual(answer.status, status, role)
        assert.strictEqual((yield* ask("GET", `${root}/broadcasts`)).status, 200, role)
        if (status === 403) assert.match(answer.body.error, /role AGENT may not send broadcasts/)
      }
    })
  )

  story("refuse invalid input with a sentence, and create nothing", async ({ call, raw }) => {
    const { body } = await call("POST", "/broadcasts", draft)
    const long = (length: number) => "x".repeat(length)
    const wrong: Readonly<Record<string, ReadonlyArray<unknown>>> = {
      name: ["", "  ", long(121), "a\u0000", 7, null, [], {}],
      templateName: ["", "Greeting", "a b", "'; --", long(513), 7, null, "unknown_one"],
      language: ["", "en-US", "english language", 7, null, "de"],
      components: [
        "x",
        {},
        [7],
        [{ type: "footer" }],
        text(""),
        text("{{1}}"),
        text("{{nme}}"),
        text("a\u0000"),
        text(long(1_025)),
        [],
        [...text("a"), ...text("b")],
        [{ type: "body", parameters: [{ type: "image", image: { link: "https://a.example/x.png" } }] }]
      ],
      audience: [
        {},
        { tags: [] },
        { contactIds: [] },
        { all: false },
        { all: "true" },
        { tags: "vip" },
        { tags: [""] },
        { tags: [long(65)] },
        { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) },
        { contactIds: ["cnt_unknown"] },
        { contactIds: [7] },
        { contactIds: Array.from({ length: 10_001 }, (_, i) => `cnt_${i}`) },
        "all",
        null,
        []
      ],
      scheduledAt: [
        ...["", "tomorrow", 7, null, "2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z", "2026-13-45T00:00:00Z"],
        // The time zone is missing.
        new Date(Date.now() + 86_400_000).toISOString().slice(0, -1)
      ],
      dryRun: ["true", 1, null]
    }
    const rows: Array<readonly [string, string, unknown, number?]> = []
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) rows.push(["POST", "/broadcasts", { ...draft, [field]: value }])
    for (const field of ["name", "templateName", "language", "audience", "components"])
      rows.push(["POST", "/broadcasts", { ...draft, [field]: undefined }])
    for (const payload of ["{", "", [], "null"]) rows.push(["POST", "/broadcasts", payload])
    for (const query of ["limit=-1", "limit=101", "page=9e99", "page=0", "cursor=x", "status=RUNNING", "status="])
      rows.push(
        ["GET", `/broadcasts?${query}`, undefined],
        ["GET", `/broadcasts/${body.id}/recipients?${query}`, undefined]
      )
    for (const verb of ["start", "pause", "resume", "cancel"])
      rows.push(["POST", `/broadcasts/brd_1/${verb}`, undefined, 404], ["POST", `/broadcasts/%00/${verb}`, undefined])
    for (const verb of ["pause", "resume"]) rows.push(["POST", `/broadcasts/${body.id}/${verb}`, undefined, 409])
    rows.push(["GET", "/broadcasts/brd_1", undefined, 404], ["GET", "/broadcasts/brd_1/recipients", undefined, 404])
    rows.push(
      ["GET", `/broadcasts/${encodeURIComponent("x' OR '1'='1")}`, undefined, 404],
      ["GET", "/broadcasts/%00", undefined]
    )

    const problems: Array<string> = []
    for (const [method, path, payload, expected = 400] of rows) {
      const answer = await raw(method, root + path, payload)
      const shaped = Object.keys(answer.body).length === 1 && /^\S.{8,600}\.$/s.test(String(answer.body.error))
      if (answer.status !== expected || !shaped)
        problems.push(
          `${method} ${path} ${JSON.stringify(payload)?.slice(0, 120)}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`
        )
    }
    assert.deepStrictEqual(problems, [])
    assert.isAtLeast(rows.length, 80)
    const { body: after } = await call("GET", "/broadcasts")
    assert.deepStrictEqual([after.total, (after.data as ReadonlyArray<object>)[0]], [1, body])
  })
})

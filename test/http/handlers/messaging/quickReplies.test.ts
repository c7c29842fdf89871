/** Quick replies as a client sees them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Messaging, root, startMessaging } from "../../../support/messaging.ts"

const story = (name: string, tell: (messaging: Messaging) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(startMessaging, (messaging) => Effect.promise(() => tell(messaging))))

const hello = { shortcut: "/Hello", text: "Hello {{firstName|there}},\nhow can we help?" }
const long = (length: number) => "x".repeat(length)

describe("quick replies", () => {
  story("are created, changed, found and deleted", async ({ call, organizationId }) => {
    const made = await call("POST", "/quick-replies", hello)
    assert.strictEqual(made.status, 201)
    assert.deepInclude(made.body, { organizationId, shortcut: "hello", text: hello.text })
    assert.deepStrictEqual(made.body.placeholders, ["firstName"])
    await call("POST", "/quick-replies", { shortcut: "track", text: "José's order: 100%_\\" })
    const found = async (search: string) =>
      (
        (await call("GET", `/quick-replies?search=${encodeURIComponent(search)}`)).body.data as ReadonlyArray<{
          shortcut: string
        }>
      ).map(({ shortcut }) => shortcut)
    assert.deepStrictEqual(await found("HOW CAN"), ["hello"])
    assert.deepStrictEqual(await found("jose"), ["track"])
    assert.deepStrictEqual(await found("%"), ["track"])
    assert.deepStrictEqual(await found("_\\"), ["track"])
    assert.deepStrictEqual(await found("x"), [])

    const changed = await call("PATCH", `/quick-replies/${made.body.id}`, { text: "Hi." })
    assert.deepInclude(changed.body, { shortcut: "hello", text: "Hi." })
    assert.deepStrictEqual((await call("GET", `/quick-replies/${made.body.id}`)).body, changed.body)
    const gone = await call("DELETE", `/quick-replies/${made.body.id}`)
    assert.deepStrictEqual(gone.body, { id: made.body.id, deleted: true })
    for (const method of ["GET", "DELETE"])
      assert.strictEqual((await call(method, `/quick-replies/${made.body.id}`)).status, 404)
    assert.strictEqual((await call("GET", "/quick-replies")).body.total, 1)
  })

  story("have unique shortcuts, also when two requests want the same one at once", async ({ call }) => {
    const made = await call("POST", "/quick-replies", hello)
    const again = await call("POST", "/quick-replies", { shortcut: "HELLO", text: "x" })
    assert.deepStrictEqual([again.status, again.headers.get("x-existing-id")], [409, made.body.id])
    const other = await call("POST", "/quick-replies", { shortcut: "bye", text: "Bye." })
    const moved = await call("PATCH", `/quick-replies/${other.body.id}`, { shortcut: "hello" })
    assert.deepStrictEqual([moved.status, moved.headers.get("x-existing-id")], [409, made.body.id])
    const third = await call("POST", "/quick-replies", { shortcut: "third", text: "3" })
    const race = await Promise.all([
      call("PATCH", `/quick-replies/${other.body.id}`, { shortcut: "new" }),
      call("PATCH", `/quick-replies/${third.body.id}`, { shortcut: "new" }),
      call("POST", "/quick-replies", { shortcut: "new", text: "x" })
    ])
    assert.lengthOf(
      race.filter(({ status }) => status === 409),
      2
    )
  })

  story("have their changes in the audit log", async ({ call, raw, run, keyOf, organizationId }) => {
    const { secret: admin } = await run(keyOf(organizationId, ["admin"]))
    const made = await call("POST", "/quick-replies", hello)
    await call("PATCH", `/quick-replies/${made.body.id}`, { text: "Hi." })
    await call("DELETE", `/quick-replies/${made.body.id}`)
    const { body } = await raw("GET", `/api/audit-log?subjectId=${made.body.id}`, undefined, admin)
    const entries = body.data as ReadonlyArray<{ action: string; before: object | null; after: object | null }>
    assert.deepStrictEqual(
      entries.map(({ action }) => action),
      ["quick_reply.deleted", "quick_reply.updated", "quick_reply.created"]
    )
    assert.deepInclude(entries[1].before ?? {}, { text: hello.text })
    assert.deepInclude(entries[1].after ?? {}, { text: "Hi." })
  })

  story(
    "need their scopes, and are hidden from other organizations",
    async ({ call, run, keyOf, organizationId, otherKey }) => {
      const { body } = await call("POST", "/quick-replies", hello)
      const { secret: reader } = await run(keyOf(organizationId, ["messages:read"]))
      const { secret: sender } = await run(keyOf(organizationId, ["messages:send"]))
      for (const [method, path, payload, refused] of [
        ["GET", "/quick-replies", undefined, sender],
        ["GET", `/quick-replies/${body.id}`, undefined, sender],
        ["POST", "/quick-replies", { shortcut: "a", text: "b" }, reader],
        ["PATCH", `/quick-replies/${body.id}`, { text: "b" }, reader],
        ["DELETE", `/quick-replies/${body.id}`, undefined, reader]
      ] as const) {
        assert.strictEqual((await call(method, path, payload, refused)).status, 403, path)
        assert.strictEqual((await call(method, path, payload, "mk_nobody")).status, 401, path)
        if (path.includes("qrp_")) assert.strictEqual((await call(method, path, payload, otherKey)).status, 404, path)
      }
      assert.strictEqual((await call("GET", "/quick-replies", undefined, otherKey)).body.total, 0)
      assert.strictEqual((await call("POST", "/quick-replies", hello, otherKey)).status, 201)
    }
  )

  story("refuse invalid input with a sentence, and stay as they were", async ({ call, raw }) => {
    const { body } = await call("POST", "/quick-replies", hello)
    const shortcuts = ["", "/", "a b", long(65), "-a", "ü", "a\u0000", 7, null, [], {}]
    const texts = ["", "  ", long(4_097), "a\u0000", "\ud800", "{{1}}", "{{nme}}", "{{}}", 7, null, [], {}]
    const rows: ReadonlyArray<readonly [string, string, unknown]> = [
      ...shortcuts.flatMap((shortcut) => [
        ["POST", "/quick-replies", { shortcut, text: "x" }] as const,
        ["PATCH", `/quick-replies/${body.id}`, { shortcut }] as const
      ]),
      ...texts.flatMap((text) => [
        ["POST", "/quick-replies", { shortcut: "x", text }] as const,
        ["PATCH", `/quick-replies/${body.id}`, { text }] as const
      ]),
      ["POST", "/quick-replies", { text: "x" }],
      ["POST", "/quick-replies", { shortcut: "x" }],
      ["POST", "/quick-replies", "{"],
      ["POST", "/quick-replies", []],
      ["PATCH", `/quick-replies/${body.id}`, {}],
      ["GET", "/quick-replies?limit=-1", undefined],
      ["GET", "/quick-replies?page=9e99", undefined],
      ["GET", "/quick-replies?search=%00", undefined],
      ["GET", "/quick-replies/%00", undefined]
    ]
    for (const [method, path, payload] of rows) {
      const answer = await raw(method, root + path, payload)
      const what = `${method} ${path} ${JSON.stringify(payload)?.slice(0, 60)}: ${JSON.stringify(answer.body)}`
      assert.strictEqual(answer.status, 400, what)
      assert.match(String(answer.body.error), /^\S.{8,600}\.$/s, what)
    }
    const { body: after } = await call("GET", "/quick-replies")
    assert.deepStrictEqual([after.total, (after.data as ReadonlyArray<object>)[0]], [1, body])
  })
})

/** Exports of everything known about a contact: requested, created, downloaded and removed, with real stores, files and archives. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ObjectStorageError } from "../../../../src/domain/basics/ObjectStorage.ts"
import { type Messaging, root, startMessaging } from "../../../support/messaging.ts"
import { exportRound, knownContact, marker, markerPhone, rowsOf } from "../../../support/privacy.ts"
import { unzipped } from "../../../support/unzip.ts"

const story = (name: string, tell: (messaging: Messaging & { readonly admin: string }) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(startMessaging, (messaging) =>
      Effect.promise(async () => {
        const { secret } = await messaging.run(messaging.keyOf(messaging.organizationId, ["admin"]))
        return tell({ ...messaging, admin: secret })
      })
    )
  )

const download = ({ base, admin }: Messaging & { readonly admin: string }, contactId: string, headers = {}) =>
  fetch(`${base}${root}/contacts/${contactId}/export/file`, {
    headers: { authorization: `Bearer ${admin}`, ...headers }
  })

describe("the export of a contact", () => {
  story("holds everything known about the contact with its files, and is removed after a week", async (world) => {
    const { call, admin, objects, organizationId } = world
    const { contactId, conversationId, mediaId, callId } = await knownContact(world)
    await call("POST", `/contacts/${contactId}/opt-in`, { source: "web form", text: "Yes." })
    const path = `/contacts/${contactId}/export`
    // More messages than one query reads.
    await rowsOf(
      world,
      `INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, status, created_at)
        SELECT '${organizationId}', 'msg_bulk' || lpad(n::text, 4, '0'), '${conversationId}', 'inbound', 'text',
          json_build_object('text', 'bulk ' || n)::jsonb, 'received', now() - interval '1 hour' FROM generate_series(1, 1100) n`
    )
    await rowsOf(
      world,
      `INSERT INTO agent_threads (organization_id, conversation_id, routed, silent, version, received, answered, failures, disclosed, summary)
        VALUES ('${organizationId}', '${conversationId}', true, false, 0, 0, 0, 0, true, 'summed up ${marker}')`
    )
    await rowsOf(
      world,
      `INSERT INTO agent_tool_runs (organization_id, conversation_id, turn_id, key, position, agent_id, name, arguments, outcome, result, started_at)
        VALUES ('${organizationId}', '${conversationId}', 'trn_1', 'call_1', 0, 'bot_1', 'find_order', '{}', 'ok', '${marker}', now())`
    )
    await rowsOf(
      world,
      `INSERT INTO app_connections (organization_id, id, provider, enabled, account_id, account_name, settings, credentials, secret_names, state,
          transaction, position, created_at, updated_at)
        VALUES ('${organizationId}', 'con_1', 'hubspot', false, '1', '1', '{}', '', '{}', 'connected', '0', 0, now(), now())`
    )
    await rowsOf(
      world,
      `INSERT INTO app_links (organization_id, connection_id, kind, local_id, contact_id, remote_id, fields, updated_at)
        VALUES ('${organizationId}', 'con_1', 'contact', '${contactId}', '${contactId}', '501', '{"name": "${marker}"}', now())`
    )
    await rowsOf(
      world,
      `INSERT INTO orders (organization_id, id, number, status, currency, contact_id, lines, subtotal, tax, discount, shipping, total, notes, custom_fields,
          placed_at, created_at, updated_at)
        SELECT '${organizationId}', 'ord_1', '427', 'pending', 'USD', '${contactId}', '[]', 2499, 0, 0, 0, 2499, '${marker}', '{}', now(), now(), now()`
    )
    await rowsOf(
      world,
      `INSERT INTO carts (organization_id, id, source, external_id, contact_id, currency, total, recovery_url, created_at)
        VALUES ('${organizationId}', 'crt_1', 'shopify:a', '1', '${contactId}', 'USD', 2499, 'https://store.example/${marker}', now())`
    )
    await rowsOf(
      world,
      `INSERT INTO payment_links (organization_id, id, provider, status, amount, currency, description, contact_id, created_by, expires_at, created_at,
          updated_at)
        VALUES ('${organizationId}', 'pay_1', 'stripe', 'created', 2499, 'USD', 'Atlas', '${contactId}', 'key', now(), now(), now())`
    )
    assert.strictEqual((await call("GET", path, undefined, admin)).status, 404)
    const asked = await call("POST", path, undefined, admin)
    assert.strictEqual(asked.status, 201)
    assert.deepInclude(asked.body, { contactId, status: "queued", sizeBytes: null, file: null })
    assert.strictEqual((await call("POST", path, undefined, admin)).body.id, asked.body.id)
    assert.strictEqual((await download(world, contactId)).status, 409)

    await exportRound(world)
    const { body: made } = await call("GET", path, undefined, admin)
    assert.deepInclude(made, {
      id: asked.body.id,
      status: "completed",
      file: `${root}/contacts/${contactId}/export/file`
    })
    const response = await download(world, contactId)
    assert.strictEqual(response.headers.get("content-type"), "application/zip")
    assert.match(response.headers.get("content-disposition") ?? "", /^attachment; filename="contact-exp_\w+\.zip"$/)
    const archive = Buffer.from(await response.arrayBuffer())
    assert.strictEqual(archive.length, made.sizeBytes)
    const files = unzipped(archive)
    const json = (name: string) => JSON.parse(files.get(name)?.toString() ?? "")
    assert.deepInclude(json("contact.json"), { id: contactId, phone: markerPhone, name: "Asha Rao" })
    assert.deepInclude(json("consents.json").messaging[0], { action: "granted", source: "web form", text: "Yes." })
    assert.deepStrictEqual(
      json("conversations.json").map(({ channel }: { channel: string }) => channel),
      ["messaging", "voice"]
    )
    assert.deepStrictEqual(
      json("notes.json").map(({ text }: { text: string }) => text),
      [`about ${marker}`]
    )
    const [thread] = json("agents.json")
    assert.deepInclude(thread, { conversationId, summary: `summed up ${marker}` })
    const { orders, carts, payments } = json("purchases.json")
    assert.deepStrictEqual([orders.length, carts.length, payments.length], [1, 1, 1])
    assert.deepInclude(payments[0], { amount: 2_499, currency: "USD", status: "created", paidAmount: null })
    assert.deepInclude(carts[0], { recoveryUrl: `https://store.example/${marker}`, total: 2_499 })
    assert.deepInclude(orders[0], { number: "427", status: "pending", total: 2_499, notes: marker })
    const [link] = json("links.json")
    assert.deepInclude(link, { provider: "hubspot", kind: "contact", id: contactId, externalId: "501" })
    assert.deepStrictEqual(link.fields, { name: marker })
    assert.deepInclude(thread.tools[0], { name: "find_order", result: marker })
    assert.deepStrictEqual(json("imports.json"), [
      { row: 2, field: "optedIn", problem: "optedIn must be true or false.", values: [marker] }
    ])
    const messages = json("messages.json")
    assert.lengthOf(messages, 1_102)
    assert.lengthOf(new Set(messages.map(({ id }: { id: string }) => id)), 1_102)
    const [spoken] = json("calls.json")
    assert.strictEqual(spoken.id, callId)
    assert.strictEqual(spoken.utterances[0].text, `I am ${marker}`)
    assert.strictEqual(spoken.toolCalls[0].arguments, marker)
    assert.strictEqual(files.get(`recordings/${callId}.wav`)?.length, 1_044)
    const picture = [...files].find(([name]) => name.startsWith(`media/${mediaId}`))
    assert.strictEqual(picture?.[1].subarray(1, 4).toString(), "PNG")
    assert.sameMembers(
      json("manifest.json").files,
      [...files.keys()].filter((name) => name !== "manifest.json")
    )

    const part = await download(world, contactId, { range: "bytes=0-3" })
    assert.deepStrictEqual([part.status, Buffer.from(await part.arrayBuffer()).toString("latin1")], [206, "PK\x03\x04"])
    const log = await rowsOf(
      world,
      "SELECT action FROM audit_log WHERE action LIKE 'contact.export%' ORDER BY created_at"
    )
    assert.includeMembers(
      log.map(({ action }) => action),
      ["contact.export_requested", "contact.export_downloaded"]
    )

    await rowsOf(world, "UPDATE contact_exports SET expires_at = now()")
    assert.strictEqual((await download(world, contactId)).status, 404)
    const key = `exports/${organizationId}/${asked.body.id}.zip` as Parameters<typeof objects.find>[0]
    assert.isTrue(await Effect.runPromise(Effect.isSuccess(objects.find(key))))
    await exportRound(world)
    assert.isFalse(await Effect.runPromise(Effect.isSuccess(objects.find(key))))
    assert.isEmpty(await rowsOf(world, "SELECT 1 FROM contact_exports"))
  })

  story("is tried again while the storage is unavailable, and says when it has failed", async (world) => {
    const { call, admin, objects } = world
    const { contactId } = await knownContact(world)
    const path = `/contacts/${contactId}/export`
    await call("POST", path, undefined, admin)
    const away: typeof objects = {
      ...objects,
      put: (key) => Effect.fail(new ObjectStorageError({ operation: "put", key, message: "away" }))
    }
    for (let attempt = 0; attempt < 4; attempt++) {
      await exportRound(world, { storage: away })
      assert.strictEqual((await call("GET", path, undefined, admin)).body.status, "queued")
      const [{ wait }] = await rowsOf(
        world,
        "SELECT extract(epoch FROM due_at - now())::int AS wait FROM contact_exports"
      )
      assert.isAtLeast(Number(wait), 25 * 2 ** attempt)
      await rowsOf(world, "UPDATE contact_exports SET due_at = now()")
    }
    await exportRound(world, { storage: away })
    const { body } = await call("GET", path, undefined, admin)
    assert.strictEqual(body.status, "failed")
    assert.match(String(body.error), /^The export could not be made/)
    assert.strictEqual((await download(world, contactId)).status, 409)
    // A new request succeeds.
    assert.notStrictEqual((await call("POST", path, undefined, admin)).body.id, body.id)
    await exportRound(world)
    assert.strictEqual((await download(world, contactId)).status, 200)
  })

  story(
    "is removed when its time is over, also while the storage fails to remove another export's file",
    async (world) => {
      const { call, admin, objects } = world
      const ids: Array<unknown> = []
      for (const phone of ["+14155550171", "+14155550172"]) {
        const { body } = await call("POST", "/contacts", { phone })
        ids.push((await call("POST", `/contacts/${body.id}/export`, undefined, admin)).body.id)
      }
      await exportRound(world)
      for (const [n, id] of ids.entries())
        await rowsOf(
          world,
          `UPDATE contact_exports SET expires_at = now() - interval '${2 - n} hours' WHERE id = '${id}'`
        )
      const kept = async () => (await rowsOf(world, "SELECT id FROM contact_exports")).map(({ id }) => id)
      const stubborn: typeof objects = {
        ...objects,
        remove: (key) =>
          key.includes(String(ids[0]))
            ? Effect.fail(new ObjectStorageError({ operation: "remove", key, message: "kept" }))
            : objects.remove(key)
      }
      await exportRound(world, { storage: stubborn })
      assert.deepStrictEqual(await kept(), [ids[0]])
      await exportRound(world)
      assert.isEmpty(await kept())
    }
  )

  story(
    "whose file cannot be removed does not delay the removal of others, however many such files there are",
    async (world) => {
      const { organizationId, objects } = world
      const { contactId } = await knownContact(world)
      const over = (id: string, hours: number) =>
        rowsOf(
          world,
          `INSERT INTO contact_exports (organization_id, id, contact_id, status, requested_by, size_bytes, created_at, completed_at, expires_at)
          VALUES ('${organizationId}', '${id}', '${contactId}', 'completed', 'test', 1, now(), now(), now() - interval '${hours} hours')`
        )
      for (let n = 0; n < 25; n++) await over(`exp_stays${n}`, 2)
      await over("exp_goes", 1)
      const stubborn: typeof objects = {
        ...objects,
        remove: (key) =>
          key.includes("stays")
            ? Effect.fail(new ObjectStorageError({ operation: "remove", key, message: "kept" }))
            : objects.remove(key)
      }
      const waits = async () => (await rowsOf(world, "SELECT 1 FROM contact_exports WHERE id = 'exp_goes'")).length > 0
      for (let round = 0; round < 12 && (await waits()); round++) await exportRound(world, { storage: stubborn })
      assert.isFalse(await waits())
    }
  )

  story("leaves no file when the contact is erased meanwhile", async (world) => {
    const { call, admin, objects, key } = world
    const { contactId } = await knownContact(world)
    await call("POST", `/contacts/${contactId}/export`, undefined, admin)
    const stored: Array<string> = []
    const removed: Array<string> = []
    const watched: typeof objects = {
      ...objects,
      // The contact is erased after everything was read and before the export is recorded.
      put: (name, body, options) =>
        objects.put(name, body, options).pipe(
          Effect.tap(() => Effect.promise(() => call("DELETE", `/contacts/${contactId}`, undefined, key))),
          Effect.tap(() => Effect.sync(() => stored.push(name)))
        ),
      remove: (name) => Effect.tap(objects.remove(name), () => Effect.sync(() => removed.push(name)))
    }
    await exportRound(world, { storage: watched })
    assert.lengthOf(stored, 1)
    assert.deepStrictEqual(removed, stored)
    assert.isFalse(
      await Effect.runPromise(Effect.isSuccess(objects.find(stored[0] as Parameters<typeof objects.find>[0])))
    )
  })

  story("needs an administrator of the contact's own organization", async (world) => {
    const { call, run, keyOf, otherId, key, admin } = world
    const { contactId } = await knownContact(world)
    const { secret: stranger } = await run(keyOf(otherId, ["admin"]))
    for (const [method, path] of [
      ["POST", `/contacts/${contactId}/export`],
      ["GET", `/contacts/${contactId}/export`],
      ["GET", `/contacts/${contactId}/export/file`]
    ] as const) {
      assert.strictEqual((await call(method, path, undefined, key)).status, 403, path)
      assert.strictEqual((await call(method, path, undefined, stranger)).status, 404, path)
      assert.strictEqual(
        (await call(method, path.replace(contactId, "cnt_nobody"), undefined, admin)).status,
        404,
        path
      )
      assert.strictEqual((await call(method, path.replace(contactId, "%01"), undefined, admin)).status, 400, path)
      assert.strictEqual((await call(method, path.replace(contactId, "'%3B--"), undefined, admin)).status, 404, path)
    }
    assert.isEmpty(await rowsOf(world, "SELECT 1 FROM contact_exports"))
  })
})

/** What clients should not do: the protocol's own errors, never a 500, never a hang. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ApiKeys } from "../../../src/domain/people/access/ApiKey.ts"
import { Organizations } from "../../../src/domain/people/organizations/Organization.ts"
import { type McpClient, mcpClient } from "../../support/assistants.ts"
import { eventually } from "../../support/eventually.ts"
import { startMessagingWith } from "../../support/messaging.ts"
import { newOrganization } from "../../support/tenants.ts"

const accept = "application/json, text/event-stream"

interface Rpc {
  readonly error?: { readonly code: number; readonly message: string } | string
  readonly result?: Record<string, unknown>
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
}

const stage = Effect.gen(function* () {
  const world = yield* startMessagingWith({})
  const ask = async (
    body: unknown,
    { path = "/api/mcp", method = "POST", key = world.key, headers = {} as Record<string, string> } = {}
  ) => {
    const response = await fetch(world.base + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", accept, ...headers },
      ...(method === "POST" ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(10_000)
    })
    const text = await response.text()
    const data = [...text.matchAll(/^data: (.+)$/gm)].map(([, json]) => json).at(-1) ?? (text === "" ? "{}" : text)
    return { status: response.status, headers: response.headers, rpc: JSON.parse(data) as Rpc, text }
  }
  const session = async (key = world.key) => (await ask(initialize, { key })).headers.get("mcp-session-id") ?? ""
  return { ...world, ask, session }
})

const codeOf = ({ rpc }: { readonly rpc: Rpc }) => (typeof rpc.error === "object" ? rpc.error.code : undefined)

describe("the MCP server", () => {
  it.live("answers malformed messages with the protocol's errors", () =>
    Effect.flatMap(stage, ({ ask, session }) =>
      Effect.promise(async () => {
        const id = await session()
        const own = { headers: { "mcp-session-id": id } }
        const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
        const cases: ReadonlyArray<readonly [string, unknown, number, number]> = [
          ["not JSON", "{", 400, -32_700],
          ["nothing", "", 400, -32_700],
          ["a batch", [initialize, initialize], 400, -32_600],
          ["a number", "7", 400, -32_600],
          ["not JSON-RPC", { hello: 1 }, 400, -32_600],
          ["too deep", `{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep}}`, 400, -32_600],
          ["too large", { jsonrpc: "2.0", id: 1, method: "ping", params: { x: "x".repeat(300_000) } }, 413, -32_600]
        ]
        for (const [name, body, status, code] of cases) {
          const answer = await ask(body, own)
          assert.deepStrictEqual([name, answer.status, codeOf(answer)], [name, status, code])
        }
        const unknown = await ask({ jsonrpc: "2.0", id: 1, method: "tools/eat" }, own)
        assert.strictEqual(codeOf(unknown), -32_601)
        const nameless = await ask({ jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }, own)
        assert.strictEqual(codeOf(nameless), -32_602)
        const plain = await ask(initialize, { headers: { "content-type": "text/plain" } })
        assert.strictEqual(plain.status, 415)
        const version = await ask(
          { jsonrpc: "2.0", id: 1, method: "tools/list" },
          { headers: { "mcp-session-id": id, "mcp-protocol-version": "1999-01-01" } }
        )
        assert.strictEqual(version.status, 400)
        const strange = await ask(
          {
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name: "list_contacts", arguments: { search: "\u0000" } }
          },
          own
        )
        assert.include(JSON.stringify(strange.rpc), "search is invalid: it must not contain control characters")
        const put = await ask(undefined, { method: "PUT" })
        assert.deepStrictEqual([put.status, put.headers.get("allow")], [405, "DELETE, GET, HEAD, POST"])
      })
    )
  )

  it.live("keeps sessions apart: those of other keys, ended and unknown ones are not found", () =>
    Effect.gen(function* () {
      const { ask, session, otherKey, keyOf, organizationId, run } = yield* stage
      const { secret: second } = yield* Effect.promise(() => run(keyOf(organizationId)))
      yield* Effect.promise(async () => {
        const id = await session()
        const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }
        const own = { "mcp-session-id": id }
        assert.strictEqual((await ask(list, { headers: own })).status, 200)
        for (const key of [otherKey, second]) {
          const answer = await ask(list, { headers: own, key })
          assert.deepStrictEqual([answer.status, codeOf(answer)], [404, -32_001])
          assert.strictEqual((await ask(undefined, { method: "DELETE", headers: own, key })).status, 404)
        }
        assert.strictEqual((await ask(list)).status, 400)
        assert.strictEqual((await ask(list, { headers: { "mcp-session-id": "x".repeat(5_000) } })).status, 404)
        assert.strictEqual((await ask(undefined, { method: "DELETE", headers: own })).status, 200)
        assert.strictEqual((await ask(list, { headers: own })).status, 404)
        const sse = `/api/mcp/messages?sessionId=${id}`
        assert.strictEqual((await ask(list, { path: sse })).status, 404)
        assert.strictEqual((await ask(list, { path: "/api/mcp/messages" })).status, 400)
      })
    })
  )

  it.live("takes a key with the scope mcp, on a plan that has it, from pages that may come", () =>
    Effect.gen(function* () {
      const { ask, run, keyOf, organizationId, stores } = yield* stage
      const { secret: reader } = yield* Effect.promise(() => run(keyOf(organizationId, ["contacts:read"])))
      const starter = yield* newOrganization({ plan: "STARTER" }).pipe(Effect.provide(stores))
      const free = yield* newOrganization({ plan: "FREE" }).pipe(Effect.provide(stores))
      const { secret: starterKey } = yield* Effect.promise(() => run(keyOf(starter.id)))
      const { secret: freeKey } = yield* Effect.promise(() => run(keyOf(free.id)))
      yield* Effect.promise(async () => {
        const refused = async (options: object) => {
          const { status, rpc } = await ask(initialize, options)
          return [status, rpc.error]
        }
        assert.strictEqual((await refused({ key: "mk_wrong" }))[0], 401)
        assert.strictEqual((await refused({ headers: { authorization: "" } }))[0], 401)
        const [status, sentence] = await refused({ key: reader })
        assert.deepStrictEqual(
          [status, sentence],
          [403, "This API key lacks the scope mcp. An OWNER may make a key that has it."]
        )
        const plan = "MCP over the network needs the Pro plan or a higher one; this organization is on STARTER."
        assert.deepStrictEqual(await refused({ key: starterKey }), [403, plan])
        const stdio = { path: "/api/mcp/stdio" }
        const listed = await ask({ method: "tools/list" }, { ...stdio, key: starterKey })
        assert.include(listed.text, "list_contacts")
        assert.notInclude(listed.text, '"name":"place_call"')
        assert.strictEqual((await ask({ method: "tools/list" }, { ...stdio, key: freeKey })).status, 403)
        assert.strictEqual((await refused({ headers: { origin: "https://evil.example" } }))[0], 403)
        assert.strictEqual((await refused({ headers: { origin: "https://app.example.test" } }))[0], 200)
        assert.strictEqual((await refused({ path: "/api/mcp?toolsets=everything" }))[0], 400)
        assert.strictEqual((await refused({ path: "/api/mcp?readonly=perhaps" }))[0], 400)
      })
    })
  )

  it.live("shows the tools that scopes, plan and client leave; a hidden tool is answered like an unknown one", () =>
    Effect.gen(function* () {
      const { base, key, run, keyOf, organizationId } = yield* stage
      const names = (client: McpClient) =>
        Effect.promise(async () => {
          const { tools } = (await client.ask("tools/list")) as { tools: ReadonlyArray<{ name: string }> }
          return tools.map(({ name }) => name)
        })
      const { secret: few } = yield* Effect.promise(() => run(keyOf(organizationId, ["mcp", "contacts:read"])))
      assert.deepStrictEqual(yield* names(yield* mcpClient("http 2025", { base, key: few })), [
        "list_contacts",
        "get_contact"
      ])
      const query = "?toolsets=contacts,messaging&readonly=1"
      const narrow = yield* mcpClient("http 2026", { base, key, query })
      assert.deepStrictEqual(yield* names(narrow), [
        "list_contacts",
        "get_contact",
        "list_templates",
        "list_quick_replies"
      ])
      const [hidden, unknown] = yield* Effect.promise(() =>
        Promise.all(
          ["send_message", "xend_message"].map((name) => narrow.call(name).catch((error: Error) => error.message))
        )
      )
      assert.strictEqual(String(hidden).replace("send", "xend"), String(unknown))
      yield* Effect.promise(() =>
        run(Effect.flatMap(Organizations, (organizations) => organizations.setPlan(organizationId, "PRO", false)))
      )
      assert.notInclude(yield* names(yield* mcpClient("sse", { base, key })), "place_call")
    })
  )

  it.live("ends the streams of a key at once when it is revoked", () =>
    Effect.gen(function* () {
      const { base, run, keyOf, organizationId, ask, session } = yield* stage
      const { secret, id } = yield* Effect.promise(() => run(keyOf(organizationId)))
      const sse = yield* mcpClient("sse", { base, key: secret })
      const headers = {
        authorization: `Bearer ${secret}`,
        accept,
        "mcp-session-id": yield* Effect.promise(() => session(secret))
      }
      const open = yield* Effect.promise(() => fetch(`${base}/api/mcp`, { headers }))
      assert.strictEqual(open.status, 200)
      yield* Effect.promise(() => run(Effect.flatMap(ApiKeys, (keys) => keys.revoke(organizationId, id))))
      const began = performance.now()
      yield* Effect.promise(async () => {
        const stream = open.body?.getReader()
        while ((await stream?.read())?.done === false);
      })
      assert.isBelow(performance.now() - began, 5_000)
      yield* eventually("the client hears that its key is over", async () => {
        const error = await sse.call("list_contacts").then(
          () => undefined,
          (cause: Error) => cause.message
        )
        assert.match(String(error), /401|closed|not valid|Not connected/i)
        return true
      })
      assert.strictEqual((yield* Effect.promise(() => ask(initialize, { key: secret }))).status, 401)
    })
  )
})

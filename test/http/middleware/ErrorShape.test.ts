import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sendableTypes } from "../../../src/domain/messaging/conversations/Message.ts"
import { makeWorld, type World } from "../world.ts"

const scenario = (name: string, run: (world: World) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(makeWorld(), (world) => Effect.promise(() => run(world))))

const refused = async (response: Response, status: number) => {
  assert.strictEqual(response.status, status)
  assert.isNotNull(response.headers.get("x-request-id"))
  const body = (await response.json()) as Record<string, unknown>
  assert.deepStrictEqual(Object.keys(body), ["error"])
  return String(body.error)
}

const headers = { authorization: "Bearer mk_1", "content-type": "application/json" }
const administrators = { ...headers, authorization: "Bearer mk_admin" }

describe("for errors", () => {
  scenario(
    "an unknown address gets 404, and an unknown method 405 with the methods that there are",
    async ({ base }) => {
      await refused(await fetch(`${base}/nope`), 404)
      await refused(await fetch(`${base}/api/voice-agents/${"x".repeat(300)}`, { headers }), 404)
      const others = [
        ["PATCH", "/api/voice-agents?page=1", "GET, HEAD, POST"],
        ["POST", "/api/voice-agents/agt_1", "DELETE, GET, HEAD, PUT"],
        ["OPTIONS", "/api/messaging-api/send", "POST"],
        ["DELETE", "/openapi.json", "GET, HEAD"],
        ["POST", "/healthz", "GET, HEAD"]
      ] as const
      for (const [method, path, allowed] of others) {
        const response = await fetch(base + path, { method, headers })
        assert.strictEqual(response.headers.get("allow"), allowed)
        const sentence = await refused(response, 405)
        assert.strictEqual(sentence, `This address does not take ${method}. It takes ${allowed}.`)
      }
    }
  )

  scenario("malformed JSON or a wrong content type gets 400", async ({ base }) => {
    const url = `${base}/api/voice-agents`
    assert.match(await refused(await fetch(url, { method: "POST", headers, body: "{" }), 400), /JSON/)
    const text = { ...headers, "content-type": "text/plain" }
    assert.match(await refused(await fetch(url, { method: "POST", headers: text, body: "{}" }), 400), /Content-Type/)
    await refused(await fetch(url, { method: "POST", headers, body: "[]" }), 400)
  })

  scenario("a body without a Content-Type gets 400, and no body needs none", async ({ base, memory }) => {
    const untyped = { authorization: headers.authorization }
    // A text would get a Content-Type from `fetch`.
    const body = Buffer.from("{}")
    const sentence = await refused(
      await fetch(`${base}/api/voice-agents`, { method: "POST", headers: untyped, body }),
      400
    )
    assert.strictEqual(sentence, "Send the header Content-Type with the body: application/json.")
    assert.strictEqual(memory.agents.size, 0)
    const removed = await fetch(`${base}/api/voice-agents/none`, { method: "DELETE", headers: untyped })
    assert.strictEqual(removed.status, 404)
  })

  scenario("a body that is not UTF-8 gets 400, and nothing is stored in its place", async ({ base, memory }) => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    for (const [method, path] of [
      ["POST", "/api/voice-agents"],
      ["PUT", "/api/organization/disclosure"]
    ])
      assert.strictEqual(
        await refused(await fetch(base + path, { method, headers: administrators, body }), 400),
        "The body of the request is not UTF-8."
      )
    assert.strictEqual(memory.agents.size, 0)
  })

  scenario("a control character in a body gets 400, and tabs and line breaks do not", async ({ call }) => {
    const disclosed = (text: string) => call("PUT", "/api/organization/disclosure", `{"text":"${text}"}`, "mk_admin")
    for (const character of ["\\u0000", "\\u0001", "\\b", "\\f", "\\u001b", "\\u001F"])
      assert.deepStrictEqual(
        (await disclosed(`a${character}b`)).body,
        { error: "text is invalid: it must not contain control characters or halves of characters." },
        character
      )
    const lines = await call("POST", "/api/voice-agents", { name: "a", prompt: "tab\t, line\nand\r\nline" })
    assert.notInclude(JSON.stringify(lines.body), "control characters or halves")
  })

  scenario("the message lists a choice completely in words, and names a field that came twice", async ({ call }) => {
    const send = await call("POST", "/api/messaging-api/send", { to: "+14155550101", type: "smoke" }, "mk_desk")
    assert.deepStrictEqual(send.body, {
      error: `The body is invalid: it must be an object whose type is one of ${sendableTypes.join(", ")}.`
    })
    const chats = await call("GET", "/api/messaging-api/chats?status=open", undefined, "mk_desk")
    assert.deepStrictEqual(chats.body, { error: "status is invalid: it must be one of OPEN, ASSIGNED, RESOLVED." })
    const twice = await call("GET", "/api/messaging-api/contacts?limit=5&limit=6")
    assert.deepStrictEqual([twice.status, twice.body], [400, { error: "limit is invalid: it must be given once." }])
  })

  scenario(
    "an unexpected form of any size is not held in memory, and is refused because it is unsigned",
    async ({ base }) => {
      const form = (bytes: number) => {
        const data = new FormData()
        data.set("file", new Blob([Buffer.alloc(bytes)]), "a.bin")
        return data
      }
      for (const [path, status] of [
        ["/api/webhooks/messaging", 403],
        ["/api/voice-agents/tool-call", 401]
      ] as const)
        for (const bytes of [10, 1_000_000]) {
          const sentence = await refused(await fetch(base + path, { method: "POST", body: form(bytes) }), status)
          assert.match(sentence, /signature/i)
        }
    }
  )

  scenario("a missing key gets 401 before the body is read", async ({ base }) => {
    const noKey = { "content-type": "application/json" }
    await refused(await fetch(`${base}/api/voice-agents`, { method: "POST", headers: noKey, body: "{" }), 401)
  })

  scenario("a defect gets 500 without any details", async ({ base, memory }) => {
    memory.agents.get = () => undefined
    memory.agents.values = () => {
      throw new Error("secret detail of the database")
    }
    const sentence = await refused(await fetch(`${base}/api/voice-agents`, { headers }), 500)
    assert.notInclude(sentence, "secret")
  })

  scenario("a client's well-formed X-Request-Id is returned, and a malformed one is not", async ({ base }) => {
    const own = await fetch(`${base}/healthz`, { headers: { "x-request-id": "abc-1" } })
    assert.strictEqual(own.headers.get("x-request-id"), "abc-1")
    const odd = await fetch(`${base}/healthz`, { headers: { "x-request-id": "a b<c>" } })
    assert.match(odd.headers.get("x-request-id") ?? "", /^req_/)
  })
})

describe("for operators", () => {
  scenario("the health routes report alive and ready, or name what is not ready", async ({ base, ready }) => {
    assert.strictEqual((await fetch(`${base}/healthz`)).status, 200)
    assert.strictEqual((await fetch(`${base}/readyz`)).status, 200)
    ready.database = false
    // The answer is kept for a second, so that frequent checks cost the database one query.
    assert.strictEqual((await fetch(`${base}/readyz`)).status, 200)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    assert.match(await refused(await fetch(`${base}/readyz`), 500), /database/)
  })

  scenario("the public port has no metrics", async ({ base }) => {
    await refused(await fetch(`${base}/metrics`), 404)
  })

  scenario("the interface serves its own description, also without a network", async ({ base }) => {
    const document = (await (await fetch(`${base}/openapi.json`)).json()) as { openapi: string; paths: object }
    assert.match(document.openapi, /^3\.1/)
    assert.includeMembers(Object.keys(document.paths), ["/api/voice-agents/{id}", "/api/calls/{id}"])
    const ofOperators = (await (await fetch(`${base}/openapi-operators.json`)).json()) as { paths: object }
    assert.includeMembers(Object.keys(ofOperators.paths), ["/readyz", "/api/webhooks/messaging"])
    const page = await (await fetch(`${base}/docs`)).text()
    assert.include(page, "api-reference-container")
    assert.notMatch(page, /<(script|link)[^>]+(src|href)=["']https?:/)
    assert.include(page, '"withDefaultFonts":false')
  })
})

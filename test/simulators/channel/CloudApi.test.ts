import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it, onTestFinished } from "vitest"
import { type CloudApi, type CloudApiOptions, start } from "../../../simulators/channel/CloudApi.ts"
import { readMessage } from "../../../simulators/channel/Messages.ts"
import { signatureOf } from "../../../simulators/channel/Webhooks.ts"
import { described } from "../../contract/vendors.ts"
import { messageExamples } from "../../contract/WhatsApp.ts"

const channel = async (options: CloudApiOptions = {}) => {
  const api = await start({ webhookRetryMs: 5, ...options })
  onTestFinished(() => api.close())
  const number = api.accounts.addNumber()
  const call = async (method: string, path: string, body?: unknown, token = number.accessToken) => {
    const response = await fetch(`${api.url}/v23.0${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  return { api, number, call }
}

/** A customer's app: the webhooks it received, and how it answers. */
const app = async (api: CloudApi, appSecret: string) => {
  const told: Array<{ readonly body: string; readonly signature: string }> = []
  const answers: Array<number> = []
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://app")
    if (request.method === "GET")
      return void response
        .writeHead(searchParams.get("hub.verify_token") === "mine" ? 200 : 403)
        .end(searchParams.get("hub.challenge"))
    let body = ""
    for await (const chunk of request) body += chunk
    told.push({ body, signature: String(request.headers["x-hub-signature-256"]) })
    response.writeHead(answers.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  await api.webhooks.configure(appSecret, { url, verifyToken: "mine" })
  return { told, answers, url }
}

const hello = (callbackData = "msg_1") => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  to: "919812345678",
  type: "text",
  text: { body: "Hello" },
  biz_opaque_callback_data: callbackData
})

/** The vendor's examples have placeholders where a value depends on whoever sends. */
const filled = (value: unknown, name = ""): unknown => {
  if (Array.isArray(value)) return value.map((item) => filled(item, name))
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, filled(field, key)]))
  if (name === "link") return "https://files.example.test/1"
  if (name === "message_id") return "wamid.1"
  if (name === "code" && /language/i.test(String(value))) return "en_US"
  return typeof value === "string" && value.startsWith("<") ? value.replace(/\D+(?=\d)/, "").slice(0, 20) : value
}

describe("the simulator of the Cloud API", () => {
  it.skipIf(!described)("takes every example of the vendor's description that is a message", () => {
    const refused = Object.entries(messageExamples)
      // Orders are paid and followed in some countries only; the reply to a list has no type.
      .filter(([name]) => !/Order (Details|Status)|read receipt|Reply to List/.test(name))
      .map(([name, example]) => [name, readMessage(filled(example))] as const)
      .filter(([, message]) => "code" in message)
    assert.deepStrictEqual(refused, [])
  })

  it("accepts messages from clients with the token, and counts them by their callback data", async () => {
    const { api, number, call } = await channel()
    const path = `/${number.phoneNumberId}/messages`
    const first = await call("POST", path, hello())
    assert.strictEqual(first.status, 200)
    assert.match(first.body.messages[0].id, /^wamid\./)
    await call("POST", path, hello())
    assert.strictEqual(api.timesSent("msg_1"), 2)
    assert.deepInclude((await call("POST", path, hello(), "another")).body.error, { code: 190 })
    assert.deepInclude((await call("POST", path, { ...hello(), text: { body: "" } })).body.error, { code: 131009 })
    assert.strictEqual(api.sent.length, 2)
  })

  it("accepts a user id in `recipient`, and silently drops a message with one in `to`", async () => {
    const { api, number, call } = await channel()
    const path = `/${number.phoneNumberId}/messages`
    const { to: _, ...rest } = hello()
    await call("POST", path, { ...rest, recipient: "IN.13491208655302741918" })
    await call("POST", path, { ...rest, to: "IN.13491208655302741918" })
    assert.deepStrictEqual(
      api.sent.map(({ dropped }) => dropped),
      [false, true]
    )
  })

  it("refuses, throttles and loses answers as planned", async () => {
    const { api, number, call } = await channel()
    const path = `/${number.phoneNumberId}/messages`
    api.faults.nextSends.push(
      { kind: "error", code: 131047 },
      { kind: "cut", accepted: true },
      { kind: "cut", accepted: false }
    )
    assert.deepInclude((await call("POST", path, hello())).body.error, { code: 131047 })
    for (const _ of [1, 2]) assert.strictEqual(await call("POST", path, hello()).catch(() => "lost"), "lost")
    assert.strictEqual(api.timesSent("msg_1"), 1)
    api.faults.messagesPerSecond = 1
    await call("POST", path, hello())
    const throttled = await call("POST", path, hello())
    assert.deepStrictEqual([throttled.status, throttled.headers.get("retry-after")], [429, "1"])
  })

  it("serves a file for five minutes at one address, and keeps uploads for thirty days", async () => {
    const { api, number, call } = await channel()
    const form = new FormData()
    form.set("messaging_product", "whatsapp")
    form.set("file", new Blob([Buffer.from("%PDF-1.4 \r\n--x")], { type: "application/pdf" }), "a.pdf")
    const authorization = `Bearer ${number.accessToken}`
    const uploaded = await fetch(`${api.url}/v23.0/${number.phoneNumberId}/media`, {
      method: "POST",
      headers: { authorization },
      body: form
    })
    const { id } = (await uploaded.json()) as { readonly id: string }
    const { body } = await call("GET", `/${id}`)
    assert.deepInclude(body, { mime_type: "application/pdf", file_size: "14" })
    assert.strictEqual((await fetch(body.url)).status, 401)
    const file = await fetch(body.url, { headers: { authorization } })
    assert.strictEqual(await file.text(), "%PDF-1.4 \r\n--x")
    api.clock.offsetMs = 5 * 60_000
    assert.strictEqual((await fetch(body.url, { headers: { authorization } })).status, 404)
    assert.strictEqual((await call("GET", `/${id}`)).status, 200)
    api.clock.offsetMs = 30 * 86_400_000
    assert.strictEqual((await call("GET", `/${id}`)).status, 400)
  })

  it("lists templates page by page", async () => {
    const { api, number, call } = await channel()
    for (const name of ["a", "b", "c"]) api.accounts.addTemplate(number.accountId, { name })
    const first = await call("GET", `/${number.accountId}/message_templates?limit=2`)
    assert.lengthOf(first.body.data, 2)
    const second = await call(
      "GET",
      `/${number.accountId}/message_templates?limit=2&after=${first.body.paging.cursors.after}`
    )
    assert.deepStrictEqual(
      [second.body.data.map(({ name }: { name: string }) => name), second.body.paging.next],
      [["c"], undefined]
    )
  })

  it("sends signed webhooks to verified, subscribed apps, and repeats those that the apps do not accept", async () => {
    const { api, number, call } = await channel()
    const { told, answers, url } = await app(api, number.appSecret)
    const wrong = api.webhooks.configure("other", { url, verifyToken: "wrong" })
    assert.instanceOf(await wrong.catch((error) => error), Error)
    api.write(number.phoneNumberId, { waId: "919812345678" }, { type: "text", text: { body: "नमस्ते 👋" } })
    await api.webhooks.settled()
    assert.lengthOf(told, 0, "not subscribed yet")
    await call("POST", `/${number.accountId}/subscribed_apps`)
    answers.push(500)
    api.write(number.phoneNumberId, { waId: "919812345678" }, { type: "text", text: { body: "नमस्ते 👋" } })
    await api.webhooks.settled()
    assert.lengthOf(told, 2)
    for (const { body, signature } of told) {
      assert.match(body, /^[\x20-\x7e]+$/)
      assert.strictEqual(signature, signatureOf(number.appSecret, body))
    }
    assert.strictEqual(JSON.parse(told[0].body).entry[0].changes[0].value.messages[0].text.body, "नमस्ते 👋")
  })

  it("reports the status of a message, and delays, repeats or reorders the reports on demand", async () => {
    const { api, number, call } = await channel({ statuses: ["sent", "delivered", "read"], statusEveryMs: 1 })
    const { told } = await app(api, number.appSecret)
    await call("POST", `/${number.accountId}/subscribed_apps`)
    api.webhooks.faults.hold = true
    api.webhooks.faults.duplicates = 1
    await call("POST", `/${number.phoneNumberId}/messages`, hello())
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.lengthOf(told, 0)
    api.webhooks.release("reversed")
    await api.webhooks.settled()
    const statuses = told.map(({ body }) => JSON.parse(body).entry[0].changes[0].value.statuses[0])
    assert.sameMembers(
      statuses.map(({ status }) => status),
      ["read", "read", "delivered", "delivered", "sent", "sent"]
    )
    assert.isTrue(statuses.every((one) => one.biz_opaque_callback_data === "msg_1"))
  })
})

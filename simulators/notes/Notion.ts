/** A simulated Notion: tokens, a database, pages, blocks, search, webhooks, limits and errors, as strict as the real one. */
import { createHmac, randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { httpFaults, listen, readBody, sendJson, spoiled } from "../support/Loopback.ts"
import { OAuthTokens } from "../support/OAuthTokens.ts"
import { botId, NotionRecords, NotionRefusal, type SimulatedBlock, type SimulatedPage } from "./NotionRecords.ts"

export const notionClient = { id: "parley-of-notion", secret: "secret-of-the-client" }
const version = "2026-03-11"
const workspaceId = "b4b9cb9a-3f0e-4a6f-8a2a-7e7cf1d0a001"

export interface NotionRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly at: number
}

export interface NotionEvent {
  readonly id: string
  readonly body: string
  readonly signature: string
}

const iso = (at: number) => new Date(at).toISOString()

export const start = async () => {
  const records = new NotionRecords()
  const faults = httpFaults()
  /** Requests in a second. */
  const limits = { perSecond: 100 }
  const received: Array<NotionRequest> = []
  let times: Array<number> = []
  const tokens = new OAuthTokens({
    client: notionClient,
    rotates: true,
    prefix: "ntn_access",
    lifetimeSeconds: 3_600,
    beside: () => ({
      ...{ bot_id: botId, workspace_id: workspaceId, workspace_name: "Maple Books", token_type: "bearer" },
      ...{ duplicated_template_id: null, owner: { type: "workspace", workspace: true } }
    })
  })

  /** The webhook of the workspace: where it goes, and its token. */
  const webhook = { url: undefined as string | undefined, token: `secret_${randomUUID()}` }
  const sent: Array<NotionEvent> = []
  const events: Array<NotionEvent> = []
  const post = (body: string, headers: Record<string, string>) =>
    webhook.url === undefined
      ? Promise.resolve(0)
      : fetch(webhook.url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body }).then(
          ({ status }) => status
        )
  const deliver = async ({ body, signature }: NotionEvent) => post(body, { "x-notion-signature": signature })
  records.told = (type, page, author) => {
    const body = JSON.stringify({
      ...{ id: randomUUID(), timestamp: iso(Date.now()), workspace_id: workspaceId, type },
      ...{ authors: [{ id: author, type: author === botId ? "bot" : "person" }], attempt_number: 1 },
      ...{ entity: { id: page.id, type: "page" }, data: { parent: { id: page.dataSourceId, type: "data_source" } } }
    })
    const signature = `sha256=${createHmac("sha256", webhook.token).update(body).digest("hex")}`
    events.push({ id: JSON.parse(body).id, body, signature })
  }
  /** Sends the first request of a webhook, with the token. */
  const handshake = () => post(JSON.stringify({ verification_token: webhook.token }), {})
  /** Sends what happened and was not sent yet. */
  const flush = async () => {
    const statuses: Array<number> = []
    for (const event of events.splice(0)) {
      sent.push(event)
      statuses.push(await deliver(event))
    }
    return statuses
  }

  const shownPage = ({ id, dataSourceId, parentId, properties, inTrash, editedAt, editedBy }: SimulatedPage) => ({
    ...{ object: "page", id, created_time: iso(editedAt), last_edited_time: iso(editedAt), in_trash: inTrash },
    ...{ created_by: { object: "user", id: editedBy }, last_edited_by: { object: "user", id: editedBy } },
    parent:
      parentId !== undefined
        ? { type: "page_id", page_id: parentId }
        : dataSourceId === null
          ? { type: "workspace", workspace: true }
          : { type: "data_source_id", data_source_id: dataSourceId, database_id: records.databaseId },
    ...{
      icon: null,
      cover: null,
      is_locked: false,
      public_url: null,
      url: `https://www.notion.so/${id.replaceAll("-", "")}`
    },
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => {
        const type = dataSourceId === null ? "title" : records.schema[name]
        return [name, { id: name.toLowerCase(), type, [type]: value }]
      })
    )
  })
  const shownBlock = ({ id, parentId, type, content }: SimulatedBlock) => ({
    ...{ object: "block", id, parent: { type: "block_id", block_id: parentId }, type, in_trash: false },
    ...{ has_children: [...records.blocks.values()].some((block) => block.parentId === id), [type]: content }
  })
  const list = <A extends { readonly id: string }>(
    part: ReturnType<typeof records.part<A>>,
    shown: (one: A) => object
  ) => ({
    ...{ object: "list", next_cursor: part.next_cursor, has_more: part.has_more, request_id: randomUUID() },
    results: part.results.map(shown)
  })

  const work = (method: string, url: URL, body: unknown): unknown => {
    const [, kind = "", id = "", more] = url.pathname.slice(1).split("/")
    const asked = `${method} ${kind}${id === "" ? "" : "/…"}${more === undefined ? "" : `/${more}`}`
    const size = Number(url.searchParams.get("page_size") ?? 100)
    const start = url.searchParams.get("start_cursor")
    if (method === "GET" && kind === "users" && id === "me")
      return {
        ...{ object: "user", id: botId, type: "bot", name: "Parley", avatar_url: null },
        bot: { owner: { type: "workspace", workspace: true }, workspace_id: workspaceId, workspace_name: "Maple Books" }
      }
    switch (asked) {
      case "GET databases/…":
        records.database(id)
        return {
          ...{ object: "database", id, title: [], in_trash: false, is_inline: false },
          data_sources: [{ id: records.dataSourceId, name: "Contacts" }]
        }
      case "GET data_sources/…":
        return {
          ...{ object: "data_source", id: records.dataSourceId, title: [], in_trash: false },
          properties: Object.fromEntries(
            Object.entries(records.schema).map(([name, type]) => [
              name,
              { id: name.toLowerCase(), name, type, [type]: {} }
            ])
          )
        }
      case "POST data_sources/…/query":
        return list(records.query(body), shownPage)
      case "POST pages":
        return shownPage(records.create(body))
      case "GET pages/…":
        return shownPage(records.page(id))
      case "PATCH pages/…":
        return shownPage(records.change(id, body))
      case "GET blocks/…/children":
        return list(records.part(records.children(id), size, start), shownBlock)
      case "PATCH blocks/…/children": {
        const made = records.append(id, body)
        return list({ results: [...made], next_cursor: null, has_more: false }, shownBlock)
      }
      case "PATCH blocks/…":
        return shownBlock(records.changeBlock(id, body))
      case "POST search": {
        const found = [...records.pages.values()].filter((page) => !page.inTrash && !records.hidden.has(page.id))
        const { page_size = 100, start_cursor } = body as {
          readonly page_size?: number
          readonly start_cursor?: string
        }
        return list(
          records.part(
            found.sort((a, b) => b.editedAt - a.editedAt),
            page_size,
            start_cursor
          ),
          shownPage
        )
      }
      default:
        throw new NotionRefusal(400, "invalid_request_url", "Invalid request URL.")
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://notion.test")
    const raw = await readBody(request)
    const { method = "GET", headers } = request
    const refuse = (status: number, code: string, message: string, more = {}) =>
      sendJson(response, status, { object: "error", status, code, message, request_id: randomUUID() }, more)
    const broken = (status: number) => ({
      ...{ object: "error", status, code: status === 529 ? "service_overload" : "internal_server_error" },
      ...{ message: "Unexpected error occurred.", request_id: randomUUID() }
    })
    if (await spoiled(faults, response, broken)) return
    if (url.pathname === "/v1/oauth/token" && method === "POST") {
      const [id, secret] = Buffer.from((headers.authorization ?? "").replace(/^Basic /, ""), "base64")
        .toString()
        .split(":")
      const form = new URLSearchParams({ ...JSON.parse(raw), client_id: id, client_secret: secret })
      const given = tokens.take(form)
      return sendJson(response, given.status, given.body)
    }
    if (tokens.judge((headers.authorization ?? "").replace(/^Bearer /, "")) !== "good")
      return refuse(401, "unauthorized", "API token is invalid.")
    if (headers["notion-version"] !== version)
      return refuse(400, "missing_version", "Notion-Version header failed validation.")
    const now = Date.now()
    times = times.filter((at) => now - at < 1_000)
    if (times.length >= limits.perSecond)
      return refuse(429, "rate_limited", "You have been rate limited. Please try again in a few minutes.", {
        "retry-after": "1"
      })
    times.push(now)
    try {
      if (raw.length > 500_000) throw new NotionRefusal(413, "validation_error", "Request body too large.")
      const body: unknown = raw === "" ? undefined : JSON.parse(raw)
      received.push({ method, path: url.pathname + url.search, body, at: now })
      sendJson(response, 200, work(method, url, body))
    } catch (cause) {
      if (cause instanceof NotionRefusal) return refuse(cause.status, cause.code, cause.message)
      refuse(400, "invalid_json", String(cause))
    }
  }

  const { url, close } = await listen(answer)
  return { url, close, records, tokens, faults, limits, received, webhook, handshake, flush, deliver, sent, events }
}
export type NotionSimulator = Awaited<ReturnType<typeof start>>

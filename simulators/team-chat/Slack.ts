/**
 * A simulated Slack, as strict as the real one: OAuth with token rotation, the Web API with scopes, cursors and limits by method, files, events over signed
 * requests or sockets, and uninstalling.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { httpFaults, listen, readBody, readBytes, sendJson, spoiled } from "../support/Loopback.ts"
import { OAuthTokens } from "../support/OAuthTokens.ts"
import { SlackDelivery, signingSecret } from "./SlackDelivery.ts"
import { type Arguments, methods, uploadsOf } from "./SlackMethods.ts"
import { appId, botUserId, type SlackMessage, SlackRefusal, SlackWorkspace, teamId } from "./SlackWorkspace.ts"

export const slackClient = { id: "2001.3001", secret: "secret-of-the-slack-app" }
export const appToken = "xapp-1-A0PARLEY01-1-socket"
export { signingSecret }

export interface SlackRequest {
  readonly method: string
  readonly given: Arguments
  readonly at: number
}

const errorOf = (form: URLSearchParams, error: string): string => {
  if (error === "invalid_client") return "bad_client_secret"
  if (error === "unsupported_grant_type") return "invalid_grant_type"
  return form.get("grant_type") === "refresh_token" ? "invalid_refresh_token" : "invalid_code"
}

/** The arguments of a method: a form, JSON, or the query. */
const argumentsOf = async (request: IncomingMessage, url: URL): Promise<Arguments> => {
  const type = (request.headers["content-type"] ?? "").split(";")[0]
  const body = await readBody(request)
  const query = Object.fromEntries(url.searchParams)
  if (type === "application/json") {
    try {
      return { ...query, ...(JSON.parse(body || "{}") as object) }
    } catch {
      throw new SlackRefusal("invalid_json")
    }
  }
  if (type !== "" && type !== "application/x-www-form-urlencoded") throw new SlackRefusal("invalid_post_type")
  return { ...query, ...Object.fromEntries(new URLSearchParams(body)) }
}

/** The bytes of an upload: the body itself, or the file of a form. */
const uploaded = async (request: IncomingMessage): Promise<Uint8Array> => {
  const body = new Uint8Array(await readBytes(request))
  const type = request.headers["content-type"] ?? ""
  if (!type.startsWith("multipart/form-data")) return body
  const form = await new Response(body, { headers: { "content-type": type } }).formData()
  const [file] = [...form.values()].filter((value) => typeof value !== "string")
  return file === undefined ? new Uint8Array() : new Uint8Array(await file.arrayBuffer())
}

export const start = async (port = 0) => {
  const workspace = new SlackWorkspace()
  const delivery = new SlackDelivery()
  const faults = httpFaults()
  const received: Array<SlackRequest> = []
  /** Requests in a minute that replace those of the tiers, and messages in a second and channel. */
  const limits = { perMinute: {} as Record<string, number>, postsPerSecond: 100 }
  const asked = new Map<string, Array<number>>()
  /** `declines`: people say no. `lostAnswers`: how many of the next posts are done and not answered. */
  const behaviour = { declines: false, lostAnswers: 0, rotates: true }
  let scopes: ReadonlyArray<string> = []
  let pressed = 0
  let installed = false
  workspace.told = (event) => delivery.happened(event)

  const beside = (lifetimeSeconds: number) => ({
    ...{ ok: true, token_type: "bot", scope: scopes.join(","), bot_user_id: botUserId, app_id: appId },
    ...{ team: { id: teamId, name: "Maple Books" }, enterprise: null, is_enterprise_install: false },
    ...{ authed_user: { id: "U0ADMIN001" }, expires_in: lifetimeSeconds }
  })
  let asking = new URLSearchParams()
  const tokens = new OAuthTokens({
    ...{ client: slackClient, rotates: true, prefix: "xoxe.xoxb-1", lifetimeSeconds: 43_200 },
    beside: (given) => beside(given.lifetimeSeconds),
    refusal: (error) => ({ status: 200, body: { ok: false, error: errorOf(asking, error) } })
  })

  const access = (form: URLSearchParams) => {
    asking = new URLSearchParams(form)
    if (!asking.has("grant_type")) asking.set("grant_type", "authorization_code")
    const answer = tokens.take(asking)
    const body = answer.body as Record<string, unknown>
    if (body.ok === true) installed = true
    if (behaviour.rotates || body.ok !== true) return answer
    // Without token rotation a token has no end.
    const { refresh_token: _, expires_in: __, access_token, ...kept } = body
    tokens.privateApps.add(String(access_token))
    return { ...answer, body: { ...kept, access_token } }
  }

  /** The consent page, which a person has agreed to. */
  const authorize = (url: URL, response: ServerResponse) => {
    const redirect = new URL(url.searchParams.get("redirect_uri") ?? "")
    redirect.searchParams.set("state", url.searchParams.get("state") ?? "")
    if (url.searchParams.get("client_id") !== slackClient.id) return sendJson(response, 400, { error: "bad_client" })
    if (behaviour.declines) redirect.searchParams.set("error", "access_denied")
    else {
      scopes = (url.searchParams.get("scope") ?? "").split(",")
      redirect.searchParams.set("code", tokens.agree(url.searchParams.get("redirect_uri") ?? ""))
    }
    response.writeHead(302, { location: redirect.href }).end()
  }

  const refuseToken = (token: string) => {
    const judged = tokens.judge(token)
    if (judged === "good") return undefined
    if (judged === "expired") return "token_expired"
    return installed ? "invalid_auth" : "account_inactive"
  }

  /** Seconds to wait when a limit is used up. */
  const tooMany = (method: string, perMinute: number, given: Arguments): number | undefined => {
    const now = Date.now()
    const counts = [
      { name: method, most: limits.perMinute[method] ?? perMinute, windowMs: 60_000 },
      ...(method === "chat.postMessage"
        ? [{ name: `${method} ${given.channel}`, most: limits.postsPerSecond, windowMs: 1_000 }]
        : [])
    ]
    for (const { name, most, windowMs } of counts) {
      const times = (asked.get(name) ?? []).filter((at) => at > now - windowMs)
      asked.set(name, times)
      if (times.length >= most) return Math.max(1, Math.ceil((times[0] + windowMs - now) / 1_000))
    }
    for (const { name } of counts) asked.get(name)?.push(now)
    return undefined
  }

  const openSocket = (token: string, url: string) => {
    if (token !== appToken)
      throw new SlackRefusal(token.startsWith("xapp-") ? "invalid_auth" : "not_allowed_token_type")
    return { url: `${url.replace("http", "ws")}/link?ticket=${delivery.ticket()}&app_id=${appId}` }
  }

  const call = async (name: string, request: IncomingMessage, response: ServerResponse, url: URL) => {
    const given = await argumentsOf(request, url)
    if (name === "oauth.v2.access") {
      const form = new URLSearchParams(given as Record<string, string>)
      const basic = (request.headers.authorization ?? "").match(/^Basic (.+)$/)?.[1]
      const [id, secret] = basic === undefined ? [] : Buffer.from(basic, "base64").toString().split(":")
      if (id !== undefined && secret !== undefined) {
        form.set("client_id", id)
        form.set("client_secret", secret)
      }
      const { status, body } = access(form)
      return sendJson(response, status, body)
    }
    received.push({ method: name, given, at: Date.now() })
    const token = (request.headers.authorization ?? "").replace(/^Bearer /, "")
    if (token === "") throw new SlackRefusal("not_authed")
    if (name === "apps.connections.open")
      return sendJson(response, 200, { ok: true, ...openSocket(token, loopback.url) })
    const refused = refuseToken(token)
    if (refused !== undefined) throw new SlackRefusal(refused)
    // A bot may not read threads in channels: nothing may depend on it.
    if (name === "conversations.replies" || name === "conversations.history")
      throw new SlackRefusal("not_allowed_token_type")
    const method = methods[name]
    if (method === undefined) throw new SlackRefusal("unknown_method", { req_method: name })
    const lacking = method.scopes.length > 0 && !method.scopes.some((scope) => scopes.includes(scope))
    if (lacking)
      throw new SlackRefusal("missing_scope", { needed: method.scopes.join(","), provided: scopes.join(",") })
    const wait = tooMany(name, method.perMinute, given)
    if (wait !== undefined)
      return sendJson(response, 429, { ok: false, error: "ratelimited" }, { "retry-after": String(wait) })
    const answer = method.run(workspace, given)
    if (name === "chat.postMessage" && behaviour.lostAnswers > 0) {
      behaviour.lostAnswers--
      return response.destroy()
    }
    return sendJson(response, 200, { ok: true, ...answer })
  }

  const file = async (request: IncomingMessage, response: ServerResponse, url: URL) => {
    const token = (request.headers.authorization ?? "").replace(/^Bearer /, "")
    const id = url.pathname.split("/")[2]?.split("-")[1] ?? ""
    const found = workspace.files.get(id)
    // Without a token Slack shows its page to sign in.
    if (tokens.judge(token) !== "good" || found === undefined)
      return response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in to Slack</html>")
    response.writeHead(200, { "content-type": found.mimetype, "content-length": found.bytes.length }).end(found.bytes)
  }

  const upload = async (request: IncomingMessage, response: ServerResponse, id: string) => {
    const bytes = await uploaded(request)
    const asked = uploadsOf(workspace).get(id)
    if (asked === undefined || bytes.length !== asked.length) return response.writeHead(400).end("invalid upload")
    workspace.files.set(id, { id, name: asked.name, mimetype: "application/octet-stream", bytes })
    response.writeHead(200).end(`OK - ${bytes.length}`)
  }

  const loopback = await listen(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://slack")
    if (await spoiled(faults, response, () => ({ ok: false, error: "internal_error" }))) return
    if (url.pathname === "/oauth/v2/authorize") return void authorize(url, response)
    if (url.pathname.startsWith("/files-pri/")) return void (await file(request, response, url))
    if (url.pathname.startsWith("/upload/v1/")) return void (await upload(request, response, url.pathname.slice(11)))
    if (!url.pathname.startsWith("/api/")) return sendJson(response, 404, { ok: false, error: "unknown_path" })
    try {
      await call(url.pathname.slice(5), request, response, url)
    } catch (problem) {
      if (!(problem instanceof SlackRefusal)) throw problem
      sendJson(response, 200, { ok: false, error: problem.error, ...problem.more })
    }
  }, port)
  workspace.baseUrl = loopback.url
  delivery.serve(loopback.server)

  return {
    ...{ workspace, delivery, tokens, received, limits, faults, behaviour, url: loopback.url },
    /** Somebody presses a button of a message of the app. `times`: how often it is told. Gives whether each was taken. */
    press: async (user: string, message: SlackMessage, action: string, times = 1) => {
      const shown = workspace.messages.find(({ channel, ts }) => channel === message.channel && ts === message.ts)
      const blocks = (shown?.blocks ?? []) as ReadonlyArray<{
        readonly elements?: ReadonlyArray<{ readonly action_id: string; readonly value: string }>
      }>
      const button = blocks.flatMap(({ elements = [] }) => elements).find(({ action_id }) => action_id === action)
      if (button === undefined) throw new Error(`there is no button ${action}`)
      const { channel, ts, threadTs } = message
      const actionTs = `${Math.floor(Date.now() / 1_000)}.${String(++pressed).padStart(6, "0")}`
      const payload = {
        ...{
          type: "block_actions",
          team: { id: teamId, domain: "maplebooks" },
          api_app_id: appId,
          trigger_id: `1.${pressed}`
        },
        user: { id: user, username: "somebody", team_id: workspace.people.get(user)?.teamId ?? teamId },
        channel: { id: channel, name: "privategroup" },
        container: {
          type: "message",
          message_ts: ts,
          channel_id: channel,
          is_ephemeral: false,
          ...(threadTs === undefined ? {} : { thread_ts: threadTs })
        },
        message: workspace.shown(message),
        response_url: `${loopback.url}/response`,
        actions: [{ ...button, type: "button", block_id: "b1", action_ts: actionTs }]
      }
      const taken: Array<boolean> = []
      for (let told = 0; told < times; told++) taken.push(await delivery.pressed(payload))
      return taken
    },
    /** The workspace removes the app. Slack tells both, in no certain order. */
    uninstall: () => {
      installed = false
      tokens.revokeAll()
      tokens.privateApps.clear()
      delivery.happened({ type: "tokens_revoked", tokens: { oauth: [], bot: [botUserId] }, event_ts: "1.1" })
      delivery.happened({ type: "app_uninstalled", event_ts: "1.2" })
    },
    close: async () => {
      delivery.close()
      await loopback.close()
    }
  }
}
export type SlackSimulator = Awaited<ReturnType<typeof start>>

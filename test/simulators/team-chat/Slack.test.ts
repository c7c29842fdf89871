/** The vendor's libraries as judges of the simulated Slack: they read what it answers, and take what it signs. */
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from "@slack/bolt"
import { type ConversationsListResponse, ErrorCode, WebClient } from "@slack/web-api"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import {
  appToken,
  type SlackSimulator,
  signingSecret,
  slackClient,
  start
} from "../../../simulators/team-chat/Slack.ts"
import { botUserId, teamId } from "../../../simulators/team-chat/SlackWorkspace.ts"

const scopes = "channels:read,channels:join,chat:write,users:read,im:write,files:write"
const redirectUri = "https://parley.example/api/integrations/slack/callback"

describe("the Slack simulator", () => {
  let slack: SlackSimulator
  let server: Server | undefined
  beforeEach(async () => {
    slack = await start()
  })
  afterEach(async () => {
    await slack.close()
    server?.closeAllConnections()
    server?.close()
    server = undefined
  })

  const options = () => ({
    slackApiUrl: `${slack.url}/api/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true
  })

  /** A person installs the app; gives what the token endpoint gave. */
  const install = async () => {
    const query = { client_id: slackClient.id, scope: scopes, redirect_uri: redirectUri, state: "s1" }
    const agreed = await fetch(`${slack.url}/oauth/v2/authorize?${new URLSearchParams(query)}`, { redirect: "manual" })
    const back = new URL(agreed.headers.get("location") ?? "")
    assert.strictEqual(back.searchParams.get("state"), "s1")
    return new WebClient(undefined, options()).oauth.v2.access({
      client_id: slackClient.id,
      client_secret: slackClient.secret,
      code: back.searchParams.get("code") ?? "",
      redirect_uri: redirectUri
    })
  }

  const errorOf = (asked: Promise<unknown>) =>
    asked.then(
      () => "none",
      (problem: { data?: { error?: string }; code?: string }) => problem.data?.error ?? problem.code
    )

  it("gives tokens that end, new ones for a refresh token, and none for one that was used", async () => {
    const given = await install()
    assert.strictEqual(given.team?.id, teamId)
    assert.strictEqual(given.bot_user_id, botUserId)
    const refresh = (token: string) =>
      new WebClient(undefined, options()).oauth.v2.access({
        ...{ client_id: slackClient.id, client_secret: slackClient.secret },
        ...{ grant_type: "refresh_token", refresh_token: token }
      })
    slack.tokens.expireAll()
    assert.strictEqual(await errorOf(new WebClient(given.access_token, options()).auth.test()), "invalid_auth")
    const renewed = await refresh(given.refresh_token ?? "")
    assert.isTrue((await new WebClient(renewed.access_token, options()).auth.test()).ok)
    assert.strictEqual(await errorOf(refresh(given.refresh_token ?? "")), "invalid_refresh_token")
  })

  it("lists channels by pages, joins one, and writes into a thread only where the app is", async () => {
    const web = new WebClient((await install()).access_token, options())
    for (const name of ["general", "support", "orders"]) slack.workspace.channel(name)
    const names: Array<string | undefined> = []
    for await (const page of web.paginate("conversations.list", { limit: 2 }))
      for (const { name } of (page as ConversationsListResponse).channels ?? []) names.push(name)
    assert.deepStrictEqual(names, ["general", "support", "orders"])
    const [{ id: channel }] = [...slack.workspace.channels.values()]
    assert.strictEqual(await errorOf(web.chat.postMessage({ channel, text: "hi" })), "not_in_channel")
    await web.conversations.join({ channel })
    const root = await web.chat.postMessage({ channel, text: "Hello" })
    const reply = await web.chat.postMessage({ channel, text: "Again", thread_ts: root.ts ?? "" })
    assert.strictEqual(reply.message?.thread_ts, root.ts)
    assert.strictEqual(await errorOf(web.chat.postMessage({ channel, text: "" })), "no_text")
    assert.strictEqual(await errorOf(web.conversations.history({ channel })), "not_allowed_token_type")
    await web.assistant.threads.setStatus({ channel_id: channel, thread_ts: root.ts ?? "", status: "is thinking…" })
    const asha = slack.workspace.person("Asha Rao", "asha@example.com")
    assert.strictEqual(await errorOf(web.users.lookupByEmail({ email: "asha@example.com" })), "unknown_method")
    assert.strictEqual((await web.users.info({ user: asha.id })).user?.real_name, "Asha Rao")
    const files = await web.files.uploadV2({
      channel_id: channel,
      thread_ts: root.ts ?? "",
      filename: "a.txt",
      file: Buffer.from("A")
    })
    assert.isTrue(files.ok)
    slack.limits.perMinute["users.info"] = 1
    const limited = await web.users
      .info({ user: asha.id })
      .catch((problem: { code: string; retryAfter: number }) => problem)
    assert.deepInclude(limited, { code: ErrorCode.RateLimitedError })
    slack.workspace.archive(slack.workspace.find(channel), true)
    assert.strictEqual(await errorOf(web.chat.postMessage({ channel, text: "hi" })), "is_archived")
    slack.uninstall()
    assert.strictEqual(await errorOf(web.auth.test()), "account_inactive")
  })

  /** An app of the vendor's framework; gives the texts that it gets. */
  const listening = (receiver: HTTPReceiver | SocketModeReceiver) => {
    const app = new App({
      ...{ receiver, clientOptions: options(), logLevel: LogLevel.ERROR },
      authorize: async () => ({ botToken: "xoxb-any", botId: "B1", botUserId })
    })
    const heard: Array<string> = []
    app.message(async ({ message }) => {
      heard.push("text" in message ? `${message.text}` : (message.subtype ?? ""))
    })
    return { app, heard }
  }

  it("signs what the vendor's verifier takes, and proves the address", async () => {
    const receiver = new HTTPReceiver({ signingSecret, logLevel: LogLevel.ERROR, endpoints: "/slack/events" })
    const { heard } = listening(receiver)
    const listener = receiver.requestListener as unknown as RequestListener
    server = createServer(listener).listen(0, "127.0.0.1")
    await new Promise((resolve) => server?.once("listening", resolve))
    slack.delivery.requestUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`
    assert.isTrue(await slack.delivery.verifyUrl())
    const channel = slack.workspace.channel("general", { withBot: true })
    slack.workspace.say(slack.workspace.person("Asha").id, channel.id, "Is the shop open?")
    assert.isTrue(await slack.delivery.once(slack.delivery.waiting[0]))
    assert.deepStrictEqual(heard, ["Is the shop open?"])
    const wrong = await slack.delivery.post("{}", {}, Date.now(), "another secret")
    const late = await slack.delivery.post("{}", {}, Date.now() - 301_000)
    assert.deepStrictEqual([wrong?.status, late?.status], [401, 401])
  })

  it("delivers over sockets what the vendor's client acknowledges", async () => {
    const receiver = new SocketModeReceiver({
      ...{ appToken, logLevel: LogLevel.ERROR },
      ...{ installerOptions: { clientOptions: options() } }
    })
    const { app, heard } = listening(receiver)
    await app.start()
    try {
      const channel = slack.workspace.channel("general", { withBot: true })
      slack.workspace.say(slack.workspace.person("Asha").id, channel.id, "Over the socket")
      assert.isTrue(await slack.delivery.once(slack.delivery.waiting[0]))
      assert.deepStrictEqual(heard, ["Over the socket"])
    } finally {
      await app.stop()
    }
  })
})

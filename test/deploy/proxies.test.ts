/** Real proxies with the files of `docs/deploy`, in front of the running service. */
import { connect, getCACertificates, setDefaultCACertificates } from "node:tls"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Scope } from "effect"
import * as TelephoneNetwork from "../../simulators/telephone/TelephoneNetwork.ts"
import { telephonyPath } from "../../src/http/groups/voice/telephony.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { certificate } from "../support/certificate.ts"
import { openEvents } from "../support/event-stream.ts"
import * as samples from "../support/mediaSamples.ts"
import { type Parley, startParley } from "../support/parley.ts"
import { type Proxy, type ProxyKind, proxyKinds, startProxy, versionOf } from "../support/proxies.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

/** The origin that webhooks are signed for, whichever proxy they pass. */
const publicOrigin = "https://voice.example.com"

/** Bytes of a header that Parley takes. */
const headerBytes = 3_000

const scope = Scope.makeUnsafe()
let parley: Parley

beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates("default"), certificate])
  parley = await Effect.runPromise(
    startParley({
      lines: {},
      agent: { silence: { promptAfterSeconds: 60, maxPrompts: 1, promptText: "Hello?", goodbyeText: "Bye." } },
      settings: {
        publicBaseUrl: Option.some(publicOrigin),
        streamUrl: Option.some(`${publicOrigin.replace("https", "wss")}/media`),
        trustedProxies: ["127.0.0.1/32"]
      }
    }).pipe(Scope.provide(scope))
  )
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** Whether an answer is whole. Bodies of unknown length end with their connection. */
const isWhole = (text: string) => {
  const [head, body] = text.split("\r\n\r\n", 2)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return body !== undefined && length !== undefined && body.length >= Number(length)
}

/**
 * Sends bytes as they are, and gives the first answer. What follows that within 200 ms is part of its body.
 * `from` is the client's address on loopback.
 */
const sent = (proxy: Proxy, lines: ReadonlyArray<string>, from?: string) =>
  new Promise<Answer>((resolve, reject) => {
    const socket = connect({
      host: "127.0.0.1",
      port: proxy.tlsPort,
      servername: "localhost",
      ...(from === undefined ? {} : { localAddress: from })
    })
    let text = ""
    const finish = () => {
      socket.destroy()
      const [head, ...rest] = text.split("\r\n\r\n")
      const [first, ...fields] = head.split("\r\n")
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1])
      if (Number.isNaN(status))
        return reject(new Error(`no answer of HTTP/1 from ${proxy.name}: ${text.slice(0, 200)}`))
      const headers = new Headers(
        fields.map((field) => [field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1).trim()])
      )
      resolve({ status, headers, body: rest.join("\r\n\r\n") })
    }
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1")
      if (isWhole(text)) socket.setTimeout(200)
    })
    socket.on("end", finish)
    socket.on("error", (cause) => (text === "" ? reject(cause) : finish()))
    socket.setTimeout(15_000, finish)
    socket.write([...lines, "", ""].join("\r\n"))
  })

const get = (path: string, headers: ReadonlyArray<string> = []) => [
  `GET ${path} HTTP/1.1`,
  "Host: localhost",
  "Connection: close",
  ...headers
]

const isError = ({ body, headers }: Answer) => {
  assert.match(headers.get("content-type") ?? "", /^application\/json/)
  assert.match(body, /\{"error":"[A-Z][^"]+\."\}/)
}

/** Posts to the running service through the proxy. */
const post = (proxy: Proxy, path: string, body: object) =>
  fetch(proxy.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${parley.tenant.key}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })

/** Addresses of loopback for the clients of one proxy: each proxy's clients are counted apart. */
const clientsOf = ({ name }: ProxyKind) => {
  const network = proxyKinds.findIndex((kind) => kind.name === name) + 2
  return (host: number) => `127.0.${network}.${host}`
}

for (const kind of proxyKinds) {
  const version = versionOf(kind)
  const missing = version === undefined
  // In CI a missing program is a failure: `npm test` installs it there.
  const skipped = missing && (process.env.CI ?? "") === ""
  const title = `Parley behind ${kind.name}${missing ? ` (${kind.program} is not installed)` : ""}`

  describe.skipIf(skipped).concurrent(title, () => {
    let proxy: Proxy
    const start = async (port: number) => Effect.runPromise(startProxy(kind, port).pipe(Scope.provide(scope)))
    beforeAll(async () => {
      proxy = await start(Number(new URL(parley.baseUrl).port))
    })

    it("answers clients of HTTP/1.1, and those of HTTP/1.0 at least with a sentence", async () => {
      const listed = await fetch(`${proxy.url}/api/voices`, {
        headers: { authorization: `Bearer ${parley.tenant.key}` }
      })
      assert.strictEqual(listed.status, 200)
      assert.match(listed.headers.get("x-request-id") ?? "", /^req_/)
      const refused = await sent(proxy, get("/api/voices"))
      assert.strictEqual(refused.status, 401)
      isError(refused)
      const old = await sent(proxy, ["GET /healthz HTTP/1.0", "Host: localhost"])
      if (kind.takesOldClients) {
        assert.strictEqual(old.status, 200)
        assert.include(old.body, '{"status":"ok"}')
      } else {
        assert.strictEqual(old.status, 400)
        isError(old)
      }
    })

    it("gets long headers, and the proxy refuses those above 16 KB", async () => {
      const withHeader = (bytes: number) => sent(proxy, get("/healthz", [`X-Long: ${"x".repeat(bytes)}`]))
      assert.strictEqual((await withHeader(headerBytes)).status, 200)
      const refused = await withHeader(40_000)
      assert.oneOf(refused.status, kind.malformedGetJson ? [400] : [400, 431])
      if (kind.malformedGetJson) isError(refused)
    })

    it("never sees a request whose length is ambiguous", async () => {
      const smuggled = await sent(proxy, [
        "POST /api/contacts HTTP/1.1",
        "Host: localhost",
        "Content-Length: 2",
        "Content-Length: 40",
        "",
        "{}GET /healthz HTTP/1.1",
        "Host: localhost"
      ])
      assert.strictEqual(smuggled.status, 400)
      assert.notInclude(smuggled.body, "HTTP/1.1 200")
      if (kind.malformedGetJson) isError(smuggled)
    })

    it("keeps operators' addresses from the public, however they are spelled", async () => {
      const spellings = [
        ...["/metrics", "/metrics/", "/metrics?x=1", "/metrics;x", "/METRICS", "//metrics", "/%6detrics"],
        ...["/metrics/x", "/readyz", "/Readyz", "/x/../metrics", "/./metrics"]
      ]
      for (const path of spellings) {
        const answer = await sent(proxy, get(path))
        assert.notInclude(answer.body, "parley_", path)
        assert.notInclude(answer.body, "checks", path)
        assert.strictEqual(answer.status, 404, path)
        isError(answer)
      }
      assert.strictEqual((await sent(proxy, get("/healthz"))).status, 200)
    })

    it("counts clients by their own address, not by one that they claim", async () => {
      const from = clientsOf(kind)
      const left = async (client: string, claims: ReadonlyArray<string> = []) => {
        const answer = await sent(
          proxy,
          get("/api/voices", [
            `Authorization: Bearer ${parley.tenant.key}`,
            ...claims.map((claim) => `X-Forwarded-For: ${claim}`)
          ]),
          client
        )
        assert.strictEqual(answer.status, 200)
        return Number(answer.headers.get("ratelimit-remaining"))
      }
      const first = await left(from(1))
      assert.deepStrictEqual(
        [
          await left(from(1), ["203.0.113.1"]),
          await left(from(1), ["203.0.113.2, 127.0.0.1"]),
          await left(from(1), ["203.0.113.3", "203.0.113.4"]),
          await left(from(2)),
          await left(from(1))
        ],
        [first - 1, first - 2, first - 3, first, first - 4]
      )
    })

    it("sends live events through it at once", async () => {
      const client = await openEvents(proxy.url, parley.tenant.key)
      assert.strictEqual(client.status, 200)
      const phone = `+1415555${String(proxy.tlsPort).padStart(4, "0").slice(-4)}`
      const changed = performance.now()
      assert.strictEqual((await post(proxy, "/api/messaging-api/contacts", { phone, name: kind.name })).status, 201)
      await client.until(1, "contact.created")
      // Without output Parley sends a comment after 15 s, which would push a held event out.
      assert.isBelow(performance.now() - changed, 5_000)
      client.close()
    })

    it("takes a file of 16 MB, and a proxy with a limit refuses a larger one with a sentence", async () => {
      const document = Buffer.concat([samples.pdf(proxy.tlsPort), Buffer.alloc(16_000_000, " ")])
      const form = new FormData()
      form.append("file", new Blob([document]), "large.pdf")
      const stored = await fetch(`${proxy.url}/api/media/upload`, {
        method: "POST",
        headers: { authorization: `Bearer ${parley.tenant.key}` },
        body: form
      })
      assert.strictEqual(stored.status, 201, await stored.clone().text())
      if (!kind.limitsBodies) return
      const refused = await sent(proxy, [
        "POST /api/media/upload HTTP/1.1",
        "Host: localhost",
        `Authorization: Bearer ${parley.tenant.key}`,
        "Connection: close",
        "Content-Type: multipart/form-data; boundary=x",
        `Content-Length: ${18 * 1024 * 1024}`
      ])
      assert.strictEqual(refused.status, 400)
      isError(refused)
    })

    it("has its proxy say so as JSON when it cannot be reached", async () => {
      const away = await sent(await start(await freePort()), get("/api/voices"))
      assert.strictEqual(away.status, 500)
      assert.strictEqual(away.headers.get("retry-after"), "5")
      isError(away)
    })

    const outlasts = version === undefined || kind.keepsCalls(version)
    it(
      outlasts
        ? "carries calls, which outlast a reload of the proxy"
        : "carries calls (this version ends them at a reload)",
      async () => {
        const address = (url: string) =>
          url.replace(publicOrigin.slice("https".length), proxy.url.slice("https".length))
        const { accountSid, authToken, calledNumber } = parley.tenant
        const network = await TelephoneNetwork.start({
          ...{ accountSid, authToken, dial: address },
          webhookUrl: `${publicOrigin}${telephonyPath}/voice`
        })
        try {
          const call = await network.call({
            from: "+14155550100",
            to: calledNumber,
            maxMs: 30_000,
            caller: async (caller) => {
              await caller.waitForAgentToSpeak()
              if (outlasts) await proxy.reload()
              // The disclosure, and the welcome after it.
              await caller.waitForAgentToFinish(300)
              caller.hangUp()
            }
          })
          assert.strictEqual(call.endedBy, "caller")
          assert.strictEqual((await fetch(`${proxy.url}/healthz`)).status, 200)
          // HAProxy asks /readyz, and says so when that fails.
          assert.notInclude(proxy.log(), "is DOWN")
        } finally {
          await network.close()
        }
      }
    )
  })
}

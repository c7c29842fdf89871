/** The files of the dashboard as browsers get them: encoded, in part, again, and never one that was not built. */
import { mkdirSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Draining } from "../../../src/domain/basics/Draining.ts"
import * as DashboardRoutes from "../../../src/http/dashboard/DashboardRoutes.ts"
import { Readiness } from "../../../src/http/Readiness.ts"
import { serve } from "../../../src/http/Routes.ts"
import * as HttpServices from "../../../src/http/server/HttpServices.ts"
import * as UwsHttpServer from "../../../src/http/server/UwsHttpServer.ts"
import { temporaryFolder } from "../../support/folder.ts"

const script = `console.log(${JSON.stringify("a".repeat(4_000))})\n`
const page = `<!doctype html><html><head><script>document.title="x"</script></head><body><div id="root"></div>${" ".repeat(2_000)}</body></html>`

const build = (folder: string) => {
  mkdirSync(join(folder, "assets"), { recursive: true })
  writeFileSync(join(folder, "secret.txt"), "not for the public")
  for (const [name, text] of [
    ["index.html", page],
    ["assets/main-1a2b.js", script]
  ]) {
    writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
  }
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Buffer
}

/** Sends the path exactly as it is written, which `fetch` would tidy. */
const ask = (port: number, path: string, headers: Record<string, string> = {}, method = "GET") =>
  Effect.promise(
    () =>
      new Promise<Answer>((resolve, reject) => {
        const asked = request({ host: "127.0.0.1", port, path, headers, method }, (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
          )
        })
        asked.on("error", reject)
        asked.end()
      })
  )

const started = Effect.fnUntraced(function* (built: boolean) {
  const folder = yield* temporaryFolder("dashboard")
  if (built) build(folder)
  const listening = yield* Layer.build(UwsHttpServer.layer({ port: 0, host: "127.0.0.1", drainMs: 100 }))
  const server = yield* HttpServer.HttpServer.pipe(Effect.provide(listening))
  yield* Layer.build(
    serve(DashboardRoutes.layer({ dashboard: folder })).pipe(
      Layer.provide(Layer.succeed(HttpServer.HttpServer, server)),
      Layer.provide([
        Layer.succeed(Readiness, { check: Effect.succeed({}), workers: undefined }),
        Layer.succeed(Draining, { isDraining: Effect.succeed(false) } as Draining["Service"]),
        HttpServices.layer
      ])
    )
  )
  const { address } = server
  return "port" in address ? address.port : 0
})

describe("the dashboard's files", () => {
  it.live("a page is the same at each of its addresses, asks to be revalidated, and runs nothing but itself", () =>
    Effect.gen(function* () {
      const port = yield* started(true)
      for (const path of ["/", "/inbox", "/inbox?c=conv_1", "/contacts/cnt_1", "/calls/call_1?t=3"]) {
        const { status, headers, body } = yield* ask(port, path)
        assert.deepStrictEqual([status, body.toString()], [200, page])
        assert.strictEqual(headers["cache-control"], "no-cache")
        const policy = String(headers["content-security-policy"])
        assert.notMatch(policy, /unsafe|https?:|\*/)
        assert.match(policy, /script-src 'self' 'sha256-[\w+/]{43}='/)
        assert.match(policy, /require-trusted-types-for 'script'/)
      }
    })
  )

  it.live("a file is sent as small as the browser can read it, and kept for ever", () =>
    Effect.gen(function* () {
      const port = yield* started(true)
      const of = (encoding: string) => ask(port, "/assets/main-1a2b.js", { "accept-encoding": encoding })
      const br = yield* of("gzip, deflate, br")
      assert.deepStrictEqual([br.headers["content-encoding"], brotliDecompressSync(br.body).toString()], ["br", script])
      const gz = yield* of("gzip, br;q=0")
      assert.deepStrictEqual([gz.headers["content-encoding"], gunzipSync(gz.body).toString()], ["gzip", script])
      const plain = yield* of("identity")
      assert.deepStrictEqual([plain.headers["content-encoding"], plain.body.toString()], [undefined, script])
      assert.strictEqual(new Set([br, gz, plain].map(({ headers }) => headers.etag)).size, 3)
      for (const { headers } of [br, gz, plain]) {
        assert.strictEqual(headers["cache-control"], "public, max-age=31536000, immutable")
        assert.match(String(headers.vary), /accept-encoding/i)
        assert.match(String(headers["content-type"]), /^text\/javascript/)
      }
    })
  )

  it.live("what the browser has is not sent again; a part, and the head alone, come as asked", () =>
    Effect.gen(function* () {
      const port = yield* started(true)
      const path = "/assets/main-1a2b.js"
      const whole = yield* ask(port, path, { "accept-encoding": "br" })
      const again = yield* ask(port, path, { "accept-encoding": "br", "if-none-match": String(whole.headers.etag) })
      assert.deepStrictEqual([again.status, again.body.length], [304, 0])
      const part = yield* ask(port, path, { range: "bytes=4-9", "accept-encoding": "br" })
      assert.deepStrictEqual([part.status, part.body.toString()], [206, script.slice(4, 10)])
      assert.strictEqual(part.headers["content-range"], `bytes 4-9/${script.length}`)
      const beyond = yield* ask(port, path, { range: "bytes=99999-" })
      assert.strictEqual(beyond.status, 416)
      const head = yield* ask(port, path, {}, "HEAD")
      assert.deepStrictEqual([head.status, head.body.length], [200, 0])
      assert.strictEqual(head.headers["content-length"], String(script.length))
    })
  )

  it.live("nothing but what was built can be had, however the path is written", () =>
    Effect.gen(function* () {
      const port = yield* started(true)
      for (const path of [
        "/assets/../secret.txt",
        "/assets/..%2fsecret.txt",
        "/assets/%2e%2e/secret.txt",
        "/assets/....//secret.txt",
        "/assets/main-1a2b.js.br",
        "/assets/",
        "/assets/__proto__",
        "/secret.txt",
        "/index.html",
        "/build.json",
        "/inbox/",
        "/nothing",
        "/api/nothing"
      ]) {
        const { status, body } = yield* ask(port, path)
        assert.include([400, 404], status, path)
        assert.notInclude(body.toString(), "not for the public", path)
        assert.notInclude(body.toString(), "root", path)
      }
      assert.strictEqual((yield* ask(port, "/inbox", {}, "POST")).status, 404)
    })
  )

  it.live("without a build the pages say how to make one", () =>
    Effect.gen(function* () {
      const { status, body } = yield* ask(yield* started(false), "/inbox")
      assert.strictEqual(status, 404)
      assert.include(body.toString(), "npm run build:web")
    })
  )
})

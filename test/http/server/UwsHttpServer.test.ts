import { Agent, request } from "node:http"
import { connect } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, type FileSystem, Layer, type Path, Schedule, Stream } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ErrorShape from "../../../src/http/middleware/ErrorShape.ts"
import * as UwsHttpServer from "../../../src/http/server/UwsHttpServer.ts"
import { UwsRequest } from "../../../src/http/server/UwsRequest.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

const serve = Effect.fnUntraced(function* (
  routes: Layer.Layer<
    never,
    never,
    | HttpRouter.HttpRouter
    | HttpRouter.Request<"Requires", FileSystem.FileSystem>
    | HttpRouter.Request<"Requires", Path.Path>
  >,
  options: Partial<UwsHttpServer.UwsHttpServerOptions> = {}
) {
  const server = yield* Layer.build(UwsHttpServer.layer({ port: 0, host: "127.0.0.1", drainMs: 100, ...options }))
  yield* Layer.build(
    HttpRouter.serve(
      Layer.provideMerge(
        routes,
        ErrorShape.layer(() => [])
      ),
      {
        disableLogger: true,
        disableListenLog: true
      }
    ).pipe(Layer.provide([Layer.succeedContext(server), NodeHttpServer.layerHttpServices]))
  )
  const { address } = yield* HttpServer.HttpServer.pipe(Effect.provide(server))
  return "port" in address ? address.port : 0
})

const get = (port: number, path: string, init: RequestInit = {}) =>
  Effect.promise(() => fetch(`http://127.0.0.1:${port}${path}`, init))

/** The bytes that a server sends in reply to raw bytes, until it closes or has sent nothing for `ms`. */
const raw = (port: number, text: string, ms = 300) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(text))
        let heard = ""
        const done = () => {
          socket.destroy()
          resolve(heard)
        }
        let quiet: NodeJS.Timeout | undefined
        socket.on("data", (part) => {
          heard += part
          clearTimeout(quiet)
          quiet = setTimeout(done, ms)
        })
        socket.on("close", done)
        socket.on("error", done)
      })
  )

/** Lets the event loop poll all sockets many times, so that they have read everything the kernel had for them. */
const loopTurns = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done, 5))
})

/** Lets a request go on without its client, as requests that change something do (`Authorization`). */
const goOn = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
  assert.instanceOf(request, UwsRequest)
  request.goOn()
  return request
})

/** Reads the whole body. */
const read = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  Effect.as(Effect.orDie(request.arrayBuffer), "ok")
)

const text = (
  method: "GET" | "POST",
  path: `/${string}`,
  body: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest>
) =>
  HttpRouter.add(
    method,
    path,
    Effect.map(body, (value) => HttpServerResponse.text(value))
  )

describe("UwsHttpServer", () => {
  it.live("sends no body after HEAD while it is starting, which would be read as the next answer", () =>
    Effect.gen(function* () {
      const server = yield* Layer.build(UwsHttpServer.layer({ port: 0, host: "127.0.0.1", drainMs: 100 }))
      const { address } = yield* HttpServer.HttpServer.pipe(Effect.provide(server))
      const port = "port" in address ? address.port : 0
      const answers = yield* raw(port, "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2))
      assert.match(answers, /^HTTP\/1.1 500 [^{]*\r\n\r\nHTTP\/1.1 500 [^{]*\r\n\r\n$/)
    })
  )

  it.live("sends the real reason with a status, and every cookie as its own header", () =>
    Effect.gen(function* () {
      const port = yield* serve(
        HttpRouter.add(
          "GET",
          "/",
          HttpServerResponse.text("hi", { status: 203 }).pipe(
            HttpServerResponse.setCookieUnsafe("a", "1", { httpOnly: true }),
            HttpServerResponse.setCookieUnsafe("b", "2", { path: "/" })
          )
        )
      )
      const wire = yield* raw(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      assert.match(wire, /^HTTP\/1\.1 203 Non-Authoritative Information\r\n/)
      const response = yield* get(port, "/")
      assert.deepStrictEqual(response.headers.getSetCookie(), ["a=1; HttpOnly", "b=2; Path=/"])
    })
  )

  it.live("keeps a line break in a header value from becoming a header", () =>
    Effect.gen(function* () {
      const port = yield* serve(
        HttpRouter.add("GET", "/", HttpServerResponse.empty({ headers: { "x-name": "a\r\nx-evil: 1" } }))
      )
      const response = yield* get(port, "/")
      assert.isNull(response.headers.get("x-evil"))
    })
  )

  it.live("takes further requests on the connection of a HEAD request", () =>
    Effect.gen(function* () {
      const port = yield* serve(HttpRouter.add("GET", "/text", HttpServerResponse.text("hello")))
      const statuses = yield* Effect.promise(async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        const ask = (method: string) =>
          new Promise<string>((resolve, reject) => {
            const asked = request({ port, host: "127.0.0.1", path: "/text", method, agent }, (response) => {
              response
                .resume()
                .once("end", () => resolve(`${response.statusCode} ${response.headers["content-length"]}`))
            })
            asked.once("error", reject).end()
          })
        const answers = [await ask("HEAD"), await ask("HEAD"), await ask("GET")]
        agent.destroy()
        return answers
      })
      assert.deepStrictEqual(statuses, ["200 5", "200 5", "200 5"])
    })
  )

  it.live("answers HEAD with the length and no body, and 204 without a length", () =>
    Effect.gen(function* () {
      const port = yield* serve(
        Layer.mergeAll(
          text("GET", "/text", Effect.succeed("twelve bytes")),
          HttpRouter.add("GET", "/none", HttpServerResponse.empty({ status: 204 }))
        )
      )
      const head = yield* raw(port, "HEAD /text HTTP/1.1\r\nHost: x\r\n\r\n")
      assert.match(head, /content-length: 12\r\n/i)
      assert.isTrue(head.endsWith("\r\n\r\n"))
      assert.notMatch(yield* raw(port, "GET /none HTTP/1.1\r\nHost: x\r\n\r\n"), /content-length/i)
    })
  )

  it.live("reads JSON, forms, cookies and the peer's address", () =>
    Effect.gen(function* () {
      const seen = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const body = yield* Effect.orDie(request.text)
        return JSON.stringify([request.method, request.url, body, request.cookies.c, request.remoteAddress])
      })
      const port = yield* serve(text("POST", "/seen", seen))
      const response = yield* get(port, "/seen?q=1", { method: "POST", body: "नमस्ते", headers: { cookie: "c=v" } })
      const [method, url, body, cookie, remote] = JSON.parse(yield* Effect.promise(() => response.text()))
      assert.deepStrictEqual([method, url, body, cookie], ["POST", "/seen?q=1", "नमस्ते", "v"])
      assert.strictEqual(remote.value, "127.0.0.1")
    })
  )

  it.live("joins headers that are sent twice, and is not confused by headers named like object properties", () =>
    Effect.gen(function* () {
      const seen = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        JSON.stringify([headers.accept, headers.cookie, headers["x-evil"], Object.keys(headers)])
      )
      const port = yield* serve(text("GET", "/seen", seen))
      const sent = ["Host: x", "Accept: a", "Accept: b", "Cookie: c=1", "Cookie: d=2", "__proto__: x-evil"]
      const heard = yield* raw(port, `GET /seen HTTP/1.1\r\n${sent.join("\r\n")}\r\n\r\n`)
      const [, body] = heard.split("\r\n\r\n")
      assert.deepStrictEqual(JSON.parse(body), ["a, b", "c=1; d=2", null, ["host", "accept", "cookie"]])
    })
  )

  it.live("takes uploaded files", () =>
    Effect.gen(function* () {
      const names = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const parts = yield* Stream.runCollect(request.multipartStream).pipe(Effect.orDie)
        return parts.map((part) => `${part._tag}:${part.key}`).join()
      })
      const persisted = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const parts = yield* request.multipart
        return HttpServerResponse.jsonUnsafe(Object.keys(parts))
      })
      const port = yield* serve(
        Layer.mergeAll(text("POST", "/stream", names), HttpRouter.add("POST", "/files", Effect.orDie(persisted)))
      )
      const form = () => {
        const data = new FormData()
        data.set("note", "hello")
        data.set("file", new Blob(["content"], { type: "text/plain" }), "a.txt")
        return data
      }
      const streamed = yield* get(port, "/stream", { method: "POST", body: form() })
      assert.strictEqual(yield* Effect.promise(() => streamed.text()), "Field:note,File:file")
      const files = yield* get(port, "/files", { method: "POST", body: form() })
      assert.deepStrictEqual(yield* Effect.promise(() => files.json()), ["note", "file"])
    })
  )

  it.live("holds back a form that its handler does not read, and gives the handler all of it afterwards", () =>
    Effect.gen(function* () {
      const [begun, begin, size] = [yield* Deferred.make<void>(), yield* Deferred.make<void>(), 40_000_000]
      /** The bytes of each read. The first has everything that the server has held until then. */
      const turns: Array<number> = []
      const measured = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(begin)
        yield* Stream.runForEachArray(request.stream, (parts) =>
          Effect.sync(() => void turns.push(parts.reduce((sum, { byteLength }) => sum + byteLength, 0)))
        ).pipe(Effect.orDie)
        return turns.reduce((sum, bytes) => sum + bytes, 0)
      })
      const port = yield* serve(text("POST", "/", Effect.map(measured, String)), { bodyLimit: () => size })
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => connect(port, "127.0.0.1")),
        (it) => Effect.sync(() => it.destroy())
      )
      const heard = new Promise<string>((resolve) => socket.once("data", (part) => resolve(String(part))))
      const body = Buffer.alloc(size, "x")
      socket.write(
        `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${size}\r\n\r\n`
      )
      // Enough to be held back. In one piece, the server would get everything that the kernel has received by then.
      const enough = 300_000
      socket.write(body.subarray(0, enough))
      yield* Deferred.await(begun)
      yield* loopTurns
      socket.write(body.subarray(enough))
      yield* Effect.sleep("500 millis")
      yield* loopTurns
      assert.isAbove(socket.writableLength, size / 2)
      yield* Deferred.succeed(begin, undefined)
      assert.match(yield* Effect.promise(() => heard), new RegExp(`^HTTP/1\\.1 200 [\\s\\S]*${size}$`))
      assert.isBelow(turns[0], 1_000_000)
    })
  )

  it.live("sends forms and bodies of other types", () =>
    Effect.gen(function* () {
      const form = new FormData()
      form.set("a", "1")
      const port = yield* serve(
        Layer.mergeAll(
          HttpRouter.add("GET", "/form", HttpServerResponse.formData(form)),
          HttpRouter.add("GET", "/raw", HttpServerResponse.raw(new Response("web body"))),
          HttpRouter.add("GET", "/blob", HttpServerResponse.raw(new Blob(["blob body"])))
        )
      )
      const back = yield* Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}/form`)).formData())
      assert.strictEqual(back.get("a"), "1")
      assert.strictEqual(
        yield* Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}/raw`)).text()),
        "web body"
      )
      assert.strictEqual(
        yield* Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}/blob`)).text()),
        "blob body"
      )
    })
  )

  it.live("refuses a body over the limit with 400 and goes on serving the connection", () =>
    Effect.gen(function* () {
      const port = yield* serve(text("POST", "/", read), { bodyLimit: () => 1_000 })
      const response = yield* get(port, "/", { method: "POST", body: "x".repeat(1_500) })
      assert.strictEqual(response.status, 400)
      assert.deepStrictEqual(Object.keys((yield* Effect.promise(() => response.json())) as object), ["error"])
      assert.isNotNull(response.headers.get("x-request-id"))
      const post = (size: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n${"x".repeat(size)}`
      const both = yield* raw(port, post(1_200) + post(10))
      assert.match(both, /400 Bad Request[\s\S]*200 OK/)
    })
  )

  it.live("refuses large simultaneous bodies beyond the memory for them, and still accepts small ones", () =>
    Effect.gen(function* () {
      const size = 600_000
      const [answering, changed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const port = yield* serve(
        Layer.mergeAll(
          text("POST", "/", read),
          text("POST", "/slow", Effect.tap(read, Deferred.await(answering))),
          text("POST", "/change", Effect.tap(Effect.andThen(goOn, read), Deferred.await(changed)))
        ),
        { maxHeld: { bytes: 1_000_000 }, bodyLimit: () => 4_000_000 }
      )
      /** A client that has sent all of a body but its last byte, and the answer it gets once it sends that byte. */
      const sending = (path: string) =>
        Effect.promise(
          () =>
            new Promise<{ readonly finish: () => Promise<string>; readonly leave: () => void }>((resolve) => {
              const socket = connect(port, "127.0.0.1", () => {
                const heard = new Promise<string>((hear) => socket.once("data", (part) => hear(String(part))))
                const finish = () => {
                  socket.write("x")
                  return heard
                }
                socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`)
                socket.write("x".repeat(size - 1), () => resolve({ finish, leave: () => socket.destroy() }))
              })
            })
        ).pipe(Effect.tap(Effect.sleep("200 millis")))
      const whole = (length: number) => get(port, "/", { method: "POST", body: "x".repeat(length) })

      const first = yield* sending("/slow")
      const second = yield* sending("/")
      const third = yield* whole(size)
      assert.deepStrictEqual([third.status, third.headers.get("retry-after")], [429, "5"])
      assert.deepStrictEqual(Object.keys((yield* Effect.promise(() => third.json())) as object), ["error"])
      assert.strictEqual((yield* whole(60_000)).status, 200)
      assert.match(yield* Effect.promise(second.finish), /^HTTP\/1\.1 429 /)

      // A complete body is held until the request is answered.
      const answer = first.finish()
      yield* Effect.sleep("100 millis")
      assert.strictEqual((yield* whole(size)).status, 429)
      yield* Deferred.succeed(answering, undefined)
      assert.match(yield* Effect.promise(() => answer), /^HTTP\/1\.1 200 /)
      for (let i = 0; i < 5; i++) assert.strictEqual((yield* whole(size)).status, 200)

      const lost = yield* sending("/")
      assert.strictEqual((yield* whole(size)).status, 429)
      lost.leave()
      yield* Effect.sleep("200 millis")
      assert.strictEqual((yield* whole(size)).status, 200)

      // A change that goes on after its client left still has its body.
      const changing = yield* sending("/change")
      changing.finish()
      yield* Effect.sleep("100 millis")
      changing.leave()
      yield* Effect.sleep("200 millis")
      assert.strictEqual((yield* whole(size)).status, 429)
      yield* Deferred.succeed(changed, undefined)
      yield* Effect.sleep("100 millis")
      assert.strictEqual((yield* whole(size)).status, 200)
      for (const client of [first, second]) client.leave()
    })
  )

  it.live("holds back any body that its handler has not read, and reads all of it when the handler wants it", () =>
    Effect.gen(function* () {
      const [begun, begin, size] = [yield* Deferred.make<void>(), yield* Deferred.make<void>(), 20_000_000]
      const slow = Effect.gen(function* () {
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(begin)
        const { arrayBuffer } = yield* HttpServerRequest.HttpServerRequest
        return String((yield* Effect.orDie(arrayBuffer)).byteLength)
      })
      const port = yield* serve(text("POST", "/", slow), {
        bodyLimit: () => size,
        maxHeld: { clientBytes: size },
        bodyPatienceMs: 20_000
      })
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => connect(port, "127.0.0.1")),
        (it) => Effect.sync(() => it.destroy())
      )
      const heard = new Promise<string>((resolve) => socket.once("data", (part) => resolve(String(part))))
      const body = Buffer.alloc(size, "x")
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`)
      socket.write(body.subarray(0, 300_000))
      yield* Deferred.await(begun)
      yield* loopTurns
      socket.write(body.subarray(300_000))
      yield* Effect.sleep("300 millis")
      yield* loopTurns
      assert.isAbove(socket.writableLength, size / 4)
      yield* Deferred.succeed(begin, undefined)
      assert.match(yield* Effect.promise(() => heard), new RegExp(`^HTTP/1\\.1 200 [\\s\\S]*${size}$`))
    })
  )

  it.live("bounds what the bodies of one client hold, how many of them its handlers wait for, and how long", () =>
    Effect.gen(function* () {
      const port = yield* serve(text("POST", "/", read), {
        bodyLimit: () => 1_000_000,
        maxHeld: { clientBytes: 500_000, clientWaiting: 2 },
        bodyPatienceMs: 1_000
      })
      const post = (body: string) => get(port, "/", { method: "POST", body })
      assert.strictEqual((yield* post("x".repeat(700_000))).status, 429)
      assert.strictEqual((yield* post("x".repeat(400_000))).status, 200)
      const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf"
      const slow = yield* Effect.forkChild(Effect.all([raw(port, head), raw(port, head)], { concurrency: 2 }), {
        startImmediately: true
      })
      yield* Effect.sleep("200 millis")
      assert.match(yield* raw(port, head), /^HTTP\/1\.1 429 /)
      for (const answer of yield* Fiber.join(slow))
        assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*did not arrive in time/)
      assert.strictEqual((yield* post("whole")).status, 200)
    })
  )

  it.live("cuts off a client that keeps sending far beyond the limit", () =>
    Effect.gen(function* () {
      const port = yield* serve(text("POST", "/", read), { bodyLimit: () => 1_000 })
      const wire = yield* raw(
        port,
        `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n${"x".repeat(600_000)}`
      )
      assert.match(wire, /^(HTTP\/1\.1 400 Bad Request|$)/)
    })
  )

  it.live("cuts off a client that sends its body in very many tiny chunks, and takes some of them", () =>
    Effect.gen(function* () {
      const port = yield* serve(text("POST", "/read", read))
      const head = "POST /read HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      const inChunks = (count: number) => `${head}${"1\r\na\r\n".repeat(count)}0\r\n\r\n`
      assert.match(yield* raw(port, inChunks(1_500)), /^HTTP\/1\.1 200 /)
      assert.strictEqual(yield* raw(port, inChunks(20_000)), "")
    })
  )

  it.live("interrupts the handler when the client goes away", () =>
    Effect.gen(function* () {
      const [begun, interrupted] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Effect.sleep("10 seconds")),
        Effect.as("late"),
        Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
      )
      const port = yield* serve(text("GET", "/slow", slow))
      const abort = new AbortController()
      const gone = fetch(`http://127.0.0.1:${port}/slow`, { signal: abort.signal }).catch(() => undefined)
      yield* Deferred.await(begun)
      abort.abort()
      yield* Effect.promise(() => gone)
      yield* Effect.timeout(Deferred.await(interrupted), "2 seconds")
    })
  )

  it.live("lets a handler that outlives its client finish once the whole body has come", () =>
    Effect.gen(function* () {
      const [begun, done] = [yield* Deferred.make<void>(), yield* Deferred.make<string>()]
      const change = Effect.gen(function* () {
        const request = yield* goOn
        yield* Deferred.succeed(begun, undefined)
        yield* Effect.sleep("300 millis")
        yield* Deferred.succeed(done, yield* Effect.orDie(request.text))
        return "late"
      })
      const [coming, given] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const upload = Effect.gen(function* () {
        const request = yield* goOn
        yield* Deferred.succeed(coming, undefined)
        yield* Effect.orDie(Stream.runDrain(request.stream))
        return "never"
      }).pipe(Effect.onInterrupt(() => Deferred.succeed(given, undefined)))
      const port = yield* serve(Layer.merge(text("POST", "/change", change), text("POST", "/upload", upload)))
      const send = (head: string, body: string) => {
        const socket = connect(port, "127.0.0.1")
        socket.write(`POST ${head}\r\nHost: x\r\n\r\n${body}`)
        return socket
      }
      const whole = send("/change HTTP/1.1\r\nContent-Length: 5", "words")
      yield* Deferred.await(begun)
      whole.destroy()
      assert.strictEqual(yield* Effect.timeout(Deferred.await(done), "5 seconds"), "words")

      const form = "Content-Type: multipart/form-data; boundary=x"
      const half = send(`/upload HTTP/1.1\r\n${form}\r\nContent-Length: 500`, "--x\r\n")
      yield* Deferred.await(coming)
      half.destroy()
      yield* Effect.timeout(Deferred.await(given), "5 seconds")
    })
  )

  it.live("releases an endless stream when the client goes away", () =>
    Effect.gen(function* () {
      const released = yield* Deferred.make<void>()
      const endless = Stream.fromEffectSchedule(Effect.succeed("x"), Schedule.spaced("10 millis")).pipe(
        Stream.encodeText,
        Stream.ensuring(Deferred.succeed(released, undefined))
      )
      const port = yield* serve(HttpRouter.add("GET", "/", HttpServerResponse.stream(endless)))
      yield* Effect.promise(async () => {
        const abort = new AbortController()
        const response = await fetch(`http://127.0.0.1:${port}/`, { signal: abort.signal })
        await response.body?.getReader().read()
        abort.abort()
      })
      yield* Effect.timeout(Deferred.await(released), "2 seconds")
    })
  )

  it.live("holds a stream back while the client does not read, and delivers all of it afterwards", () =>
    Effect.gen(function* () {
      let produced = 0
      const chunk = new Uint8Array(64 * 1024).fill(7)
      const big = Stream.range(1, 400).pipe(
        Stream.rechunk(1),
        Stream.map(() => {
          produced++
          return chunk
        })
      )
      // A late chunk must not wait for a further chunk before it is sent.
      const tail = Stream.fromEffect(Effect.as(Effect.sleep("50 millis"), chunk))
      const port = yield* serve(HttpRouter.add("GET", "/", HttpServerResponse.stream(Stream.concat(big, tail))))
      const response = yield* get(port, "/")
      yield* Effect.sleep("300 millis")
      assert.isBelow(produced, 400)
      const bytes = yield* Effect.promise(() => response.arrayBuffer())
      assert.strictEqual(bytes.byteLength, 401 * 64 * 1024)
    })
  )

  it.live(
    "sends the length of a stream when it is known, holds the stream back, and delivers exactly that length",
    () =>
      Effect.gen(function* () {
        let produced = 0
        const chunks = Stream.range(0, 399).pipe(
          Stream.rechunk(1),
          Stream.map((index) => {
            produced++
            return new Uint8Array(64 * 1024 - 1).fill(index)
          })
        )
        const contentLength = 400 * (64 * 1024 - 1)
        const port = yield* serve(HttpRouter.add("GET", "/", HttpServerResponse.stream(chunks, { contentLength })))
        const response = yield* get(port, "/")
        assert.strictEqual(response.headers.get("content-length"), String(contentLength))
        assert.isNull(response.headers.get("transfer-encoding"))
        yield* Effect.sleep("300 millis")
        assert.isBelow(produced, 400)
        const bytes = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
        assert.strictEqual(bytes.length, contentLength)
        assert.isTrue(bytes.every((byte, at) => byte === (Math.floor(at / (64 * 1024 - 1)) & 0xff)))
      })
  )

  it.live("sends no more than the announced length, and cuts off an answer that falls short of it", () =>
    Effect.gen(function* () {
      const ten = Stream.make(new Uint8Array(5).fill(65), new Uint8Array(5).fill(66))
      const at = (path: `/${string}`, contentLength: number) =>
        HttpRouter.add("GET", path, HttpServerResponse.stream(ten, { contentLength }))
      const port = yield* serve(Layer.mergeAll(at("/more", 11), at("/exact", 10), at("/less", 7), at("/none", 0)))
      const body = (path: string) =>
        Effect.promise(() =>
          fetch(`http://127.0.0.1:${port}${path}`)
            .then((response) => response.text())
            .catch(() => "cut")
        )
      assert.deepStrictEqual(
        [yield* body("/exact"), yield* body("/less"), yield* body("/none"), yield* body("/more")],
        ["AAAAABBBBB", "AAAAABB", "", "cut"]
      )
    })
  )

  it.live("drops the connection when a stream fails half-way, so that the client does not take it for complete", () =>
    Effect.gen(function* () {
      const broken = Stream.concat(Stream.succeed(new Uint8Array(10)), Stream.fail("lost"))
      const port = yield* serve(HttpRouter.add("GET", "/", HttpServerResponse.stream(broken)))
      const outcome = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${port}/`)
          .then((response) => response.arrayBuffer())
          .then(
            () => "complete",
            () => "cut"
          )
      )
      assert.strictEqual(outcome, "cut")
    })
  )

  it.live("ends a stream whose client no longer reads when the server closes", () =>
    Effect.gen(function* () {
      const chunk = new Uint8Array(1024 * 1024)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const port = yield* serve(
            HttpRouter.add("GET", "/", HttpServerResponse.stream(Stream.forever(Stream.succeed(chunk))))
          )
          yield* get(port, "/")
          yield* Effect.sleep("50 millis")
        })
      ).pipe(Effect.timeout("3 seconds"))
    })
  )

  it.live("lets a running request finish when it closes, and stops listening afterwards", () =>
    Effect.gen(function* () {
      const { port, answer } = yield* Effect.scoped(
        Effect.gen(function* () {
          const begun = yield* Deferred.make<void>()
          const slow = Effect.gen(function* () {
            // A waiter continues within this very call, when the server has already registered the request.
            yield* Effect.yieldNow
            yield* Deferred.succeed(begun, undefined)
            yield* Effect.sleep("100 millis")
            return "done"
          })
          const port = yield* serve(text("GET", "/", slow), { drainMs: 10_000 })
          const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
          yield* Deferred.await(begun)
          return { port, answer }
        })
      )
      assert.strictEqual(yield* Effect.promise(() => answer), "done")
      const after = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => "open",
          () => "refused"
        )
      )
      assert.strictEqual(after, "refused")
    })
  )

  it.live("fails with an error that names the port when the port is taken", () =>
    Effect.gen(function* () {
      const port = yield* serve(text("GET", "/", Effect.succeed("first")))
      const error = yield* Effect.flip(serve(text("GET", "/", Effect.succeed("second")), { port }))
      assert.strictEqual(error._tag, "ListenFailed")
      assert.strictEqual(
        error.message,
        `cannot listen on 127.0.0.1:${port} (in use, or not an address of this machine)`
      )
    })
  )

  it.live("carries WebSocket routes beside HTTP", () =>
    Effect.gen(function* () {
      const port = yield* serve(text("GET", "/", Effect.succeed("http")), {
        register: (app) => app.ws("/media", { message: (ws, message, binary) => void ws.send(message, binary) })
      })
      const echoed = yield* Effect.promise(
        () =>
          new Promise((resolve, reject) => {
            const socket = new WebSocket(`ws://127.0.0.1:${port}/media`)
            socket.onerror = reject
            socket.onopen = () => socket.send("hello")
            socket.onmessage = ({ data }) => {
              socket.close()
              resolve(data)
            }
          })
      )
      assert.strictEqual(echoed, "hello")
    })
  )
})

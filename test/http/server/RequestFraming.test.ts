/** Requests as bytes, which no client library would send: RFC 9112 tells a server to refuse them. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as UwsHttpServer from "../../../src/http/server/UwsHttpServer.ts"
import { heardBy } from "../../support/rawSocket.ts"

/** A server that keeps a list of the requests it has handled: `/now` answers at once, `/later` in a moment, `/streamed` and `/sized` in parts. */
const listening = Effect.gen(function* () {
  const handled: Array<string> = []
  const server = yield* Layer.build(UwsHttpServer.layer({ port: 0, host: "127.0.0.1", drainMs: 100 }))
  const answer = (response: HttpServerResponse.HttpServerResponse, pause = Effect.void) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const body = request.headers["content-type"]?.startsWith("multipart/") === true ? "form" : yield* request.text
      handled.push(`${request.method} ${request.url} ${body}`)
      yield* pause
      return response
    })
  const parts = Stream.make(new Uint8Array([97]), new Uint8Array([98]))
  yield* Layer.build(
    HttpRouter.serve(
      Layer.mergeAll(
        HttpRouter.add("*", "/now", answer(HttpServerResponse.text("answer"))),
        HttpRouter.add("*", "/later", answer(HttpServerResponse.text("answer"), Effect.sleep("20 millis"))),
        HttpRouter.add("*", "/empty", answer(HttpServerResponse.empty())),
        HttpRouter.add("*", "/streamed", answer(HttpServerResponse.stream(parts))),
        HttpRouter.add("*", "/sized", answer(HttpServerResponse.stream(parts, { contentLength: 2 })))
      ),
      { disableLogger: true, disableListenLog: true }
    ).pipe(Layer.provide([Layer.succeedContext(server), NodeHttpServer.layerHttpServices]))
  )
  const { address } = yield* HttpServer.HttpServer.pipe(Effect.provide(server))
  const port = "port" in address ? address.port : 0
  return {
    handled,
    heard: (...packets: ReadonlyArray<string>) => Effect.promise(() => heardBy(port, packets))
  }
})

const head = (...lines: ReadonlyArray<string>) => [...lines, "", ""].join("\r\n")
const second = head("GET /now HTTP/1.1", "Host: x")
const post = (...lines: ReadonlyArray<string>) => head("POST /now HTTP/1.1", "Host: x", ...lines)

describe("a request whose framing is not certain", () => {
  const ours: ReadonlyArray<readonly [string, string]> = [
    ["two different lengths", `${post("Content-Length: 3", "Content-Length: 5")}abcde`],
    ["the same length twice", `${post("Content-Length: 3", "Content-Length: 3")}abc`],
    ["an empty length", post("Content-Length:")],
    ["an unknown transfer coding", `${post("Transfer-Encoding: gzip, chunked")}3\r\nabc\r\n0\r\n\r\n`],
    ["a transfer coding that only looks like chunked", `${post("Transfer-Encoding: xchunked")}3\r\nabc\r\n0\r\n\r\n`],
    ["chunked twice", `${post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked")}0\r\n\r\n`],
    ["an empty transfer coding and a length", `${post("Transfer-Encoding:", "Content-Length: 3")}abc`],
    ["two hosts", head("GET /now HTTP/1.1", "Host: x", "Host: y")],
    ["a host with other characters", head("GET /now HTTP/1.1", "Host: x/y z")]
  ]
  for (const [name, bytes] of ours)
    it.live(`gets a sentence, and its connection is closed: ${name}`, () =>
      Effect.gen(function* () {
        const { heard, handled } = yield* listening
        const { text, closed } = yield* heard(bytes)
        assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n.*\r\n\r\n\{"error":"[A-Z][^"]+\."\}$/s)
        assert.isTrue(closed)
        // What follows in the same packet is not looked at, and then nobody is told anything.
        const followed = yield* heard(bytes + second)
        assert.isTrue(followed.closed)
        assert.notInclude(followed.text, "200")
        assert.deepStrictEqual(handled, [])
      })
    )

  // The library answers these itself, with a body in HTML, or waits for more until it closes the connection after 10 s.
  const theirs: ReadonlyArray<readonly [string, string, RegExp]> = [
    ["a length and chunks", `${post("Content-Length: 3", "Transfer-Encoding: chunked")}0\r\n\r\n`, /^HTTP\/1\.1 400 /],
    ["a list of lengths", `${post("Content-Length: 3, 3")}abc`, /^HTTP\/1\.1 400 /],
    ["a signed length", `${post("Content-Length: +3")}abc`, /^HTTP\/1\.1 400 /],
    ["a length that is too large", post("Content-Length: 99999999999999999999"), /^HTTP\/1\.1 400 /],
    [
      "a chunk's size that is no number",
      `${post("Transfer-Encoding: chunked")}zz\r\nabc\r\n0\r\n\r\n`,
      /^HTTP\/1\.1 400 /
    ],
    ["no host", head("GET /now HTTP/1.1", "a: b"), /^HTTP\/1\.1 400 /],
    ["HTTP/1.0", head("GET /now HTTP/1.0", "Host: x"), /^HTTP\/1\.1 505 /],
    ["lines that end with LF alone", "GET /now HTTP/1.1\nHost: x\n\n", /^HTTP\/1\.1 505 /],
    ["an absolute address", head("GET http://x/now HTTP/1.1", "Host: x"), /^HTTP\/1\.1 505 /],
    ["CONNECT", head("CONNECT x:443 HTTP/1.1", "Host: x"), /^HTTP\/1\.1 505 /],
    ["a space in the address", head("GET /now /x HTTP/1.1", "Host: x"), /^HTTP\/1\.1 505 /],
    ["a NUL in the address", head("GET /now\0 HTTP/1.1", "Host: x"), /^HTTP\/1\.1 505 /],
    [
      "101 headers",
      head("GET /now HTTP/1.1", "Host: x", ...Array.from({ length: 100 }, () => "a: b")),
      /^HTTP\/1\.1 431 /
    ],
    ["a folded header", head("GET /now HTTP/1.1", "Host: x", "a: b", " c"), /^$/],
    ["a space before a colon", head("POST /now HTTP/1.1", "Host: x", "Content-Length : 3"), /^$/],
    ["a CR in a header", head("GET /now HTTP/1.1", "Host: x", "a: b\rc: d"), /^$/],
    ["an LF in a header", head("GET /now HTTP/1.1", "Host: x", "a: b\nc: d"), /^$/],
    ["a NUL in a header", head("GET /now HTTP/1.1", "Host: x", "a: b\0"), /^$/],
    ["a header without a colon", head("GET /now HTTP/1.1", "Host: x", "abc"), /^$/]
  ]
  it.live("is not handled when the library refuses it", () =>
    Effect.gen(function* () {
      const { heard, handled } = yield* listening
      yield* Effect.forEach(
        theirs,
        ([name, bytes, expected]) => Effect.map(heard(bytes), ({ text }) => assert.match(text, expected, name)),
        { concurrency: 20 }
      )
      assert.deepStrictEqual(handled, [])
    })
  )

  it.live("may have a head of 15 KB, and not of 17 KB", () =>
    Effect.gen(function* () {
      const { heard } = yield* listening
      const long = (bytes: number) => head("GET /now HTTP/1.1", "Host: x", `a: ${"a".repeat(bytes)}`)
      assert.match((yield* heard(long(15_000))).text, /^HTTP\/1\.1 200 /)
      assert.match((yield* heard(long(17_000))).text, /^HTTP\/1\.1 431 /)
    })
  )
})

describe("a request in chunks", () => {
  const form = "Content-Type: multipart/form-data; boundary=b"
  const cases: ReadonlyArray<readonly [string, string]> = [
    ...["/now", "/later", "/streamed", "/sized"].map((path) => [path, `POST ${path} HTTP/1.1`] as const),
    ["/empty, a 204", "DELETE /empty HTTP/1.1"],
    ["a HEAD", "HEAD /now HTTP/1.1"],
    ["a form", `POST /now HTTP/1.1\r\n${form}`]
  ]
  for (const [name, line] of cases)
    it.live(`is the last one of its connection, whatever follows it: ${name}`, () =>
      Effect.gen(function* () {
        const { heard, handled } = yield* listening
        const chunked = `${head(line, "Host: x", "Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\n`
        // Alone it is answered.
        const alone = yield* heard(`${chunked}\r\n`)
        assert.match(alone.text, /^HTTP\/1\.1 20[04] /)
        assert.isTrue(alone.closed)
        assert.strictEqual(handled.length, 1)
        // The library takes trailers for a request. It skips two bytes, where an empty line would be.
        for (const packets of [
          [`${chunked}\r\n${second}`],
          [`${chunked}GE${second}`],
          [`${chunked}GE`, second],
          [chunked, `GE${second}`],
          [`${chunked}\r\n`, second]
        ]) {
          const { text, closed } = yield* heard(...packets)
          assert.isTrue(closed)
          assert.isAtMost(text.split("HTTP/1.1 20").length, 2, JSON.stringify(packets))
        }
        assert.isEmpty(handled.filter((request) => request.startsWith("GET")))
      })
    )

  it.live("ends no connection when it is not in chunks", () =>
    Effect.gen(function* () {
      const { heard, handled } = yield* listening
      const { text, closed } = yield* heard(`${post("Content-Length: 3")}abc${second}`)
      assert.strictEqual(text.split("HTTP/1.1 200").length, 3)
      assert.isFalse(closed)
      assert.deepStrictEqual(handled, ["POST /now abc", "GET /now "])
    })
  )
})

describe("a request on a connection whose last request is not answered yet", () => {
  it.live("closes it without an answer to either; those that are answered at once are all answered", () =>
    Effect.gen(function* () {
      const { heard } = yield* listening
      const waiting = yield* heard(head("GET /later HTTP/1.1", "Host: x") + second)
      assert.deepStrictEqual([waiting.text, waiting.closed], ["", true])
      const { text, closed } = yield* heard(second + second)
      assert.deepStrictEqual([text.split("HTTP/1.1 200").length - 1, closed], [2, false])
    })
  )
})

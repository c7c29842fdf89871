import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import * as BearerChallenge from "../../../src/http/middleware/BearerChallenge.ts"
import * as UwsHttpServer from "../../../src/http/server/UwsHttpServer.ts"
import { errorResponse } from "../../../src/http/wire/Errors.ts"
import { OwnAddress } from "../../../src/http/wire/OwnAddress.ts"

const refusing = (path: `/${string}`, status: 401 | 403) =>
  HttpRouter.add("POST", path, Effect.succeed(errorResponse(status, "No.")))

const routes = Layer.mergeAll(
  refusing("/api/mcp", 401),
  refusing("/api/mcp/sse", 401),
  refusing("/api/mcp/messages", 403),
  refusing("/api/mcp-servers", 401),
  refusing("/api/contacts", 401)
).pipe(
  Layer.provideMerge(BearerChallenge.layer),
  Layer.provide([OwnAddress.layer({ publicBaseUrl: "https://app.example.com" }), HttpServer.layerServices])
)

/** Gives the challenge in the answer to a POST. */
const makeChallenge = Effect.gen(function* () {
  const listening = yield* Layer.build(UwsHttpServer.layer({ port: 0, host: "127.0.0.1" }))
  const server = Context.get(listening, HttpServer.HttpServer)
  const port = "port" in server.address ? server.address.port : 0
  yield* Layer.build(
    HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provide(Layer.succeed(HttpServer.HttpServer, server))
    )
  )
  return (path: string, headers: Record<string, string> = {}) =>
    Effect.map(
      Effect.promise(() => fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers })),
      (answer) => answer.headers.get("www-authenticate")
    )
})

const metadata = 'resource_metadata="https://app.example.com/.well-known/oauth-protected-resource/api/mcp"'

describe("an answer that refuses a token", () => {
  it.live("says at the MCP server's addresses where to get one, and that the one which was sent is not good", () =>
    Effect.gen(function* () {
      const challenge = yield* makeChallenge
      for (const path of ["/api/mcp", "/api/mcp/sse", "/api/mcp?toolsets=calls"]) {
        assert.include(yield* challenge(path), `Bearer ${metadata}, scope="mcp `)
        const again = yield* challenge(path, { authorization: "Bearer mk_old" })
        assert.include(again, `Bearer error="invalid_token", ${metadata}, scope="mcp `)
      }
    })
  )

  it.live("says nothing of it elsewhere, or when the caller is known", () =>
    Effect.gen(function* () {
      const challenge = yield* makeChallenge
      for (const path of ["/api/mcp/messages", "/api/mcp-servers", "/api/contacts"])
        assert.isNull(yield* challenge(path))
    })
  )
})

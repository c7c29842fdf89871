import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { HttpServer, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { CustomersApi } from "../../src/http/groups/Api.ts"
import * as UwsHttpServer from "../../src/http/server/UwsHttpServer.ts"
import { contractOf } from "../contract/OpenApi.ts"
import { judgedServer } from "./judgedServer.ts"

const contract = contractOf(JSON.parse(JSON.stringify(OpenApi.fromApi(CustomersApi))))

/** How a test ends whose server gives this answer to everything. */
const outcomeOf = (answer: HttpServerResponse.HttpServerResponse, path = "/api/voices") =>
  Effect.gen(function* () {
    const built = yield* Layer.build(UwsHttpServer.layer({ port: 0, host: "127.0.0.1", drainMs: 100 }))
    const server = yield* judgedServer(Context.get(built, HttpServer.HttpServer), [contract])
    yield* server.serve(Effect.succeed(answer))
    const port = "port" in server.address ? server.address.port : 0
    yield* Effect.promise(async () => void (await (await fetch(`http://127.0.0.1:${port}${path}?page=1`)).text()))
  }).pipe(
    Effect.scoped,
    Effect.exit,
    Effect.map((exit) => (Exit.isSuccess(exit) ? "fine" : Cause.pretty(exit.cause)))
  )

describe("a judged server", () => {
  it.live("fails the test for each answer that is not as described", () =>
    Effect.gen(function* () {
      const { jsonUnsafe, text, empty } = HttpServerResponse
      assert.strictEqual(yield* outcomeOf(jsonUnsafe({ families: [], languages: [], voices: [] })), "fine")
      assert.strictEqual(yield* outcomeOf(jsonUnsafe({ error: "No." }, { status: 403 })), "fine")
      assert.match(yield* outcomeOf(jsonUnsafe({ families: [] })), /must have required property 'languages'/)
      assert.match(yield* outcomeOf(jsonUnsafe({ error: 1 }, { status: 403 })), /must be string/)
      assert.match(yield* outcomeOf(empty({ status: 201 })), /GET \/api\/voices 201: this status is not described/)
      assert.match(yield* outcomeOf(text("voices")), /the type text\/plain is not described/)
      assert.strictEqual(yield* outcomeOf(text("anything"), "/not-described"), "fine")
    })
  )
})

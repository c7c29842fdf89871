/** An HTTP server whose answers are all compared with our own descriptions, whatever a test looks at. */
import { Effect, type Scope } from "effect"
import { HttpServer, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Contract } from "../contract/OpenApi.ts"

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return "this is not JSON"
  }
}

const judgedAnswer = (
  { method, originalUrl }: HttpServerRequest.HttpServerRequest,
  { status, headers, body }: HttpServerResponse.HttpServerResponse
) => {
  const type = body._tag === "Empty" ? undefined : (body.contentType ?? headers["content-type"])
  const json =
    body._tag === "Uint8Array" && type?.startsWith("application/json")
      ? jsonOf(Buffer.from(body.body).toString("utf8"))
      : undefined
  return { method, path: originalUrl.split("?")[0], status, type, json }
}

/** The server, which keeps what is wrong with its answers. When the scope ends, it dies with them, so that the test fails. */
export const judgedServer = Effect.fnUntraced(function* (
  server: HttpServer.HttpServer["Service"],
  contracts: ReadonlyArray<Contract>
): Effect.fn.Return<HttpServer.HttpServer["Service"], never, Scope.Scope> {
  const problems = new Set<string>()
  yield* Effect.addFinalizer(() =>
    problems.size === 0
      ? Effect.void
      : Effect.die(new Error(`answers that are not as described:\n${[...problems].join("\n")}`))
  )
  const judge = (response: HttpServerResponse.HttpServerResponse) =>
    Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
      for (const { answerProblem } of contracts) {
        const problem = answerProblem(judgedAnswer(request, response))
        if (problem !== undefined) problems.add(problem)
      }
    })
  return HttpServer.make({
    address: server.address,
    serve: (app, middleware) =>
      middleware === undefined ? server.serve(Effect.tap(app, judge)) : server.serve(Effect.tap(app, judge), middleware)
  })
})

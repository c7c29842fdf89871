/**
 * The page `/docs`, which shows the description of the interface. Its scripts are in the page, and it may run no others: the hash of each is in its
 * Content-Security-Policy. It loads nothing from other hosts.
 */
import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"
import { madeOnce } from "./MadeOnce.ts"

/** Styles are written by the script, so they cannot be named by a hash. `connect-src` lets readers try requests. */
const others =
  "style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The policy of a page: the scripts that it contains may run, and no others. */
const policyOf = (page: string): string => {
  const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script)
  const hashes = scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
  return `default-src 'none'; script-src ${hashes.join(" ")}; ${others}`
}

/** Without the default fonts: they would come from another host. */
const pageOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  Effect.gen(function* () {
    // A router of its own: the page is asked for once, and its answer is what the service gives.
    const router = yield* HttpRouter.make
    yield* Layer.build(HttpApiScalar.layer(api, { scalar: { withDefaultFonts: false } })).pipe(
      Effect.provideService(HttpRouter.HttpRouter, router)
    )
    const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
    const made = yield* router
      .asHttpEffect()
      .pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, request), Effect.orDie)
    const text = made.body._tag === "Uint8Array" ? Buffer.from(made.body.body).toString("utf8") : ""
    return HttpServerResponse.setHeader(made, "content-security-policy", policyOf(text))
  }).pipe(Effect.scoped)

const [page, document] = [madeOnce(), madeOnce()]

const described = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  document(
    api,
    Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(api)))
  )

/** Makes the answers of `layer`, or gives those that are made. */
export const answers = <
  Id extends string,
  Customers extends HttpApiGroup.Constraint,
  Operators extends HttpApiGroup.Constraint
>(
  customers: HttpApi.HttpApi<Id, Customers>,
  operators: HttpApi.HttpApi<Id, Operators>
) => Effect.all([page(customers, pageOf(customers)), described(customers), described(operators)])

/**
 * Adds `/docs`, `/openapi.json`, which it shows, and `/openapi-operators.json`. Customers' clients need the first document alone, which is large
 * enough.
 */
export const layer = <
  Id extends string,
  Customers extends HttpApiGroup.Constraint,
  Operators extends HttpApiGroup.Constraint
>(
  customers: HttpApi.HttpApi<Id, Customers>,
  operators: HttpApi.HttpApi<Id, Operators>
) =>
  Layer.unwrap(
    Effect.map(answers(customers, operators), ([docs, ofCustomers, ofOperators]) =>
      Layer.mergeAll(
        HttpRouter.add("GET", "/docs", docs),
        HttpRouter.add("GET", "/openapi.json", ofCustomers),
        HttpRouter.add("GET", "/openapi-operators.json", ofOperators)
      )
    )
  )

/**
 * The page `/docs`, which shows the description of the interface. Its scripts are in the page, and it may run no others: the hash of each is in its
 * Content-Security-Policy. It loads nothing from other hosts.
 */
import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar } from "effect/http-api"

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

/** Adds the policy to the answer. The page is the same in all answers, so the policy is made once: the page has 3 MB. */
const withPolicy = HttpRouter.middleware(
  Effect.sync(() => {
    let policy: string | undefined
    return <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.map(handler, (response) => {
        const { body } = response
        policy ??= policyOf(body._tag === "Uint8Array" ? Buffer.from(body.body).toString("utf8") : "")
        return HttpServerResponse.setHeader(response, "content-security-policy", policy)
      })
  })
).layer

/** Adds the page. Without the default fonts: they would come from another host. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  HttpApiScalar.layer(api, { scalar: { withDefaultFonts: false } }).pipe(Layer.provide(withPolicy))

/** Tokens are refreshed once, however many processes there are: a second refresh with the same refresh token would end the authorization. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../../../simulators/crm/HubSpot.ts"
import { hubSpotClient } from "../../../simulators/crm/HubSpotTokens.ts"
import { AppConnections } from "../../../src/domain/apps/AppConnection.ts"
import { redirectUri } from "../../support/authorize.ts"
import { eventually } from "../../support/eventually.ts"
import { killable, startWithin } from "../../support/killed.ts"
import { newStores, storesOf, variablesOf } from "../../support/stores.ts"
import { newOrganization } from "../../support/tenants.ts"

const processes = 2
const workers = 25
const lifetimeMs = 3_000

describe("50 workers on two processes that need the token as it ends", () => {
  it.live(
    "refresh it once, and nobody has to connect again",
    () =>
      Effect.gen(function* () {
        const hubspot = yield* Effect.acquireRelease(
          Effect.promise(() => start()),
          ({ close }) => Effect.promise(close)
        )
        const environment = yield* newStores
        const run = <A, E>(effect: Effect.Effect<A, E, AppConnections>) =>
          Effect.provide(effect, storesOf(environment)).pipe(Effect.scoped)
        const organizationId = yield* Effect.map(newOrganization(), ({ id }) => id).pipe(
          Effect.provide(storesOf(environment)),
          Effect.scoped
        )
        const variables = {
          ...variablesOf(environment),
          ...{ HUBSPOT_URL: hubspot.url, ORGANIZATION: organizationId, WORKERS: String(workers) }
        }
        const children = yield* Effect.all(
          Array.from({ length: processes }, () => killable("tokenProcess.ts", variables))
        )
        for (const { said } of children)
          yield* eventually("it waits for the connection", () => said("running."), startWithin)

        hubspot.tokens.lifetimeSeconds = lifetimeMs / 1_000
        const given = hubspot.tokens.take(
          new URLSearchParams({
            ...{ grant_type: "authorization_code", code: hubspot.tokens.agree(redirectUri), redirect_uri: redirectUri },
            ...{ client_id: hubSpotClient.id, client_secret: hubSpotClient.secret }
          })
        ).body as { readonly access_token: string; readonly refresh_token: string }
        hubspot.tokens.lifetimeSeconds = 1_800
        const credentials = {
          ...{ accessToken: given.access_token, refreshToken: given.refresh_token },
          expiresAt: String(Date.now() + lifetimeMs)
        }
        const connected = { credentials, settings: {}, webhookToken: null, account: { id: "1", name: "1" } }
        yield* run(
          Effect.flatMap(AppConnections, (connections) =>
            connections.save(organizationId, "hubspot", connected, Date.now())
          )
        )
        const times = (word: string) =>
          children.map(({ output }) => output().split(word).length - 1).reduce((sum, count) => sum + count, 0)
        yield* eventually(
          "all have worked",
          () => times("worked 44012345.") + times("failed") === processes * workers,
          60
        )
        assert.strictEqual(times("failed"), 0, children.map(({ output }) => output()).join("\n"))
        assert.strictEqual(hubspot.tokens.refreshed, 1)
        assert.isTrue(hubspot.tokens.isAlive())
        const stored = yield* run(Effect.flatMap(AppConnections, (connections) => connections.list(organizationId)))
        assert.deepInclude(stored.get("hubspot"), { state: "connected", problem: null })
      }).pipe(Effect.scoped),
    240_000
  )
})

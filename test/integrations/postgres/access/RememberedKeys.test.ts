/** Keys that are cached: after a change in any process the next request reads the key from the database again. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Statement } from "effect/sql"
import { ApiKeys } from "../../../../src/domain/people/access/ApiKey.ts"
import * as RememberedKeys from "../../../../src/integrations/postgres/access/RememberedKeys.ts"
import { eventually } from "../../../support/eventually.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

/** Another process, which shares only the database. */
const elsewhere = Effect.flatMap(Layer.build(RememberedKeys.layer), (context) => ApiKeys.pipe(Effect.provide(context)))

/** Counts the queries while `effect` runs. */
const asked = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  let count = 0
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      count++
      return statement
    })
  )
  return count
})
/** Resolves when the key is cached. Listening for changes begins in the background. */
const remembered = (keys: ApiKeys["Service"], secret: string) =>
  eventually(
    "it is remembered",
    Effect.gen(function* () {
      yield* keys.authenticate(secret)
      return (yield* asked(keys.authenticate(secret))) === 0
    })
  )

layer(testStores, { excludeTestServices: true })("remembered keys", (it) => {
  it.effect("are read from the database once, and again after a change in another process", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const [here, there] = [yield* elsewhere, yield* elsewhere]
      const key = yield* here.create({ organizationId, name: "one" })
      const other = yield* here.create({ organizationId, name: "two" })
      yield* remembered(here, key.secret)
      yield* there.revoke(organizationId, key.id)
      yield* eventually(
        "it is refused here too",
        Effect.map(here.authenticate(key.secret), (caller) => caller === undefined)
      )
      assert.isUndefined(yield* there.authenticate(key.secret))
      assert.strictEqual((yield* here.authenticate(other.secret))?.keyId, other.id)
    })
  )

  it.effect("are refused when they are wrong, and end when they expire", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const keys = yield* elsewhere
      // The short-lived key must not wait until listening has begun.
      yield* remembered(keys, (yield* keys.create({ organizationId, name: "long" })).secret)
      const expiresAt = new Date(Date.now() + 2_500)
      const { secret } = yield* keys.create({ organizationId, name: "short", expiresAt })
      yield* remembered(keys, secret)
      assert.isUndefined(yield* keys.authenticate(`${secret.slice(0, -1)}${secret.endsWith("a") ? "b" : "a"}`))
      yield* Effect.sleep(expiresAt.getTime() - Date.now() + 20)
      assert.isUndefined(yield* keys.authenticate(secret))
    })
  )
})

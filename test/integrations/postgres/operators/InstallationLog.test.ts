import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { makeExpireInstallationLog } from "../../../../src/domain/operators/ExpireInstallationLog.ts"
import { InstallationLog } from "../../../../src/domain/operators/InstallationLog.ts"
import { Acting } from "../../../../src/domain/people/access/Audit.ts"
import { testStores } from "../../../support/tenants.ts"

const dayMs = 86_400_000

const operator = { actor: { type: "operator", id: "opr_noor" }, ip: "203.0.113.7", requestId: null } as const
const service = { actor: { type: "system", id: null }, ip: null, requestId: null } as const

layer(testStores, { excludeTestServices: true })("the installation's log", (it) => {
  /** Writes what happened so many days ago. */
  const happened = Effect.fnUntraced(function* (by: typeof operator | typeof service, seed: string, days: number) {
    const log = yield* InstallationLog
    const at = (yield* Clock.currentTimeMillis) - days * dayMs
    const type = by === operator ? "organization.changed" : "node.lost"
    yield* log.saw(seed, { type, subjectId: seed }, at).pipe(Effect.provideService(Acting, by))
  })
  const left = Effect.gen(function* () {
    const { data } = yield* (yield* InstallationLog).list({}, 1, 100)
    return data.map(({ subjectId }) => subjectId).toSorted()
  })

  it.effect("keeps what the service saw for 90 days and what operators did for two years", () =>
    Effect.gen(function* () {
      yield* happened(service, "seen 91 days ago", 91)
      yield* happened(service, "seen 89 days ago", 89)
      yield* happened(operator, "done 731 days ago", 731)
      yield* happened(operator, "done 729 days ago", 729)
      const expire = yield* makeExpireInstallationLog
      assert.strictEqual(yield* expire, 2)
      assert.deepStrictEqual(yield* left, ["done 729 days ago", "seen 89 days ago"])
      assert.strictEqual(yield* expire, 0, "again, it finds nothing")
    })
  )

  it.effect(
    "loses nothing of the last month, and of operators nothing of the last year, to whoever asks for more",
    () =>
      Effect.gen(function* () {
        const log = yield* InstallationLog
        yield* happened(service, "seen 29 days ago", 29)
        yield* happened(operator, "done 364 days ago", 364)
        const now = yield* Clock.currentTimeMillis
        yield* log.expire({ seen: now, done: now }, 500)
        assert.deepStrictEqual(yield* left, ["done 364 days ago", "seen 29 days ago"])
      })
  )
})

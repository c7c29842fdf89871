/** The process that takes files and works off imports is killed between any two of its steps: no row is lost or applied twice. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { makeSql } from "../../../src/integrations/postgres/tenancy/Sql.ts"
import { eventually } from "../../support/eventually.ts"
import { type Step, startImporting, steps, takeFile } from "../../support/importService.ts"
import { killable, startWithin } from "../../support/killed.ts"
import { newStores, type StoresEnvironment, storesOf, variablesOf, variablesOfAll } from "../../support/stores.ts"
import { newOrganization } from "../../support/tenants.ts"

const people = 250
/** Each contact says that it wants messages; one comes twice, and one has no number. */
const file = [
  "phone,name,optedIn",
  ...Array.from({ length: people }, (_, i) => `+1415${5_550_000 + i},Contact ${i},yes`),
  "+14155550000,Contact 0 again,yes",
  "nobody,,"
].join("\n")

const office = (step: Step) =>
  Effect.gen(function* () {
    const environment = yield* newStores
    const organizationId = yield* Effect.gen(function* () {
      const { id } = yield* newOrganization()
      if (step !== "received") yield* takeFile(id, file)
      return id
    }).pipe(Effect.provide(storesOf(environment)))
    const variables = { ...variablesOf(environment), ORGANIZATION: organizationId, FREEZE_AT: step }
    return { step, environment, organizationId, variables }
  })

const what: Readonly<Record<Step, string>> = {
  received:
    "leaves nothing to be worked off while the file is on its way, and the import is removed when it has expired",
  found: "applies each row once when it is killed before the next rows are applied",
  applied: "applies each row once when it is killed between making contacts and recording it",
  recorded: "applies each row once when it is killed after it has recorded what it made"
}

/** One process with an import for each step, each in an organization and database of its own. It is killed when each is at its step. */
const killed = Effect.gen(function* () {
  const offices = yield* Effect.forEach(steps, office, { concurrency: 2 })
  const child = yield* killable("importProcess.ts", variablesOfAll(offices.map(({ variables }) => variables)))
  for (const { step } of offices)
    yield* eventually(`an import is at ${step}`, async () => child.said(`frozen at ${step}.`) || undefined, startWithin)
  yield* Effect.promise(child.kill)
  return new Map(offices.map((one) => [one.step, one]))
})

/** Runs a statement as the organization. */
const asked = (environment: StoresEnvironment, organizationId: string) => {
  return <Row extends object>(statement: string) =>
    Effect.gen(function* () {
      const { sql, asTenant } = yield* makeSql
      return yield* asTenant(organizationId)(sql.unsafe<Row>(statement))
    }).pipe(Effect.provide(storesOf(environment)), Effect.scoped)
}
type Ask = ReturnType<typeof asked>

const count = (ask: Ask, from: string) =>
  Effect.map(ask<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`), ([{ count }]) => count)

/** Asserts what must be stored at the end, wherever the process was killed. */
const whole = Effect.fnUntraced(function* (ask: Ask) {
  const [{ status, rows, created, skipped, refused }] = yield* ask<Record<string, unknown>>("SELECT * FROM imports")
  assert.deepStrictEqual(
    { status, rows, created, skipped, refused },
    { status: "completed", rows: people + 2, created: people, skipped: 1, refused: 1 }
  )
  assert.strictEqual(yield* count(ask, "contacts"), people)
  assert.strictEqual(yield* count(ask, "contacts WHERE name = 'Contact 0'"), 1)
  for (const from of ["events WHERE type = 'contact.created'", "consents WHERE action = 'granted'"])
    assert.strictEqual(yield* count(ask, from), people, from)
  // Only the refused row is kept.
  assert.deepStrictEqual(yield* ask("SELECT number FROM import_rows"), [{ number: people + 3 }])
})

describe.concurrent("an import whose process is killed", () => {
  const scope = Scope.makeUnsafe()
  let left: Effect.Success<typeof killed>
  beforeAll(async () => {
    left = await Effect.runPromise(Scope.provide(killed, scope))
  }, 240_000)
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  for (const step of steps)
    it.live(
      what[step],
      () =>
        Effect.gen(function* () {
          const { environment, organizationId } = left.get(step) ?? assert.fail(step)
          const ask = asked(environment, organizationId)
          const imports = (where: string) => count(ask, `imports WHERE ${where}`)
          if (step === "received") {
            assert.strictEqual(yield* count(ask, "import_rows"), 500)
            yield* ask("UPDATE imports SET expires_at = now() - interval '1 second'")
          } else {
            assert.strictEqual(yield* count(ask, "contacts"), step === "recorded" ? 200 : 100)
          }
          yield* startImporting(environment)
          const isOver = step === "received" ? "true" : "status = 'running'"
          yield* eventually(
            "the import is over",
            Effect.map(imports(isOver), (left) => left === 0),
            60
          )
          if (step === "received") assert.strictEqual(yield* count(ask, "contacts"), 0)
          else yield* whole(ask)
        }).pipe(Effect.scoped),
      240_000
    )
})

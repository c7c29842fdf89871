/** The process that takes files and works off imports is killed between any two of its steps: no row is lost or applied twice. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { makeSql } from "../../../src/integrations/postgres/tenancy/Sql.ts"
import { eventually } from "../../support/eventually.ts"
import { type Step, startImporting, steps, takeFile } from "../../support/importService.ts"
import { killedAtSteps } from "../../support/killedAtSteps.ts"
import { newStores, type StoresEnvironment, storesOf, variablesOf } from "../../support/stores.ts"
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
    const variables = { ...variablesOf(environment), ORGANIZATION: organizationId }
    return { environment, organizationId, variables }
  })

type Office = Effect.Success<ReturnType<typeof office>>

const what: Readonly<Record<Step, string>> = {
  received:
    "leaves nothing to be worked off while the file is on its way, and the import is removed when it has expired",
  found: "applies each row once when it is killed before the next rows are applied",
  applied: "applies each row once when it is killed between making contacts and recording it",
  recorded: "applies each row once when it is killed after it has recorded what it made"
}

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

describe.concurrent("an import whose process is killed", () =>
  killedAtSteps<Step, Office, Office>(steps, {
    ...{ program: "importProcess.ts", what, make: office, variables: ({ variables }) => variables },
    begin: Effect.succeed,
    tell: Effect.fnUntraced(function* ({ environment, organizationId }, step) {
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
    })
  }))

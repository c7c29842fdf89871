/** What telling a change costs the database: statements, counted where they are sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { startApps } from "../../support/apps.ts"
import { eventually } from "../../support/eventually.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

/** Looks are made by the clock, and find what is due for all organizations. */
const looks = /\b(apps_due|apps_behind|apps_to_fill|events_behind)\(/

/** Counts statements, those that only look apart. A transaction is two: its beginning and its end. */
const makeCounter = () => {
  const sent: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span(options) {
      const span = new Tracer.NativeSpan(options)
      if (options.kind === "client" || options.name === "sql.transaction") sent.push(span)
      return span
    }
  })
  const textOf = ({ attributes }: Tracer.Span) => String(attributes.get("db.query.text") ?? "")
  const counted = () =>
    sent.filter((span) => span.name === "sql.transaction" || (textOf(span) !== "" && !looks.test(textOf(span))))
  const count = () => counted().reduce((sum, { name }) => sum + (name === "sql.transaction" ? 2 : 1), 0)
  return { tracer, count }
}

describe("telling an integration", () => {
  it.live(
    "costs three statements a change: one makes it a task, one claims it with all there is to tell, one settles it",
    () =>
      Effect.gen(function* () {
        const { tenant, connect, contact, receiver, worker, connection } = yield* startApps
        const us = yield* Effect.promise(() => tenant())
        yield* Effect.promise(() => connect(us, "/crm"))
        const { tracer, count } = makeCounter()
        yield* Effect.provideService(worker, Tracer.Tracer, tracer)
        const told = (many: number) =>
          eventually(
            "it was told",
            async () => receiver.received.length === many && (await connection(us)).waiting === 0
          )
        yield* Effect.promise(() => contact(us))
        yield* told(1)
        yield* Effect.sleep("300 millis")
        const before = count()
        const changes = 10
        for (let n = 0; n < changes; n++) {
          yield* Effect.promise(() => contact(us))
          yield* told(n + 2)
        }
        const each = (count() - before) / changes
        assert.isAtMost(each, 4)
      }).pipe(Effect.scoped)
  )
})

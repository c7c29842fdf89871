/**
 * Works off imports, and removes expired ones. Several processes may run it: one transaction applies some rows and records that they are applied, so
 * nothing has to be claimed, and after a crash the next process goes on where the last one stopped. It goes round: after some rows of one
 * organization come some of the next, and in between the process does its other work.
 */
import { Clock, Effect, Layer } from "effect"
import { periodically } from "../../domain/basics/Periodically.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { makeApplyModuleRows } from "../../domain/business/files/ApplyModuleRows.ts"
import { makeApplyContactRows } from "../../domain/imports/ApplyContactRows.ts"
import { type DueImport, type ImportJob, ImportQueue, Imports, type WaitingRow } from "../../domain/imports/Imports.ts"

const lookEvery = "1 second"
/** Organizations that have their turn in one round, and those of them at a time. */
const each = 20
const atOnce = 2
/** Rows of one transaction. Few, because an open transaction holds up the events of all organizations, and the import of the next one. */
export const rowsAtOnce = 100
/** The pause after each transaction: other work has the database and the process for itself as long. */
const pauseMs = 5
const firstPauseMs = 2_000

const failedSentence =
  "The import could not be finished. What the counts name is done; send the file again, and tell the operator if that does not help."

/** Makes an effect that gives one import of every organization its turn once. It gives whether one of them has gone on: there may be more to do. */
export const makeImportRound = Effect.gen(function* () {
  const queue = yield* ImportQueue
  const imports = yield* Imports
  const applyContacts = yield* makeApplyContactRows
  const applyRecords = yield* makeApplyModuleRows
  const apply = (job: ImportJob, rows: ReadonlyArray<WaitingRow>) =>
    job.kind === "contacts" ? applyContacts(job, rows) : applyRecords(job, job.kind, rows)

  const stumble = Effect.fnUntraced(function* (due: DueImport) {
    const now = yield* Clock.currentTimeMillis
    yield* queue.stumbled(due, now + firstPauseMs, failedSentence, now)
    return false
  })

  const turn = traced("Import.turn")((due: DueImport) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => queue.advance(due, rowsAtOnce, apply, now)).pipe(
      Effect.map((rows) => rows !== undefined),
      Effect.tap(() => Effect.sleep(pauseMs)),
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logWarning("an import could not go on", { importId: due.id }, cause), stumble(due))
      )
    )
  )

  return Effect.gen(function* () {
    const due = yield* queue.due(yield* Clock.currentTimeMillis, each)
    const expired = due.filter((one) => one.expired)
    yield* Effect.forEach(expired, ({ organizationId, id }) => imports.remove(organizationId, id), { discard: true })
    const running = due.filter((one) => !one.expired)
    const went = yield* Effect.forEach(running, turn, { concurrency: atOnce })
    return went.some(Boolean)
  })
})

/** Needs the stores of imports, Contacts, the modules with their custom fields, Organizations and Audit. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const round = yield* makeImportRound
    const work = Effect.gen(function* () {
      while (yield* round);
    })
    yield* periodically("the worker of imports could not look", { first: lookEvery, every: lookEvery }, work)
  })
)

/** The imports of one process on real stores: the worker, and a file on its way. `reached` runs at each step between two writes. */
import { Effect, Layer, Stream } from "effect"
import * as ImportWorker from "../../src/actors/imports/ImportWorker.ts"
import { contactFields, readContactRow } from "../../src/domain/imports/ContactRow.ts"
import { ImportQueue, type NewImport } from "../../src/domain/imports/Imports.ts"
import { makeReceiveImport, type RowReading } from "../../src/domain/imports/ReceiveImport.ts"
import * as StreamedRows from "../../src/integrations/imports/StreamedRows.ts"
import { type StoresEnvironment, storesOf } from "./stores.ts"

/** The steps in the order of an import. Those of the worker are of its second transaction: some rows are done by then. */
export const steps = ["received", "found", "applied", "recorded"] as const
export type Step = (typeof steps)[number]

type Reached = (step: Step) => Effect.Effect<void>

const given: NewImport = {
  kind: "contacts",
  dryRun: false,
  onDuplicate: "skip",
  tags: [],
  fileName: null,
  actor: { type: "key", id: "key_import" },
  requestedBy: "key_import"
}
const reading: RowReading = {
  fields: contactFields,
  read: (map, values) => readContactRow(map, values, { tags: [] })
}

/** Takes a file of CSV. It needs the stores. `rest`: what comes after this text. */
export const takeFile = (organizationId: string, csv: string, rest: Effect.Effect<void> = Effect.void) =>
  Effect.gen(function* () {
    const receive = yield* makeReceiveImport
    const text = Stream.encodeText(Stream.succeed(csv))
    const bytes = Stream.concat(text, Stream.drain(Stream.fromEffect(rest)))
    return yield* receive(organizationId, given, reading, { bytes, format: { kind: "csv" }, columns: {} })
  }).pipe(Effect.provide(StreamedRows.layer))

const watchedQueue = (reached: Reached) =>
  Layer.effect(
    ImportQueue,
    Effect.map(ImportQueue, (queue) => {
      let transactions = 0
      const at = (step: Step) => Effect.suspend(() => (transactions < 2 ? Effect.void : reached(step)))
      return ImportQueue.of({
        ...queue,
        advance: (due, most, apply, now) =>
          Effect.sync(() => void transactions++).pipe(
            Effect.andThen(at("found")),
            Effect.andThen(
              queue.advance(due, most, (job, rows) => Effect.tap(apply(job, rows), () => at("applied")), now)
            ),
            Effect.tap(() => at("recorded"))
          )
      })
    })
  )

/** Works off imports as long as the scope lives. */
export const startImporting = (environment: StoresEnvironment, reached: Reached = () => Effect.void) =>
  Layer.build(
    Layer.fresh(ImportWorker.layer).pipe(Layer.provide(watchedQueue(reached)), Layer.provide(storesOf(environment)))
  )

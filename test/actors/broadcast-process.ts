/** A process that works off broadcasts until it is killed: `node broadcast-process.ts <database url>`. Says `ready`. */
import { randomBytes } from "node:crypto"
import { Effect, Layer, Redacted } from "effect"
import * as Database from "../../src/integrations/postgres/Database.ts"
import * as Repositories from "../../src/integrations/postgres/Repositories.ts"
import * as KeyRing from "../../src/integrations/secrets/KeyRing.ts"
import { broadcastWorker } from "../support/broadcasting.ts"

const [url] = process.argv.slice(2)
const ring = Redacted.make(`test:${randomBytes(32).toString("base64")}`)
const stores = Repositories.layer.pipe(
  Layer.provideMerge(
    Layer.merge(Database.layer({ url: Redacted.make(url), maxConnections: 8 }), KeyRing.layer({ ring }))
  )
)
// A lease that a test can wait for.
const worker = broadcastWorker({ perSecond: 80, leaseMs: 2_000 }).pipe(Layer.provide(stores))

Effect.runFork(
  Effect.scoped(
    Effect.andThen(
      Layer.build(worker),
      Effect.andThen(
        Effect.sync(() => process.stdout.write("ready\n")),
        Effect.never
      )
    )
  )
)

/** A service in a process of its own over a PostgreSQL that waits for its disk, as in production: a message that was accepted is there for good. */
import { join } from "node:path"
import { Effect, Layer, Option, Redacted } from "effect"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Organizations } from "../../src/domain/people/organizations/Organization.ts"
import * as EmbeddedPostgres from "../../src/integrations/postgres/database/EmbeddedPostgres.ts"
import { readPostmaster } from "../../src/integrations/postgres/database/Postmaster.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { storage } from "../../src/wiring/Storage.ts"
import { loadContacts } from "./Backlog.ts"
import { startChannel } from "./Channel.ts"
import { folder } from "./Folder.ts"
import { startService, usageOfAll } from "./Service.ts"
import { benchSettings, noProviders } from "./Settings.ts"

/** With an organization, a key, and so many contacts. Lives as long as the scope. */
export const startDurable = Effect.fn("Bench.startDurable")(function* (contacts: number) {
  const dataDir = yield* folder
  const databaseUrl = yield* EmbeddedPostgres.start({ dataDir: join(dataDir, "postgres"), durable: true })
  const channel = yield* startChannel
  const settings = yield* benchSettings({
    ...noProviders,
    messaging: channel.messaging,
    port: yield* Effect.promise(freePort),
    dataDir,
    databaseUrl: Option.some(databaseUrl),
    publicBaseUrl: Option.some("https://bench.example.com")
  })
  const services = yield* Layer.build(storage(settings))
  const service = yield* startService(settings)
  const { organizationId, key } = yield* Effect.gen(function* () {
    const { id } = yield* (yield* Organizations).create({ name: "Bench", plan: "ENTERPRISE", timeZone: "UTC" })
    const { secret } = yield* (yield* ApiKeys).create({ organizationId: id, name: "bench" })
    yield* channel.connect(id)
    if (contacts > 0) yield* loadContacts(id, contacts)
    return { organizationId: id, key: secret }
  }).pipe(Effect.provide(services))
  const postmaster = yield* Effect.promise(() => readPostmaster(join(dataDir, "postgres", "cluster")))
  if (postmaster === undefined) return yield* Effect.die(new Error("the database has no process"))
  const database = () => usageOfAll(postmaster)
  return {
    services,
    service,
    database,
    adminUrl: Redacted.value(databaseUrl),
    port: settings.port,
    organizationId,
    key
  }
})
export type Durable = Effect.Success<ReturnType<typeof startDurable>>

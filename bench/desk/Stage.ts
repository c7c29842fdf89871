/** A database full of messaging, and the app over it in a process of its own. Everything ends with the scope. */
import { join } from "node:path"
import { Effect, Option, Redacted } from "effect"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Organizations } from "../../src/domain/people/organizations/Organization.ts"
import * as EmbeddedPostgres from "../../src/integrations/postgres/database/EmbeddedPostgres.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { storage } from "../../src/wiring/Storage.ts"
import { startChannel } from "../support/Channel.ts"
import { folder } from "../support/Folder.ts"
import { startService } from "../support/Service.ts"
import { benchSettings, noProviders, nowhere } from "../support/Settings.ts"
import { fill } from "./Bulk.ts"

export interface StageOptions {
  readonly contacts: number
  readonly messages: number
}

const organization = Effect.gen(function* () {
  const { id: organizationId } = yield* (yield* Organizations).create({
    name: "Desk",
    plan: "ENTERPRISE",
    timeZone: "Asia/Kolkata"
  })
  const keys = yield* ApiKeys
  const { secret: key } = yield* keys.create({ organizationId, name: "bench" })
  const { secret: mcpKey } = yield* keys.create({ organizationId, name: "mcp", scopes: ["mcp", "contacts:read"] })
  const { secret: adminKey } = yield* keys.create({ organizationId, name: "people", scopes: ["admin"] })
  return { organizationId, key, mcpKey, adminKey }
})

export const setDesk = Effect.fn("Bench.setDesk")(function* (options: StageOptions, say: (text: string) => void) {
  const dataDir = yield* folder
  say("starting the database")
  const databaseUrl = yield* EmbeddedPostgres.start({ dataDir: join(dataDir, "postgres"), durable: false })
  const port = yield* Effect.promise(freePort)
  const channel = yield* startChannel
  const settings = yield* benchSettings({
    ...noProviders,
    engineBaseUrl: Option.some(nowhere),
    publicBaseUrl: Option.some(`http://127.0.0.1:${port}`),
    dataDir,
    port,
    databaseUrl: Option.some(databaseUrl),
    // What is sent waits in the queue, as in the reference: requests are measured here, deliveries by `sends`.
    messagesPerSecond: 1,
    messaging: channel.messaging
  })
  const { organizationId, key, mcpKey, adminKey } = yield* organization.pipe(
    Effect.tap(({ organizationId }) => channel.connect(organizationId)),
    Effect.provide(storage(settings)),
    Effect.scoped
  )
  const adminUrl = Redacted.value(databaseUrl)
  yield* Effect.promise(() => fill(adminUrl, { organizationId, ...options }, say))
  say("starting the app")
  const app = yield* startService(settings, { role: "app" })
  return { baseUrl: `http://127.0.0.1:${port}`, organizationId, key, mcpKey, adminKey, adminUrl, app }
})
export type Desk = Effect.Success<ReturnType<typeof setDesk>>

/**
 * A hundred organizations with integrations, and the app over them in a process of its own. Some are connected to a HubSpot, some to an address of their own,
 * some to a Notion that answers everything with 429, and some to an address that accepts requests and never answers. Everything ends with the scope.
 */
import { join } from "node:path"
import { Effect, Option, Redacted } from "effect"
import { Client } from "pg"
import { start as startHubSpot } from "../../simulators/crm/HubSpot.ts"
import { start as startNotion } from "../../simulators/notes/Notion.ts"
import { start as startReceiver } from "../../simulators/webhook-receiver/WebhookReceiver.ts"
import * as Config from "../../src/config/Config.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Organizations } from "../../src/domain/people/organizations/Organization.ts"
import * as EmbeddedPostgres from "../../src/integrations/postgres/database/EmbeddedPostgres.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { storage } from "../../src/wiring/Storage.ts"
import { clientOf } from "../desk/OpenLoop.ts"
import { folder } from "../support/Folder.ts"
import { startService } from "../support/Service.ts"
import { benchSettings, noProviders, nowhere } from "../support/Settings.ts"

/** How an organization's service behaves. `hubspot` and `webhook` are well. */
export const kinds = ["hubspot", "webhook", "limited", "dead"] as const
export type Kind = (typeof kinds)[number]
export const isWell = (kind: Kind): boolean => kind === "hubspot" || kind === "webhook"

/** Of ten organizations: four at HubSpot, three at an address, one limited, two dead. */
const shares: ReadonlyArray<Kind> = [
  ...(["hubspot", "webhook", "limited", "hubspot", "webhook"] as const),
  ...(["dead", "hubspot", "webhook", "hubspot", "dead"] as const)
]

export interface Tenant {
  readonly organizationId: string
  readonly key: string
  readonly kind: Kind
  readonly provider: "hubspot" | "webhook" | "notion"
}

const signingSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
const hubSpotToken = "pat-na1-the-token-of-a-private-app"
const notionSecret = "ntn_the-secret-of-an-internal-integration"
const unlimited = 1_000_000_000

const providerOf = (kind: Kind): Tenant["provider"] =>
  kind === "hubspot" ? "hubspot" : kind === "limited" ? "notion" : "webhook"

const newTenants = (count: number) =>
  Effect.forEach(Array.from({ length: count }), (_, n) =>
    Effect.gen(function* () {
      const name = `Bench ${n}`
      const { id } = yield* (yield* Organizations).create({ name, plan: "ENTERPRISE", timeZone: "UTC" })
      const { secret: key } = yield* (yield* ApiKeys).create({
        organizationId: id,
        name: "bench",
        scopes: ["admin", "contacts:read", "contacts:write"]
      })
      const kind = shares[n % shares.length]
      return { organizationId: id, key, kind, provider: providerOf(kind) } satisfies Tenant
    })
  )

const acquired = <A extends { readonly close: () => Promise<unknown> }>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), ({ close }) => Effect.promise(close))

export const setStage = Effect.fn("Bench.setStage")(function* (organizations: number, say: (text: string) => void) {
  const dataDir = yield* folder
  say("starting the database")
  const databaseUrl = yield* EmbeddedPostgres.start({ dataDir: join(dataDir, "postgres"), durable: false })
  const hubspot = yield* acquired(startHubSpot)
  const notion = yield* acquired(startNotion)
  const receiver = yield* acquired(startReceiver)
  hubspot.tokens.privateApps.add(hubSpotToken)
  notion.tokens.privateApps.add(notionSecret)
  // Each organization has an account of its own there; the simulator has one for all.
  Object.assign(hubspot.limits, { perWindow: unlimited, perDay: unlimited })
  const port = yield* Effect.promise(freePort)
  const known = yield* Config.load
  const settings = yield* benchSettings({
    ...noProviders,
    engineBaseUrl: Option.some(nowhere),
    publicBaseUrl: Option.some(`http://127.0.0.1:${port}`),
    allowPrivateTools: true,
    hubspot: { ...known.hubspot, baseUrl: hubspot.url },
    notion: { ...known.notion, baseUrl: notion.url },
    ...{ dataDir, port, databaseUrl: Option.some(databaseUrl) }
  })
  const tenants = yield* newTenants(organizations).pipe(Effect.provide(storage(settings)), Effect.scoped)
  const database = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: Redacted.value(databaseUrl) })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )
  say("starting the app")
  const start = (log?: string) => startService(settings, { role: "app", log })
  const app = yield* start()

  const baseUrl = `http://127.0.0.1:${port}`
  const given = {
    hubspot: () => ({ credentials: { accessToken: hubSpotToken } }),
    notion: () => ({ credentials: { accessToken: notionSecret }, settings: { database: notion.records.databaseId } }),
    webhook: ({ organizationId }: Tenant) => ({
      credentials: { signingSecret },
      settings: { url: `${receiver.url}/${organizationId}` }
    })
  }
  const put = async (tenant: Tenant) => {
    const { key, provider, kind, organizationId } = tenant
    const response = await fetch(`${baseUrl}/api/integrations/${provider}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ settings: {}, ...given[provider](tenant) })
    })
    if (!response.ok) throw new Error(`${provider} could not be connected: ${await response.text()}`)
    if (kind === "dead") receiver.behave(`/${organizationId}`, { kind: "hang" })
  }
  say("connecting integrations")
  yield* Effect.promise(async () => {
    for (const tenant of tenants) await put(tenant)
  })
  notion.limits.perSecond = 0

  /** Switches the connections of these organizations on or off. What happens while one is off is not told. */
  const switchAll = (which: ReadonlyArray<Tenant>, what: "enable" | "disable") =>
    Effect.promise(async () => {
      for (const { key, provider } of which) await clientOf(baseUrl, key)(`/api/integrations/${provider}/${what}`, {})
    })
  return { hubspot, notion, receiver, tenants, database, baseUrl, app, start, switchAll }
})
export type AppsStage = Effect.Success<ReturnType<typeof setStage>>

/** The HTTP routes of the role `app`, and its work in the background. */
import { hostname } from "node:os"
import { fileURLToPath } from "node:url"
import { Effect, Layer, Redacted, Schedule } from "effect"
import * as CartTimer from "../actors/apps/CartTimer.ts"
import * as OutageWatch from "../actors/events/outages/OutageWatch.ts"
import * as WebhookWorker from "../actors/events/webhooks/WebhookWorker.ts"
import * as ImportWorker from "../actors/imports/ImportWorker.ts"
import * as SlaSweep from "../actors/messaging/conversations/SlaSweep.ts"
import * as TurnSweep from "../actors/messaging/conversations/TurnSweep.ts"
import * as MediaSweep from "../actors/messaging/delivery/MediaSweep.ts"
import * as InboxWorker from "../actors/messaging/inbox/InboxWorker.ts"
import * as TemplateSync from "../actors/messaging/inbox/TemplateSync.ts"
import * as NodeReporter from "../actors/operators/NodeReporter.ts"
import * as ResyncWorker from "../actors/operators/ResyncWorker.ts"
import * as DailyRetention from "../actors/privacy/DailyRetention.ts"
import * as ExportWorker from "../actors/privacy/ExportWorker.ts"
import * as AllowanceWatch from "../actors/voice/allowance/AllowanceWatch.ts"
import * as SummaryWorker from "../actors/voice/summaries/SummaryWorker.ts"
import * as VoicemailWorker from "../actors/voice/voicemail/VoicemailWorker.ts"
import type { Role, Settings } from "../config/Environment.ts"
import { Organizations } from "../domain/people/organizations/Organization.ts"
import { setUpToken } from "../domain/people/organizations/SetUp.ts"
import type { EngineClient } from "../domain/voice/engine/EnginePorts.ts"
import { appRoutes } from "../http/Routes.ts"
import * as ZipArchives from "../integrations/archive/ZipArchives.ts"
import * as StreamedRows from "../integrations/imports/StreamedRows.ts"
import * as AccessExpiry from "../integrations/postgres/access/AccessExpiry.ts"
import * as DeviceTokens from "../integrations/postgres/access/DeviceTokens.ts"
import * as RememberedKeys from "../integrations/postgres/access/RememberedKeys.ts"
import * as Backlog from "../integrations/postgres/messaging/conversations/Backlog.ts"
import * as CommandExpiry from "../integrations/postgres/messaging/conversations/CommandExpiry.ts"
import * as ListCounts from "../integrations/postgres/tenancy/ListCounts.ts"
import * as TwilioLiveCalls from "../integrations/telephony/TwilioLiveCalls.ts"
import * as TwilioRecordings from "../integrations/telephony/TwilioRecordings.ts"
import * as HttpClientDocuments from "../integrations/web/HttpClientDocuments.ts"
import { listenUrl, publicBaseUrl, streamUrl } from "./Addresses.ts"
import { apps, payments, syncing } from "./Apps.ts"
import { mcpState, rateLimits } from "./Coordination.ts"
import { broadcasting, delivery, push, webhookSender } from "./Messaging.ts"
import { keyRing } from "./Storage.ts"
import { outbound, provisioning } from "./Telephony.ts"
import { evaluations, rehearsals, summing } from "./TextAgents.ts"
import { knowledge, toolsOfCalls } from "./Tools.ts"
import { voiceNotes } from "./Voice.ts"

/** Where `npm run build:web` writes the dashboard. */
const dashboardFolder = fileURLToPath(new URL("../../web/dist", import.meta.url))

/** The HTTP routes of the app with what they need. The app reaches its engine through `client`. */
export const appServices = <R>(settings: Settings, client: Layer.Layer<EngineClient, never, R>) => {
  const secret = Redacted.value(settings.engineSecret)
  return appRoutes({
    secret,
    publicBaseUrl: publicBaseUrl(settings),
    humans: settings.humans,
    requestsPerMinute: settings.requestsPerMinute,
    mcp: settings.mcp,
    corsOrigins: settings.corsOrigins,
    dashboard: dashboardFolder,
    streamUrl: streamUrl(settings),
    listenUrl: listenUrl(settings),
    secureCookies: settings.environment === "production" || publicBaseUrl(settings).startsWith("https:")
  }).pipe(
    Layer.provide([
      client,
      toolsOfCalls(settings),
      HttpClientDocuments.layer({ allowPrivateNetwork: settings.allowPrivateTools }),
      webhookSender(settings),
      apps(settings),
      outbound(settings),
      TwilioLiveCalls.layer({ baseUrl: settings.twilioBaseUrl }),
      provisioning(settings),
      summing(settings),
      ZipArchives.layer,
      rehearsals(settings),
      rateLimits(settings),
      mcpState(settings)
    ]),
    Layer.provide(Layer.merge(RememberedKeys.layer, StreamedRows.layer))
  )
}

/**
 * While there is no organization, whoever reads the log can make the first one. Of several workers one says so. The service starts without waiting for
 * it: a database that is late at the start must not end the process.
 */
const tellSetUp = (settings: Settings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      if (settings.worker !== undefined && settings.worker.id !== 1) return
      const { idsAfter } = yield* Organizations
      const told = Effect.gen(function* () {
        if ((yield* idsAfter("", 1)).length > 0) return
        const token = setUpToken(Redacted.value(settings.engineSecret))
        yield* Effect.logInfo(
          `There is no organization yet. Make the first one at ${publicBaseUrl(settings)}/setup#${token}`
        )
      })
      yield* told.pipe(
        Effect.sandbox,
        Effect.retry({ schedule: Schedule.spaced("2 seconds"), times: 30 }),
        Effect.catch((cause) => Effect.logWarning("Whether there is an organization is not known", cause)),
        Effect.forkScoped
      )
    })
  )

/** This process tells the others of itself. */
export const reporting = (role: Role) => NodeReporter.layer({ role, host: hostname(), pid: process.pid })

/** The background work of the app. */
export const appWorkers = <R>(settings: Settings, role: Role, client: Layer.Layer<EngineClient, never, R>) =>
  Layer.mergeAll(
    NodeReporter.layerListening(),
    reporting(role),
    ResyncWorker.layer().pipe(Layer.provide(client)),
    VoicemailWorker.layer.pipe(Layer.provide(TwilioRecordings.layer({ baseUrl: settings.twilioBaseUrl }))),
    SummaryWorker.layer.pipe(Layer.provide(summing(settings))),
    DailyRetention.layer,
    WebhookWorker.layer().pipe(Layer.provide(webhookSender(settings))),
    syncing(settings),
    payments(settings),
    push(settings),
    knowledge(settings),
    ExportWorker.layer.pipe(Layer.provide(ZipArchives.layer)),
    ImportWorker.layer,
    CartTimer.layer().pipe(Layer.provide(rateLimits(settings))),
    OutageWatch.layer(),
    AllowanceWatch.layer(),
    SlaSweep.layer,
    TurnSweep.layer,
    evaluations(settings),
    TemplateSync.layer,
    InboxWorker.layer().pipe(Layer.provide(voiceNotes(settings))),
    delivery(settings),
    MediaSweep.layer,
    broadcasting(settings),
    AccessExpiry.layer,
    DeviceTokens.layer.pipe(Layer.provide(keyRing(settings))),
    CommandExpiry.layer,
    ListCounts.layer,
    Backlog.layer,
    tellSetUp(settings)
  )

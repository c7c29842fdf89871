/** The layers of integrations: an adapter for each row of the catalogue, the guarded client that they use, and the worker that tells them what happens. */
import { Layer } from "effect"
import * as SyncWorker from "../actors/apps/SyncWorker.ts"
import type { Settings } from "../config/Environment.ts"
import { AppAdapters } from "../domain/apps/AppAdapter.ts"
import { addressRefusal } from "../integrations/web/AddressRefusal.ts"
import * as GuardedHttpClient from "../integrations/web/GuardedHttpClient.ts"
import * as WebhookTarget from "../integrations/webhook-target/WebhookTarget.ts"
import { publicBaseUrl } from "./Addresses.ts"
import { rateLimits } from "./Coordination.ts"

/** The adapters and their client. */
export const apps = ({ allowPrivateTools: allowPrivateNetwork }: Settings) =>
  Layer.merge(
    Layer.succeed(AppAdapters, { webhook: WebhookTarget.make(addressRefusal({ allowPrivateNetwork })) }),
    GuardedHttpClient.layer({ allowPrivateNetwork })
  )

/** The worker that tells integrations what happens. */
export const syncing = (settings: Settings) =>
  SyncWorker.layer({ publicBaseUrl: publicBaseUrl(settings) }).pipe(
    Layer.provide([apps(settings), rateLimits(settings)])
  )

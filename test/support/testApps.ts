/** The adapters of integrations, which may reach loopback, and their client. */
import { Layer } from "effect"
import { AppAdapters } from "../../src/domain/apps/AppAdapter.ts"
import * as GuardedHttpClient from "../../src/integrations/web/GuardedHttpClient.ts"
import * as WebhookTarget from "../../src/integrations/webhook-target/WebhookTarget.ts"

export const testApps = Layer.merge(
  Layer.succeed(AppAdapters, { webhook: WebhookTarget.make(() => undefined) }),
  GuardedHttpClient.layer({ allowPrivateNetwork: true })
)

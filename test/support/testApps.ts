/** The adapters of integrations, which may reach loopback, and their client. */
import { Layer } from "effect"
import { hubSpotClient } from "../../simulators/crm/HubSpotTokens.ts"
import { type AppAdapter, AppAdapters } from "../../src/domain/apps/AppAdapter.ts"
import * as HubSpot from "../../src/integrations/hubspot/HubSpot.ts"
import * as GuardedHttpClient from "../../src/integrations/web/GuardedHttpClient.ts"
import * as WebhookTarget from "../../src/integrations/webhook-target/WebhookTarget.ts"

/** Nobody answers for HubSpot by default. `crm` takes HubSpot's place. */
export const testApps = ({
  hubspot = "http://127.0.0.1:9",
  crm
}: {
  readonly hubspot?: string
  readonly crm?: AppAdapter
} = {}) =>
  Layer.merge(
    Layer.succeed(AppAdapters, {
      webhook: WebhookTarget.make(() => undefined),
      hubspot:
        crm ??
        HubSpot.make({
          baseUrl: hubspot,
          authorizeUrl: "https://app.hubspot.com/oauth/authorize",
          client: hubSpotClient
        })
    }),
    GuardedHttpClient.layer({ allowPrivateNetwork: true })
  )

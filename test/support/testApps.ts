/** The adapters of integrations, which may reach loopback, and their client. */
import { Layer } from "effect"
import { hubSpotClient } from "../../simulators/crm/HubSpotTokens.ts"
import { AppAdapters } from "../../src/domain/apps/AppAdapter.ts"
import * as HubSpot from "../../src/integrations/hubspot/HubSpot.ts"
import * as Stripe from "../../src/integrations/stripe/Stripe.ts"
import * as GuardedHttpClient from "../../src/integrations/web/GuardedHttpClient.ts"
import * as WebhookTarget from "../../src/integrations/webhook-target/WebhookTarget.ts"

/** Nobody answers for a provider by default. */
export const testApps = ({
  hubspot = "http://127.0.0.1:9",
  stripe = "http://127.0.0.1:9"
}: { readonly hubspot?: string; readonly stripe?: string } = {}) =>
  Layer.merge(
    Layer.succeed(AppAdapters, {
      webhook: WebhookTarget.make(() => undefined),
      hubspot: HubSpot.make({
        baseUrl: hubspot,
        authorizeUrl: "https://app.hubspot.com/oauth/authorize",
        client: hubSpotClient
      }),
      stripe: Stripe.make({ baseUrl: stripe })
    }),
    GuardedHttpClient.layer({ allowPrivateNetwork: true })
  )

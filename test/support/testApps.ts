/** The adapters of integrations, which may reach loopback, and their client. */
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { hubSpotClient } from "../../simulators/crm/HubSpotTokens.ts"
import { salesforceClient } from "../../simulators/crm/Salesforce.ts"
import { zohoClient } from "../../simulators/crm/ZohoCrm.ts"
import { notionClient } from "../../simulators/notes/Notion.ts"
import { signingSecret, slackClient } from "../../simulators/team-chat/Slack.ts"
import { type AppAdapter, AppAdapters } from "../../src/domain/apps/AppAdapter.ts"
import * as HubSpot from "../../src/integrations/hubspot/HubSpot.ts"
import * as Notion from "../../src/integrations/notion/Notion.ts"
import * as PayPal from "../../src/integrations/paypal/PayPal.ts"
import * as Razorpay from "../../src/integrations/razorpay/Razorpay.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import * as Salesforce from "../../src/integrations/salesforce/Salesforce.ts"
import * as Shopify from "../../src/integrations/shopify/Shopify.ts"
import * as Slack from "../../src/integrations/slack/Slack.ts"
import * as Stripe from "../../src/integrations/stripe/Stripe.ts"
import * as GuardedHttpClient from "../../src/integrations/web/GuardedHttpClient.ts"
import * as WebhookTarget from "../../src/integrations/webhook-target/WebhookTarget.ts"
import * as WooCommerce from "../../src/integrations/woocommerce/WooCommerce.ts"
import * as ZohoCrm from "../../src/integrations/zoho-crm/ZohoCrm.ts"

const nobody = "http://127.0.0.1:9"

/** Nobody answers for the providers by default. `crm` takes HubSpot's place. */
export const testApps = ({
  hubspot = nobody,
  salesforce = nobody,
  shopify = nobody,
  zoho = nobody,
  zohoElsewhere = nobody,
  notion = nobody,
  slack = nobody,
  stripe = nobody,
  razorpay = nobody,
  paypal = nobody,
  payPalRoots = [],
  crm
}: {
  readonly hubspot?: string
  readonly salesforce?: string
  readonly shopify?: string
  readonly zoho?: string
  /** Another data centre. */
  readonly zohoElsewhere?: string
  readonly notion?: string
  readonly slack?: string
  readonly stripe?: string
  readonly razorpay?: string
  readonly paypal?: string
  readonly payPalRoots?: ReadonlyArray<string>
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
        }),
      salesforce: Salesforce.make({ loginUrl: salesforce, client: salesforceClient }),
      shopify: Shopify.make({ baseUrl: shopify }),
      woocommerce: WooCommerce.make({ plainHttp: true }),
      zoho_crm: ZohoCrm.make({ accountsUrl: zoho, otherAccounts: [zohoElsewhere], client: zohoClient }),
      notion: Notion.make({ baseUrl: notion, client: notionClient }),
      slack: Slack.make({ baseUrl: slack, client: slackClient, signingSecret }),
      stripe: Stripe.make({ baseUrl: stripe }),
      razorpay: Razorpay.make({ baseUrl: razorpay }),
      paypal: PayPal.make({ baseUrl: nobody, sandboxUrl: paypal, roots: payPalRoots })
    }),
    GuardedHttpClient.layer({ allowPrivateNetwork: true })
  )

/** Provides what opening a session of any provider needs. */
export const withTestApps = Effect.provide([testApps(), RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer))])

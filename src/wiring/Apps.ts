/** The layers of integrations: an adapter for each row of the catalogue, the guarded client that they use, and the worker that tells them what happens. */
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import * as ChatPostWorker from "../actors/apps/ChatPostWorker.ts"
import * as SyncWorker from "../actors/apps/SyncWorker.ts"
import * as PaymentWorker from "../actors/payments/PaymentWorker.ts"
import type { Settings } from "../config/Environment.ts"
import { AppAbsorbers } from "../domain/apps/AppAbsorbers.ts"
import { AppAdapters } from "../domain/apps/AppAdapter.ts"
import { appProviders } from "../domain/apps/Catalogue.ts"
import { makeAbsorbChat } from "../domain/apps/chat/AbsorbChat.ts"
import * as HubSpot from "../integrations/hubspot/HubSpot.ts"
import * as Notion from "../integrations/notion/Notion.ts"
import * as PayPal from "../integrations/paypal/PayPal.ts"
import * as Razorpay from "../integrations/razorpay/Razorpay.ts"
import * as Salesforce from "../integrations/salesforce/Salesforce.ts"
import * as Shopify from "../integrations/shopify/Shopify.ts"
import * as Slack from "../integrations/slack/Slack.ts"
import * as SlackSocket from "../integrations/slack/SlackSocket.ts"
import * as Stripe from "../integrations/stripe/Stripe.ts"
import { addressRefusal } from "../integrations/web/AddressRefusal.ts"
import * as GuardedHttpClient from "../integrations/web/GuardedHttpClient.ts"
import * as WebhookTarget from "../integrations/webhook-target/WebhookTarget.ts"
import * as WooCommerce from "../integrations/woocommerce/WooCommerce.ts"
import * as ZohoCrm from "../integrations/zoho-crm/ZohoCrm.ts"
import { publicBaseUrl } from "./Addresses.ts"
import { rateLimits } from "./Coordination.ts"

/** The operator's app at a provider, if there is one. */
const clientOf = ({
  clientId,
  clientSecret
}: Settings["hubspot"] | Settings["salesforce"] | Settings["zoho"] | Settings["notion"] | Settings["slack"]) =>
  Option.match(Option.all({ id: clientId, secret: clientSecret }), {
    onNone: () => ({}),
    onSome: ({ id, secret }) => ({ client: { id, secret: Redacted.value(secret) } })
  })

/** The adapters and their client. */
export const apps = (settings: Settings) => {
  const { allowPrivateTools: allowPrivateNetwork, hubspot, salesforce, zoho, notion, slack } = settings
  const signingSecret = Option.match(slack.signingSecret, {
    onNone: () => ({}),
    onSome: (secret) => ({ signingSecret: Redacted.value(secret) })
  })
  const shopify = Option.match(settings.shopify.baseUrl, { onNone: () => ({}), onSome: (baseUrl) => ({ baseUrl }) })
  return Layer.merge(
    Layer.succeed(AppAdapters, {
      webhook: WebhookTarget.make(addressRefusal({ allowPrivateNetwork })),
      hubspot: HubSpot.make({ ...hubspot, ...clientOf(hubspot) }),
      salesforce: Salesforce.make({ ...salesforce, ...clientOf(salesforce) }),
      shopify: Shopify.make(shopify),
      woocommerce: WooCommerce.make({ plainHttp: allowPrivateNetwork }),
      zoho_crm: ZohoCrm.make({ ...zoho, ...clientOf(zoho) }),
      notion: Notion.make({ ...notion, ...clientOf(notion) }),
      slack: Slack.make({ baseUrl: slack.baseUrl, ...signingSecret, ...clientOf(slack) }),
      stripe: Stripe.make({ baseUrl: settings.payments.stripeBaseUrl }),
      razorpay: Razorpay.make({ baseUrl: settings.payments.razorpayBaseUrl }),
      paypal: PayPal.make({ baseUrl: settings.payments.payPalBaseUrl, sandboxUrl: settings.payments.payPalSandboxUrl })
    }),
    GuardedHttpClient.layer({
      allowPrivateNetwork,
      ownOrigins: [
        ...[hubspot.baseUrl, salesforce.loginUrl, zoho.accountsUrl, notion.baseUrl, slack.baseUrl],
        ...Object.values(settings.payments),
        ...Object.values(shopify)
      ].map((url) => new URL(url).origin)
    })
  )
}

/** Logs what an operator should know of the providers, e.g. that the version of an API ends. */
const notices = Layer.effectDiscard(
  Effect.gen(function* () {
    const adapters = yield* AppAdapters
    const now = yield* Clock.currentTimeMillis
    for (const provider of appProviders) {
      const notice = adapters[provider].notice?.(now)
      if (notice !== undefined) yield* Effect.logWarning(notice, { provider })
    }
  })
)

/** The worker that asks about payments. */
export const payments = (settings: Settings) =>
  PaymentWorker.layer().pipe(Layer.provide([apps(settings), rateLimits(settings)]))

/** What is written in a team chat is given to the owners of conversations, so its absorber is above the stores. */
export const absorbers = Layer.effect(
  AppAbsorbers,
  Effect.gen(function* () {
    const others = yield* AppAbsorbers
    return AppAbsorbers.of({ ...others, chat: yield* makeAbsorbChat })
  })
)

/** Events of Slack over a socket, when the operator's app has a token for one. */
const slackSocket = ({ slack: { appToken, baseUrl } }: Settings) =>
  Option.match(appToken, {
    onNone: () => Layer.empty,
    onSome: (token) => SlackSocket.layer({ baseUrl, appToken: token })
  })

/** The workers that tell integrations, and team chats, what happens. */
export const syncing = (settings: Settings) =>
  Layer.mergeAll(
    SyncWorker.layer({ publicBaseUrl: publicBaseUrl(settings) }).pipe(Layer.provide(absorbers)),
    ChatPostWorker.layer({ publicBaseUrl: publicBaseUrl(settings) }),
    slackSocket(settings),
    notices
  ).pipe(Layer.provide([apps(settings), rateLimits(settings)]))

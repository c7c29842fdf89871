/** The routes that a process serves: `appRoutes`, `engineRoutes` or both, depending on its role, and `internalRoutes` on a port of their own. */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Precedence } from "../domain/basics/Precedence.ts"
import { EscalationPolicy, escalationDefaults } from "../domain/voice/calls/live/EscalationPolicy.ts"
import * as DashboardRoutes from "./dashboard/DashboardRoutes.ts"
import * as DocsPage from "./docs/DocsPage.ts"
import { AppApi, CustomersApi, EngineApi, OperatorsApi } from "./groups/Api.ts"
import { telephonyPath } from "./groups/voice/telephony.ts"
import * as builtinTools from "./handlers/ai/builtinTools.ts"
import * as mcpServers from "./handlers/ai/mcpServers.ts"
import * as appWebhooks from "./handlers/apps/appWebhooks.ts"
import * as automation from "./handlers/apps/automation.ts"
import * as hooks from "./handlers/apps/hooks.ts"
import * as integrations from "./handlers/apps/integrations.ts"
import * as slack from "./handlers/apps/slack.ts"
import * as slackEvents from "./handlers/apps/slackEvents.ts"
import * as carts from "./handlers/business/carts.ts"
import * as companies from "./handlers/business/companies.ts"
import * as customFields from "./handlers/business/customFields.ts"
import * as orders from "./handlers/business/orders.ts"
import * as products from "./handlers/business/products.ts"
import * as suppliers from "./handlers/business/suppliers.ts"
import * as events from "./handlers/events/events.ts"
import * as webhooks from "./handlers/events/webhooks.ts"
import * as imports from "./handlers/imports/imports.ts"
import * as knowledgeBases from "./handlers/knowledge/knowledgeBases.ts"
import * as knowledgeSources from "./handlers/knowledge/knowledgeSources.ts"
import * as broadcasts from "./handlers/messaging/broadcasts.ts"
import * as chats from "./handlers/messaging/chats.ts"
import * as conversationNotes from "./handlers/messaging/conversationNotes.ts"
import * as evaluations from "./handlers/messaging/evaluations.ts"
import * as media from "./handlers/messaging/media.ts"
import * as messages from "./handlers/messaging/messages.ts"
import * as messagingConnection from "./handlers/messaging/messagingConnection.ts"
import * as messagingWebhooks from "./handlers/messaging/messagingWebhooks.ts"
import * as quickReplies from "./handlers/messaging/quickReplies.ts"
import * as send from "./handlers/messaging/send.ts"
import * as templates from "./handlers/messaging/templates.ts"
import * as textAgents from "./handlers/messaging/textAgents.ts"
import * as operatorEvents from "./handlers/operators/operatorEvents.ts"
import * as operatorFlags from "./handlers/operators/operatorFlags.ts"
import * as operatorNodes from "./handlers/operators/operatorNodes.ts"
import * as operatorOrganizations from "./handlers/operators/operatorOrganizations.ts"
import * as operatorResyncs from "./handlers/operators/operatorResyncs.ts"
import * as operatorSession from "./handlers/operators/operatorSession.ts"
import * as paymentLinks from "./handlers/payments/paymentLinks.ts"
import * as paymentSettings from "./handlers/payments/paymentSettings.ts"
import * as apiKeys from "./handlers/people/apiKeys.ts"
import * as auditLog from "./handlers/people/auditLog.ts"
import * as businessHours from "./handlers/people/businessHours.ts"
import * as contacts from "./handlers/people/contacts.ts"
import * as devices from "./handlers/people/devices.ts"
import * as disclosure from "./handlers/people/disclosure.ts"
import * as messagingConsents from "./handlers/people/messagingConsents.ts"
import * as organization from "./handlers/people/organization.ts"
import * as session from "./handlers/people/session.ts"
import * as setup from "./handlers/people/setup.ts"
import * as slaPolicy from "./handlers/people/slaPolicy.ts"
import * as status from "./handlers/people/status.ts"
import * as users from "./handlers/people/users.ts"
import * as voiceConsents from "./handlers/people/voiceConsents.ts"
import * as contactExports from "./handlers/privacy/contactExports.ts"
import * as retention from "./handlers/privacy/retention.ts"
import * as aiUsage from "./handlers/usage/aiUsage.ts"
import * as analytics from "./handlers/usage/analytics.ts"
import * as voiceUsage from "./handlers/usage/voiceUsage.ts"
import * as callbacks from "./handlers/voice/callbacks.ts"
import * as calls from "./handlers/voice/calls.ts"
import * as engine from "./handlers/voice/engine.ts"
import { ListenerAddresses, type ListenerAddressOptions } from "./handlers/voice/ListenerAddresses.ts"
import * as phoneNumbers from "./handlers/voice/phoneNumbers.ts"
import * as sipCredentials from "./handlers/voice/sipCredentials.ts"
import * as telephony from "./handlers/voice/telephony.ts"
import * as toolAudit from "./handlers/voice/toolAudit.ts"
import * as voiceAgents from "./handlers/voice/voiceAgents.ts"
import * as voices from "./handlers/voice/voices.ts"
import { type SendLimits, sendLimitDefaults } from "./mcp/assistant/SendOnce.ts"
import * as McpRoutes from "./mcp/transport/McpRoutes.ts"
import * as AddressLimit from "./middleware/AddressLimit.ts"
import * as Authorization from "./middleware/Authorization.ts"
import * as BearerChallenge from "./middleware/BearerChallenge.ts"
import * as Compression from "./middleware/Compression.ts"
import { CookiePolicy, type CookiePolicyOptions } from "./middleware/CookiePolicy.ts"
import * as CrossOrigin from "./middleware/CrossOrigin.ts"
import * as Decoding from "./middleware/Decoding.ts"
import * as EngineSigned from "./middleware/EngineSigned.ts"
import * as ErrorShape from "./middleware/ErrorShape.ts"
import * as ExactAddress from "./middleware/ExactAddress.ts"
import * as OperatorAuthorization from "./middleware/OperatorAuthorization.ts"
import * as Unanswered from "./middleware/Unanswered.ts"
import * as OAuthRoutes from "./oauth/OAuthRoutes.ts"
import * as PayRoutes from "./pay/PayRoutes.ts"
import * as System from "./System.ts"
import { bodyLimitsOf } from "./wire/BodyLimit.ts"
import { OwnAddress, type OwnAddressOptions } from "./wire/OwnAddress.ts"
import { type Declared, methodsOf, type Pages } from "./wire/RoutePatterns.ts"

/** The largest body of each route, for the server that carries these routes. */
export const bodyLimits = bodyLimitsOf(AppApi, EngineApi, OAuthRoutes.OAuthDeclared, PayRoutes.PayDeclared)

export interface AppOptions
  extends EngineSigned.EngineSignedOptions,
    OwnAddressOptions,
    CookiePolicyOptions,
    DashboardRoutes.DashboardOptions,
    AddressLimit.AddressLimitOptions,
    Omit<ListenerAddressOptions, keyof OwnAddressOptions | "secret"> {
  /** How often a key may call the MCP server's tools that send; the defaults are in `mcp/assistant/SendOnce.ts`. */
  readonly mcp?: Partial<SendLimits>
  /** The origins whose pages may use the MCP server. None by default. */
  readonly corsOrigins?: ReadonlyArray<string>
  /** Overrides the defaults of `domain/voice/calls/live/EscalationPolicy.ts`. */
  readonly humans?: Partial<typeof escalationDefaults>
}

export interface ServeOptions {
  /** The interfaces of the routes: at an address of theirs another method is 405. */
  readonly apis?: ReadonlyArray<Declared>
  /** The origins whose pages may use the routes. None by default. */
  readonly corsOrigins?: ReadonlyArray<string>
}

/** The addresses that no interface declares. The documents, OAuth and the MCP server come with the interface of role `app`. */
const get = ["GET"]
const systemPages: Pages = { "/healthz": get, "/readyz": get }
const documents: Pages = { "/docs": get, "/openapi.json": get, "/openapi-operators.json": get }

const methodsAt = (apis: ReadonlyArray<Declared>) =>
  apis.includes(AppApi)
    ? methodsOf([...apis, OAuthRoutes.OAuthDeclared, PayRoutes.PayDeclared, DashboardRoutes.DashboardDeclared], {
        ...systemPages,
        ...documents,
        ...McpRoutes.mcpAddresses
      })
    : methodsOf(apis, systemPages)

/** Middleware that is added to a router first wraps what is added later, so these are layered from the outermost to the innermost. */
const systemRoutes = ({ apis = [], corsOrigins = [] }: ServeOptions) =>
  Layer.mergeAll(System.layer, ErrorShape.layer(methodsAt(apis))).pipe(
    Layer.provideMerge(Compression.layer),
    Layer.provideMerge(CrossOrigin.layer(corsOrigins))
  )

/**
 * Serves routes, with `/healthz`, `/readyz`, the answer to unknown addresses, the shape of errors, request ids, compression and other origins. Each route
 * answers at its exact address only.
 */
export const serve = <A, E, R>(routes: Layer.Layer<A, E, R>, options: ServeOptions = {}) =>
  HttpRouter.serve(Layer.provideMerge(ExactAddress.layer, Layer.provideMerge(routes, systemRoutes(options))), {
    disableLogger: true,
    disableListenLog: true,
    routerConfig: { caseSensitive: true }
  })

/** The routes of the internal listener, for operators only. */
export const internalRoutes = System.metrics

const escalationPolicy = ({ publicBaseUrl, humans }: AppOptions) =>
  Layer.succeed(EscalationPolicy, {
    ...escalationDefaults,
    ...humans,
    webhooks: `${publicBaseUrl}${telephonyPath}`
  })

const handlers = Layer.mergeAll(
  voiceAgents.layer,
  voices.layer,
  calls.layer,
  voiceUsage.layer,
  aiUsage.layer,
  toolAudit.layer,
  knowledgeBases.layer,
  knowledgeSources.layer,
  organization.layer,
  businessHours.layer,
  slaPolicy.layer,
  disclosure.layer,
  voiceConsents.layer,
  status.layer,
  contacts.layer,
  contactExports.layer,
  imports.layer,
  messagingConsents.layer,
  phoneNumbers.layer,
  sipCredentials.layer,
  apiKeys.layer,
  session.layer,
  session.listLayer,
  users.layer,
  retention.layer,
  devices.layer,
  devices.settingsLayer,
  auditLog.layer,
  chats.layer,
  messages.layer,
  send.layer,
  templates.layer,
  companies.layer,
  customFields.layer,
  orders.layer,
  carts.layer,
  products.layer,
  suppliers.layer,
  paymentLinks.layer,
  paymentSettings.layer,
  conversationNotes.layer,
  textAgents.layer,
  evaluations.layer,
  quickReplies.layer,
  events.layer,
  media.layer,
  broadcasts.layer,
  webhooks.layer,
  analytics.layer,
  callbacks.layer,
  telephony.layer,
  messagingConnection.layer,
  integrations.layer,
  appWebhooks.layer,
  slack.layer,
  slackEvents.layer,
  automation.layer,
  hooks.layer,
  builtinTools.layer,
  mcpServers.layer,
  messagingWebhooks.layer,
  operatorSession.layer,
  operatorOrganizations.layer,
  operatorFlags.layer,
  operatorResyncs.layer,
  operatorNodes.layer,
  operatorNodes.providersLayer,
  operatorEvents.layer
)

const mcpDefaults = { ...sendLimitDefaults, corsOrigins: [] }

/** Callers wait for the telephony webhooks, but nobody waits for the events of a call, so events may be some seconds late. */
const callersFirst = Precedence.layer({ atOnce: 2, longestMs: 10_000 })

/**
 * Makes the answers of `appRoutes` that say the same to everybody. It takes most of the time in which the routes are made: a process that is to take the
 * place of another one does it before.
 */
export const madeAnswers = Effect.andThen(DocsPage.answers(CustomersApi, OperatorsApi), automation.answer)

/** The interface of role `app`, with the dashboard, `/openapi.json`, `/openapi-operators.json` and `/docs`. The page `/docs` contains its own script and needs no network. */
export const appRoutes = (options: AppOptions) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(AppApi).pipe(Layer.provide([handlers, setup.layer(options)])),
    DocsPage.layer(CustomersApi, OperatorsApi),
    OAuthRoutes.layer,
    PayRoutes.layer,
    DashboardRoutes.layer(options),
    BearerChallenge.layer,
    McpRoutes.layer({ ...mcpDefaults, ...options, ...options.mcp }),
    AddressLimit.layer(options),
    Unanswered.layer
  ).pipe(
    Layer.provide([
      Authorization.layer,
      OperatorAuthorization.layer,
      Decoding.layer,
      callersFirst,
      EngineSigned.layer(options),
      OwnAddress.layer(options),
      CookiePolicy.layer(options),
      ListenerAddresses.layer(options),
      media.MediaLinks.layer(options),
      escalationPolicy(options)
    ])
  )

/** The interface of role `engine`. */
export const engineRoutes = (options: EngineSigned.EngineSignedOptions) =>
  HttpApiBuilder.layer(EngineApi).pipe(
    Layer.provide(engine.layer),
    Layer.provide([Decoding.layer, EngineSigned.layer(options)])
  )

/** What a process serves: `appRoutes`, `engineRoutes` or both, as its role is, within `withSystem`. */
import { Layer } from "effect"
import { HttpApiBuilder, HttpApiScalar } from "effect/http-api"
import { Precedence } from "../domain/basics/Precedence.ts"
import { EscalationPolicy, escalationDefaults } from "../domain/voice/calls/live/EscalateCall.ts"
import { AppApi, EngineApi } from "./Api.ts"
import { telephonyPath } from "./groups/telephony.ts"
import * as analytics from "./handlers/analytics.ts"
import * as apiKeys from "./handlers/apiKeys.ts"
import * as auditLog from "./handlers/auditLog.ts"
import * as broadcasts from "./handlers/broadcasts.ts"
import * as businessHours from "./handlers/businessHours.ts"
import * as callbacks from "./handlers/callbacks.ts"
import * as calls from "./handlers/calls.ts"
import * as chats from "./handlers/chats.ts"
import * as contactExports from "./handlers/contactExports.ts"
import * as contacts from "./handlers/contacts.ts"
import * as devices from "./handlers/devices.ts"
import * as disclosure from "./handlers/disclosure.ts"
import * as engine from "./handlers/engine.ts"
import * as events from "./handlers/events.ts"
import * as media from "./handlers/media.ts"
import * as messages from "./handlers/messages.ts"
import * as messagingConnection from "./handlers/messagingConnection.ts"
import * as messagingConsents from "./handlers/messagingConsents.ts"
import * as messagingWebhooks from "./handlers/messagingWebhooks.ts"
import * as phoneNumbers from "./handlers/phoneNumbers.ts"
import * as quickReplies from "./handlers/quickReplies.ts"
import * as retention from "./handlers/retention.ts"
import * as send from "./handlers/send.ts"
import * as session from "./handlers/session.ts"
import * as sipCredentials from "./handlers/sipCredentials.ts"
import * as slaPolicy from "./handlers/slaPolicy.ts"
import * as status from "./handlers/status.ts"
import * as telephony from "./handlers/telephony.ts"
import * as templates from "./handlers/templates.ts"
import * as toolAudit from "./handlers/toolAudit.ts"
import * as users from "./handlers/users.ts"
import * as voiceAgents from "./handlers/voiceAgents.ts"
import * as voiceConsents from "./handlers/voiceConsents.ts"
import * as voices from "./handlers/voices.ts"
import * as voiceUsage from "./handlers/voiceUsage.ts"
import * as webhooks from "./handlers/webhooks.ts"
import * as AddressLimit from "./middleware/AddressLimit.ts"
import * as Authorization from "./middleware/Authorization.ts"
import * as Decoding from "./middleware/Decoding.ts"
import * as EngineSigned from "./middleware/EngineSigned.ts"
import * as ErrorShape from "./middleware/ErrorShape.ts"
import { PublicAddress, type PublicAddressOptions } from "./PublicAddress.ts"
import * as System from "./System.ts"

export interface AppOptions
  extends EngineSigned.EngineSignedOptions,
    PublicAddressOptions,
    session.SessionOptions,
    AddressLimit.AddressLimitOptions {
  /** Over the defaults of `domain/voice/calls/live/EscalateCall.ts`. */
  readonly humans?: Partial<typeof escalationDefaults>
}

const systemRoutes = Layer.mergeAll(System.layer, ErrorShape.layer)

/**
 * The routes of a server with `/healthz`, `/readyz`, `/metrics`, the answer to unknown addresses, the shape of errors and request ids.
 * These come first: what is added to a router first is around what is added later.
 */
export const withSystem = <A, E, R>(routes: Layer.Layer<A, E, R>) => Layer.provideMerge(routes, systemRoutes)

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
  toolAudit.layer,
  businessHours.layer,
  slaPolicy.layer,
  disclosure.layer,
  voiceConsents.layer,
  status.layer,
  contacts.layer,
  contactExports.layer,
  messagingConsents.layer,
  phoneNumbers.layer,
  sipCredentials.layer,
  apiKeys.layer,
  session.layer,
  users.layer,
  retention.layer,
  devices.layer,
  devices.settingsLayer,
  auditLog.layer,
  chats.layer,
  messages.layer,
  send.layer,
  templates.layer,
  quickReplies.layer,
  events.layer,
  media.layer,
  broadcasts.layer,
  webhooks.layer,
  analytics.layer,
  callbacks.layer,
  telephony.layer,
  messagingConnection.layer,
  messagingWebhooks.layer
)

/** Callers wait for their webhooks, and nobody for the events of a call, so these may be some seconds late. */
const callersFirst = Precedence.layer({ atOnce: 2, longestMs: 10_000 })

/** The interface of role `app`, with `/openapi.json` and `/docs` (which carries its own script: no network needed). */
export const appRoutes = (options: AppOptions) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(AppApi, { openapiPath: "/openapi.json" }).pipe(Layer.provide(handlers)),
    HttpApiScalar.layer(AppApi),
    AddressLimit.layer(options)
  ).pipe(
    Layer.provide([
      Authorization.layer,
      Decoding.layer,
      callersFirst,
      EngineSigned.layer(options),
      PublicAddress.layer(options),
      session.CookiePolicy.layer(options),
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

/** The layers for numbers and outbound calls at the telephony provider. */

import { Layer, Option, Redacted } from "effect"
import * as CallWatchdog from "../actors/voice/dialing/CallWatchdog.ts"
import * as Dialer from "../actors/voice/dialing/Dialer.ts"
import type { Settings } from "../config/Environment.ts"
import * as AppDeals from "../domain/apps/incoming/AppDeals.ts"
import { DoNotCall } from "../domain/people/contacts/DoNotCall.ts"
import { OutboundPolicy } from "../domain/voice/calls/outbound/RequestCall.ts"
import { telephonyPath } from "../http/groups/voice/telephony.ts"
import * as TwilioCalls from "../integrations/telephony/TwilioCalls.ts"
import * as TwilioProvisioning from "../integrations/telephony/TwilioProvisioning.ts"
import { publicBaseUrl } from "./Addresses.ts"
import { apps } from "./Apps.ts"
import { rateLimits } from "./Coordination.ts"

const webhooksOf = (settings: Settings) => `${publicBaseUrl(settings)}${telephonyPath}`

/** Numbers, subaccounts and SIP at the telephony provider, pointed at this service. */
export const provisioning = (settings: Settings) => {
  const { accountSid, authToken } = settings.twilioPlatform
  const webhooks = webhooksOf(settings)
  return TwilioProvisioning.layer({
    baseUrl: settings.twilioBaseUrl,
    platform: Option.getOrUndefined(
      Option.map(Option.all({ accountSid, authToken }), (platform) => ({
        accountSid: platform.accountSid,
        authToken: Redacted.value(platform.authToken)
      }))
    ),
    voiceUrl: `${webhooks}/voice`,
    statusCallbackUrl: `${webhooks}/status`,
    sipHost: settings.sipHost
  })
}

/** What the CRMs of organizations know of deals. */
export const deals = (settings: Settings) => AppDeals.layer.pipe(Layer.provide([apps(settings), rateLimits(settings)]))

/** Outbound calls: the worker that places queued calls, and the one that asks for calls whose end was not reported. */
export const outbound = (settings: Settings) =>
  Layer.mergeAll(Dialer.layer, CallWatchdog.layer).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(OutboundPolicy, { ...settings.outbound, webhooks: webhooksOf(settings) }),
        TwilioCalls.layer({ baseUrl: settings.twilioBaseUrl }),
        deals(settings),
        DoNotCall.layerNone
      )
    )
  )

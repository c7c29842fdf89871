/** The layers of messaging: the channel, delivery, broadcasts, push notifications and outgoing webhooks. */

import { Layer, Option, Redacted } from "effect"
import * as PushWorker from "../actors/events/push/PushWorker.ts"
import * as BroadcastWorker from "../actors/messaging/broadcasts/BroadcastWorker.ts"
import * as DeliveryWorker from "../actors/messaging/delivery/DeliveryWorker.ts"
import type { Settings } from "../config/Environment.ts"
import * as TeamChatChannel from "../domain/apps/chat/TeamChatChannel.ts"
import { InboxWakeUp } from "../domain/messaging/channel/InboxWakeUp.ts"
import { placesOf } from "../domain/messaging/sending/DeliveryRules.ts"
import * as CloudApiLayers from "../integrations/channel/CloudApiLayers.ts"
import * as OutboxQueue from "../integrations/postgres/messaging/conversations/OutboxQueue.ts"
import * as Fcm from "../integrations/push/Fcm.ts"
import { parseServiceAccount } from "../integrations/push/ServiceAccount.ts"
import * as HttpWebhooks from "../integrations/webhooks/HttpWebhooks.ts"
import { apps } from "./Apps.ts"
import { rateLimits } from "./Coordination.ts"

export const cloudApi = ({ messaging }: Settings) => ({
  baseUrl: Option.getOrElse(messaging.baseUrl, () => "https://graph.facebook.com"),
  version: messaging.version
})

/** The channels of every organization that has connected some: that of telephones, and above it that of team chats. */
export const channel = (settings: Settings) =>
  Layer.merge(
    TeamChatChannel.layer.pipe(
      Layer.provide([apps(settings), rateLimits(settings)]),
      Layer.provideMerge(CloudApiLayers.layer(cloudApi(settings)))
    ),
    InboxWakeUp.layer
  )

/** The push worker. Empty without a push service. */
export const push = ({ push: { serviceAccount, baseUrl, tokenUrl } }: Settings) =>
  Option.match(serviceAccount, {
    onNone: () => Layer.empty,
    onSome: (key) =>
      PushWorker.layer.pipe(
        Layer.provide(
          Fcm.layer({
            account: parseServiceAccount(Redacted.value(key)),
            baseUrl,
            ...(Option.isSome(tokenUrl) ? { tokenUrl: tokenUrl.value } : {})
          })
        )
      )
  })

/** The worker that hands queued messages to the channel. */
export const delivery = (settings: Settings) => {
  const { messagesPerSecond } = settings
  const queue = OutboxQueue.layer({ perOrganization: placesOf({ messagesPerSecond }) })
  return DeliveryWorker.layer({ messagesPerSecond }).pipe(Layer.provide([queue, rateLimits(settings)]))
}

/** The worker that sends broadcasts, through the same use case as every message. */
export const broadcasting = (settings: Settings) =>
  BroadcastWorker.layer.pipe(
    Layer.provide([
      Layer.succeed(BroadcastWorker.BroadcastTerms, {
        ...BroadcastWorker.broadcastDefaults,
        perSecond: settings.broadcastsPerSecond
      }),
      rateLimits(settings)
    ])
  )

/** The sender of outgoing webhooks. It may reach the same addresses as tools. */
export const webhookSender = (settings: Settings) =>
  HttpWebhooks.layer({ allowPrivateNetwork: settings.allowPrivateTools })

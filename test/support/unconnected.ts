/** An organization without a messaging channel. */
import { Effect, Layer } from "effect"
import { ChannelConnections, notConnected } from "../../src/domain/messaging/channel/ConnectionStatus.ts"
import { ChannelRefused, MessagingChannel } from "../../src/domain/messaging/channel/MessagingChannel.ts"

export const noConnections = Layer.succeed(ChannelConnections, {
  status: () => Effect.succeed(notConnected),
  exists: () => Effect.succeed(false)
})

const refused = Effect.suspend(() =>
  Effect.fail(
    new ChannelRefused({ code: null, reason: "This organization has no messaging channel: connect one first." })
  )
)

export const noChannel = Layer.succeed(MessagingChannel, { send: () => refused, templates: () => refused })

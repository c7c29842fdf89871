/** Whether an organization's messaging channel is connected. */
import { Context, type Effect, Schema } from "effect"

export const ConnectionStatus = Schema.Struct({
  /** Whether messages can be sent: there is a connection, and the channel takes its credentials. */
  connected: Schema.Boolean,
  /** The channel's number, formatted; null without a connection, like the rest. */
  phoneNumber: Schema.NullOr(Schema.String),
  connectionType: Schema.NullOr(Schema.Literal("cloud_api")),
  businessName: Schema.NullOr(Schema.String),
  /** Why the channel does not take the credentials any more, and since when; null while it does. */
  problem: Schema.NullOr(Schema.String),
  problemAt: Schema.NullOr(Schema.String)
}).annotate({
  title: "ConnectionStatus",
  examples: [
    {
      connected: true,
      phoneNumber: "+1 555-078-3881",
      connectionType: "cloud_api",
      businessName: "Maple Books",
      problem: null,
      problemAt: null
    }
  ]
})
export type ConnectionStatus = typeof ConnectionStatus.Type

export const notConnected: ConnectionStatus = {
  connected: false,
  phoneNumber: null,
  connectionType: null,
  businessName: null,
  problem: null,
  problemAt: null
}

export class ChannelConnections extends Context.Service<
  ChannelConnections,
  {
    readonly status: (organizationId: string) => Effect.Effect<ConnectionStatus>
    /** Whether there is a connection at all. Asked before each message, so a yes is remembered for some seconds. */
    readonly exists: (organizationId: string) => Effect.Effect<boolean>
  }
>()("parley/domain/ChannelConnections") {}

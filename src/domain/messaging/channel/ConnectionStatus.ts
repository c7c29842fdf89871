/** Whether an organization's messaging channel is connected. */
import { Context, type Effect, Schema } from "effect"

export const ConnectionStatus = Schema.Struct({
  connected: Schema.Boolean,
  /** The channel's number, formatted; null without a connection, like the rest. */
  phoneNumber: Schema.NullOr(Schema.String),
  connectionType: Schema.NullOr(Schema.Literal("cloud_api")),
  businessName: Schema.NullOr(Schema.String)
}).annotate({
  title: "ConnectionStatus",
  examples: [
    { connected: true, phoneNumber: "+1 555-078-3881", connectionType: "cloud_api", businessName: "Maple Books" }
  ]
})
export type ConnectionStatus = typeof ConnectionStatus.Type

export const notConnected: ConnectionStatus = {
  connected: false,
  phoneNumber: null,
  connectionType: null,
  businessName: null
}

export class ChannelConnections extends Context.Service<
  ChannelConnections,
  { readonly status: (organizationId: string) => Effect.Effect<ConnectionStatus> }
>()("parley/domain/ChannelConnections") {}

/** Refuses what would wait in vain while the organization has no messaging channel. */
import { Effect } from "effect"
import { ChannelConnections } from "../../../domain/messaging/channel/ConnectionStatus.ts"
import { Conflict } from "../../wire/Errors.ts"

const refusal = new Conflict({
  error:
    "No messaging channel is connected, so nothing can be sent. An OWNER or ADMIN connects one with PUT /api/messaging-connection."
})

/** Makes the function that fails with 409 without a connection. Needs ChannelConnections. */
export const makeNeedChannel = Effect.map(
  ChannelConnections,
  (connections) => (organizationId: string) =>
    Effect.flatMap(connections.exists(organizationId), (found) => (found ? Effect.void : refusal))
)

import { Effect } from "effect"
import { type ChannelConnection, shownConnection } from "../../../domain/messaging/channel/ChannelConnection.ts"
import { makeConnectChannel } from "../../../domain/messaging/channel/ConnectChannel.ts"
import { makeSyncTemplates } from "../../../domain/messaging/templates/SyncTemplates.ts"
import { AppApi } from "../../groups/Api.ts"
import { webhookPath } from "../../groups/messaging/messagingWebhooks.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, NotFound, ServerError } from "../../wire/Errors.ts"
import { OwnAddress } from "../../wire/OwnAddress.ts"

const none = new NotFound({ error: "No messaging channel is connected." })

/** Needs ChannelAccounts, ChannelSetup, MessagingChannel, Templates, Audit and OwnAddress. */
export const layer = group(
  AppApi,
  "messagingConnection",
  Effect.fn(function* (handlers) {
    const { find, connect, disconnect } = yield* makeConnectChannel
    const sync = yield* makeSyncTemplates
    const scope = yield* Effect.scope
    /** Templates are there soon after connecting. What fails now is tried again every hour. */
    const firstSync = (organizationId: string) =>
      Effect.catch(sync(organizationId), ({ message }) =>
        Effect.logWarning("the templates of a new connection were not synced", { organizationId, message })
      )
    const { publicBaseUrl } = yield* OwnAddress
    const shown = (connection: ChannelConnection) => shownConnection(connection, `${publicBaseUrl}${webhookPath}`)

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const { organizationId } = yield* requireScope("admin")
        const connection = yield* find(organizationId)
        return connection === undefined ? yield* none : shown(connection)
      }),
      set: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("admin")
        const connection = yield* connect(organizationId, payload).pipe(
          Effect.catchTags({
            CredentialsRefused: ({ message }) => new BadRequest({ error: message }),
            ChannelUnreachable: ({ message }) =>
              new ServerError({ error: `The messaging channel could not be asked: ${message} Please try again.` }),
            NumberTaken: ({ phoneNumberId }) =>
              new Conflict({ error: `The number ${phoneNumberId} of the channel belongs to another organization.` })
          })
        )
        yield* Effect.forkIn(firstSync(organizationId), scope)
        return shown(connection)
      }),
      remove: Effect.fnUntraced(function* () {
        const { organizationId } = yield* requireScope("admin")
        if (!(yield* disconnect(organizationId))) return yield* none
        return { disconnected: true as const }
      })
    })
  })
)

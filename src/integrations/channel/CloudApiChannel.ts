/** The messaging channel over the Cloud API: sends messages with the organization's own connection, and lists its templates. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import { ChannelAccounts, type ChannelConnection } from "../../domain/messaging/channel/ChannelConnection.ts"
import { UploadedMedia } from "../../domain/messaging/channel/ChannelMedia.ts"
import { mediaIdsOf, payloadOf } from "../../domain/messaging/channel/cloudapi/Payload.ts"
import {
  ChannelRefused,
  type ChannelTemplate,
  ChannelUnclear,
  MessagingChannel,
  type OutgoingMessage
} from "../../domain/messaging/channel/MessagingChannel.ts"
import { maybe } from "../web/Maybe.ts"
import { CloudApi, known } from "./CloudApiClient.ts"
import { CloudApiUploads } from "./CloudApiMedia.ts"
import { pageOf, readAll } from "./CloudApiPages.ts"

const Accepted = Schema.Struct({ messages: Schema.NonEmptyArray(Schema.Struct({ id: Schema.NonEmptyString })) })
const decodeAccepted = Schema.decodeUnknownEffect(Accepted)

const Template = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  language: Schema.String,
  status: Schema.String,
  category: Schema.String,
  components: Schema.optionalKey(Schema.Array(Schema.Json)),
  rejected_reason: maybe(Schema.String)
})
const readTemplates = pageOf(Template)

const templateFields = "id,name,language,status,category,components,rejected_reason"
/** An account may have 6,000 templates. */
const mostPages = 200

const templateOf = ({
  id,
  name,
  language,
  status,
  category,
  components = [],
  rejected_reason
}: typeof Template.Type): ChannelTemplate => ({
  ...{ channelTemplateId: id, name, language, status, category, components },
  rejectedReason: rejected_reason == null || rejected_reason === "NONE" ? null : rejected_reason
})

const notConnected = new ChannelRefused({
  code: null,
  reason: "No messaging channel is connected: an OWNER or ADMIN connects one."
})

/** The channel's codes for credentials that it does not take (any more): an access token that is over, or may not do this. */
const credentialCodes: ReadonlySet<string> = new Set(["0", "3", "10", "190", "200"])

/** Needs CloudApi, CloudApiUploads, ChannelAccounts and UploadedMedia. */
export const layer = Layer.effect(
  MessagingChannel,
  Effect.gen(function* () {
    const api = yield* CloudApi
    const uploads = yield* CloudApiUploads
    const uploaded = yield* UploadedMedia
    const accounts = yield* ChannelAccounts

    const connectionOf = Effect.fnUntraced(function* (organizationId: string) {
      return (yield* accounts.find(organizationId)) ?? (yield* notConnected)
    })

    /** Runs a request with the connection, and notes when the channel begins or ceases to refuse the credentials. */
    const noted = <A, E extends { readonly _tag: string; readonly code?: string | null; readonly reason: string }, R>(
      { organizationId, problem }: ChannelConnection,
      request: Effect.Effect<A, E, R>
    ) =>
      request.pipe(
        Effect.tap(() => (problem === null ? Effect.void : accounts.note(organizationId, null))),
        Effect.tapError((error) =>
          error._tag === "ChannelRefused" && credentialCodes.has(error.code ?? "")
            ? Effect.andThen(
                accounts.note(organizationId, error.reason),
                Effect.logWarning("the channel refuses an organization's credentials", {
                  organizationId,
                  reason: error.reason
                })
              )
            : Effect.void
        )
      )

    const body = Effect.fnUntraced(function* (connection: ChannelConnection, message: OutgoingMessage) {
      if (message.type === "reaction" && typeof message.content.channelMessageId !== "string")
        return yield* new ChannelRefused({ code: null, reason: "The message to react to is not known to the channel." })
      const ids = yield* uploads.idsOf(connection, mediaIdsOf(message))
      return payloadOf(message, (mediaId) => ids.get(mediaId) ?? mediaId)
    })

    const handOver = Effect.fnUntraced(function* (connection: ChannelConnection, message: OutgoingMessage) {
      const document = yield* api.ask(connection.accessToken, {
        method: "POST",
        path: `/${connection.phoneNumberId}/messages`,
        body: yield* body(connection, message),
        sends: true
      })
      const { messages } = yield* Effect.mapError(
        decodeAccepted(document),
        () => new ChannelUnclear({ reason: "The channel's answer does not name the message." })
      )
      return { channelMessageId: messages[0].id }
    })

    /** When the channel lost files before they expired, the next attempt uploads them again. */
    const forgetFiles =
      (message: OutgoingMessage) => (error: { readonly _tag: string; readonly code?: string | null }) =>
        error._tag === "ChannelRefused" && (error.code === "131052" || error.code === "131053" || error.code === "100")
          ? Effect.forEach(mediaIdsOf(message), (id) => uploaded.forget(message.organizationId, id), { discard: true })
          : Effect.void

    const templates = ({ accessToken, businessAccountId }: ChannelConnection) =>
      readAll(api, accessToken, {
        path: `/${businessAccountId}/message_templates`,
        fields: templateFields,
        readPage: readTemplates,
        mostPages
      })

    return MessagingChannel.of({
      send: traced("CloudApiChannel.send")(function* (message) {
        const connection = yield* connectionOf(message.organizationId)
        return yield* noted(connection, Effect.tapError(handOver(connection, message), forgetFiles(message)))
      }),
      templates: traced("CloudApiChannel.templates")(function* (organizationId) {
        const connection = yield* connectionOf(organizationId)
        const found = yield* noted(connection, Effect.mapError(templates(connection), known))
        return found.map(templateOf)
      })
    })
  })
)

/** The messaging channel over the Cloud API: messages are handed over with the organization's own connection, templates are listed. */
import { Effect, Layer } from "effect"
import { z } from "zod"
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
import { CloudApi, known } from "./CloudApiClient.ts"
import { CloudApiUploads } from "./CloudApiMedia.ts"
import { readAll } from "./CloudApiPages.ts"

const Accepted = z.object({ messages: z.array(z.object({ id: z.string().min(1) })).min(1) })

const Template = z.object({
  id: z.string(),
  name: z.string(),
  language: z.string(),
  status: z.string(),
  category: z.string(),
  components: z.array(z.json()).default([]),
  rejected_reason: z.string().nullish()
})

const templateFields = "id,name,language,status,category,components,rejected_reason"
/** An account may have 6,000 templates. */
const mostPages = 200

const templateOf = ({
  id,
  name,
  language,
  status,
  category,
  components,
  rejected_reason
}: z.infer<typeof Template>): ChannelTemplate => ({
  ...{ channelTemplateId: id, name, language, status, category, components },
  rejectedReason: rejected_reason == null || rejected_reason === "NONE" ? null : rejected_reason
})

const notConnected = new ChannelRefused({
  code: null,
  reason: "No messaging channel is connected: an OWNER or ADMIN connects one."
})

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
      const accepted = Accepted.safeParse(document)
      if (!accepted.success)
        return yield* new ChannelUnclear({ reason: "The channel's answer does not name the message." })
      return { channelMessageId: accepted.data.messages[0].id }
    })

    /** Files that the channel lost before their time are uploaded again with the next attempt. */
    const forgetFiles =
      (message: OutgoingMessage) => (error: { readonly _tag: string; readonly code?: string | null }) =>
        error._tag === "ChannelRefused" && (error.code === "131052" || error.code === "131053" || error.code === "100")
          ? Effect.forEach(mediaIdsOf(message), (id) => uploaded.forget(message.organizationId, id), { discard: true })
          : Effect.void

    const templates = ({ accessToken, businessAccountId }: ChannelConnection) =>
      readAll(api, accessToken, {
        path: `/${businessAccountId}/message_templates`,
        fields: templateFields,
        item: Template,
        mostPages
      })

    return MessagingChannel.of({
      send: traced("CloudApiChannel.send")(function* (message) {
        const connection = yield* connectionOf(message.organizationId)
        return yield* Effect.tapError(handOver(connection, message), forgetFiles(message))
      }),
      templates: traced("CloudApiChannel.templates")(function* (organizationId) {
        const connection = yield* connectionOf(organizationId)
        const found = yield* Effect.mapError(templates(connection), known)
        return found.map(templateOf)
      })
    })
  })
)

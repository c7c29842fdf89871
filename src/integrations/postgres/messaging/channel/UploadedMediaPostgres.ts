/** Postgres store for the files that were uploaded to the messaging channel, with their ids there. */
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { UploadedMedia } from "../../../../domain/messaging/channel/ChannelMedia.ts"
import { makeSql } from "../../tenancy/Sql.ts"

export const layer = Layer.effect(
  UploadedMedia,
  Effect.map(makeSql, ({ sql, asTenant }) =>
    UploadedMedia.of({
      find: traced("UploadedMedia.find")(function* (organizationId, { mediaId, phoneNumberId }, now) {
        const rows = yield* asTenant(organizationId)(
          sql<{ channelMediaId: string }>`SELECT channel_media_id FROM channel_media
            WHERE media_id = ${mediaId} AND phone_number_id = ${phoneNumberId} AND expires_at > ${new Date(now)}`
        )
        return rows.at(0)?.channelMediaId
      }, Effect.orDie),

      remember: traced("UploadedMedia.remember")(function* (organizationId, file, expiresAt) {
        const { mediaId, phoneNumberId, channelMediaId } = file
        yield* asTenant(organizationId)(
          sql`INSERT INTO channel_media (organization_id, media_id, phone_number_id, channel_media_id, expires_at)
            VALUES (${organizationId}, ${mediaId}, ${phoneNumberId}, ${channelMediaId}, ${new Date(expiresAt)})
            ON CONFLICT (organization_id, media_id, phone_number_id)
            DO UPDATE SET channel_media_id = excluded.channel_media_id, expires_at = excluded.expires_at`
        )
      }, Effect.orDie),

      forget: traced("UploadedMedia.forget")(function* (organizationId, mediaId) {
        yield* asTenant(organizationId)(sql`DELETE FROM channel_media WHERE media_id = ${mediaId}`)
      }, Effect.orDie)
    })
  )
)

/** Reads what was written in Slack: names instead of ids, and who wrote it. People and channels are asked about once in a while. */
import { Effect, Schema } from "effect"
import { AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { directMessages } from "../../domain/apps/AppChat.ts"
import type { AppInbound } from "../../domain/apps/AppInbound.ts"
import { makeKept } from "../../domain/basics/limits/Kept.ts"
import { type ChatAuthor, chatMessageId } from "../../domain/messaging/channel/ChatRecord.ts"
import { millisOf, payloadOf, type SlackFile } from "./SlackNews.ts"
import type { AskSlack } from "./SlackRequests.ts"
import { mentioned, readableText } from "./SlackText.ts"

/** How long a name is good, and how many are kept. */
const bounds = { forMs: 10 * 60_000, most: 5_000 }

const Profile = Schema.Struct({
  real_name: Schema.optionalKey(Schema.String),
  display_name: Schema.optionalKey(Schema.String),
  email: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const Person = Schema.Struct({
  user: Schema.Struct({
    team_id: Schema.optionalKey(Schema.String),
    deleted: Schema.optionalKey(Schema.Boolean),
    is_bot: Schema.optionalKey(Schema.Boolean),
    real_name: Schema.optionalKey(Schema.String),
    name: Schema.optionalKey(Schema.String),
    profile: Schema.optionalKey(Profile)
  })
})
const Channel = Schema.Struct({ channel: Schema.Struct({ name: Schema.optionalKey(Schema.String) }) })

export const makeSlackReading = (ask: AskSlack): Pick<AppInbound, "read"> => {
  const people = makeKept<Omit<ChatAuthor, "userId">>(bounds)
  const channels = makeKept<string | null>(bounds)
  /** Somebody whom Slack does not show: of another workspace, or gone. */
  const unknown = ({ action }: AppFailure) => action === "give_up"

  const personOf = (session: AppSession, teamId: string, id: string) => {
    const asked = ask(session, "users.info", { user: id }, Person).pipe(
      Effect.map(({ user }) => ({
        name: user.profile?.display_name || user.profile?.real_name || user.real_name || user.name || null,
        email: user.profile?.email ?? null,
        isMember: user.team_id === teamId && user.deleted !== true && user.is_bot !== true
      })),
      Effect.catchIf(unknown, () => Effect.succeed({ name: null, email: null, isMember: false }))
    )
    return people(`${session.organizationId} ${teamId} ${id}`, asked)
  }
  const channelName = (session: AppSession, teamId: string, id: string) => {
    const asked = ask(session, "conversations.info", { channel: id }, Channel).pipe(
      Effect.map(({ channel }) => channel.name ?? null),
      Effect.catchIf(unknown, () => Effect.succeed(null))
    )
    return channels(`${session.organizationId} ${teamId} ${id}`, asked)
  }

  const author = Effect.fnUntraced(function* (session: AppSession, teamId: string, id: string | null) {
    if (id === null) return null
    return { userId: `${teamId}:${id}`, ...(yield* personOf(session, teamId, id)) } satisfies ChatAuthor
  })

  const readable = Effect.fnUntraced(function* (session: AppSession, teamId: string, text: string) {
    const ids = mentioned(text)
    const names = { people: new Map<string, string>(), channels: new Map<string, string>() }
    // As many as people read.
    for (const id of ids.people.slice(0, 20)) {
      const { name } = yield* personOf(session, teamId, id)
      if (name !== null) names.people.set(id, name)
    }
    for (const id of ids.channels.slice(0, 20)) {
      const name = yield* channelName(session, teamId, id)
      if (name !== null) names.channels.set(id, name)
    }
    return readableText(text, names)
  })

  const attachment = ({ id, name, mimetype, size = 0, permalink, url_private_download: download }: SlackFile) => ({
    ...{ id, name: name ?? "file", mimeType: mimetype ?? "application/octet-stream", sizeBytes: size },
    ...{ url: permalink ?? null, downloadUrl: download ?? null }
  })

  return {
    read: Effect.fnUntraced(function* (session, arrival) {
      const payload = payloadOf(arrival)
      if (payload === undefined)
        return yield* new AppFailure({ action: "give_up", message: "The event could not be read." })
      if (payload.type === "access") {
        // Slack says that our access is over: it is so if it refuses us. Somebody may have connected it again meanwhile.
        yield* ask(session, "auth.test", {}, Schema.Struct({ ok: Schema.Boolean }))
        return []
      }
      const { teamId, channelId, ts } = payload
      const externalId = chatMessageId(teamId, channelId, ts)
      if (payload.type === "delivered") {
        const at = millisOf(ts)
        const change = { type: "delivered", messageId: payload.messageId, ts, at } as const
        return [{ _tag: "chat", externalId, updatedAt: at, change }]
      }
      if (payload.type === "pressed") {
        const { threadTs: threadId, action, value, at, userId } = payload
        const pressedBy = { userId: `${teamId}:${userId}`, ...(yield* personOf(session, teamId, userId)) }
        const place = { teamId, channelId, threadId }
        const mapped = channelId.startsWith("D") ? directMessages : channelId
        const change = { type: "pressed", place, mapped, author: pressedBy, messageTs: ts, action, value, at } as const
        return [{ _tag: "chat", externalId: `${externalId}:${action}`, updatedAt: at, change }]
      }
      const { isDirect, threadTs, userId, starterId, editedTs, text, files, type } = payload
      const at = millisOf(ts)
      const beside = {
        place: { teamId, channelId, threadId: threadTs ?? (isDirect ? "" : ts) },
        mapped: isDirect ? directMessages : channelId,
        at,
        author: yield* author(session, teamId, userId),
        starter: yield* author(session, teamId, starterId)
      }
      const attachments = files.map(attachment)
      if (type === "deleted")
        return [{ _tag: "chat", externalId, updatedAt: arrival.at ?? at, change: { type, ...beside, attachments } }]
      const said = yield* readable(session, teamId, text)
      const editedAt = editedTs === null ? null : millisOf(editedTs)
      const names = attachments.map(({ name }) => `[File: ${name}]`)
      const change = {
        type,
        ...beside,
        text: [said, ...names].filter((line) => line !== "").join("\n"),
        words: said,
        attachments,
        editedAt
      }
      return [{ _tag: "chat", externalId, updatedAt: editedAt ?? at, change }]
    })
  }
}

/** The threads of conversations that wait for people: which conversation is shown where, and what its events add there. */
import { Effect } from "effect"
import type { AlertKind, HeardEvent } from "../../../domain/apps/chat/ChatAlert.ts"
import type { QueueChannel } from "../../../domain/apps/chat/ChatMapping.ts"
import type { NewPost } from "../../../domain/apps/chat/ChatPost.ts"
import {
  conversationOf,
  type DeskLine,
  deskLinesOf,
  openingOf,
  type QueueState,
  queueTypes,
  waitsForPeople
} from "../../../domain/apps/chat/ChatQueue.ts"
import { makeSql } from "../tenancy/Sql.ts"

/** A channel that is told of something. */
export interface PlaceRow {
  readonly teamId: string
  readonly place: string
  readonly alerts: ReadonlyArray<AlertKind>
  readonly queueChannels: ReadonlyArray<QueueChannel>
}

interface Card {
  readonly teamId: string
  readonly channelId: string
}

interface StateRow extends QueueState {
  readonly id: string
  readonly teamId: string | null
  readonly channelId: string | null
}

const isQueued = ({ type }: HeardEvent) => queueTypes.some((known) => known === type)

export const makeQueuePosts = Effect.gen(function* () {
  const { sql } = yield* makeSql

  /** The conversations as they are now, with the threads that show them. */
  const states = (ids: ReadonlyArray<string>) =>
    sql<StateRow>`SELECT v.id, v.channel, v.status, k.team_id, k.channel_id, v.channel = 'voice' AND EXISTS (SELECT 1 FROM calls c
        WHERE c.organization_id = v.organization_id AND c.conversation_id = v.id AND c.ended_at IS NULL) AS live
      FROM conversations v LEFT JOIN chat_cards k ON k.organization_id = v.organization_id AND k.conversation_id = v.id
      WHERE v.id = ANY (${ids}::text[])`

  const open = (organizationId: string, conversationId: string, { teamId, channelId }: Card, now: number) =>
    sql`INSERT INTO chat_cards (organization_id, conversation_id, team_id, channel_id, created_at)
      VALUES (${organizationId}, ${conversationId}, ${teamId}, ${channelId}, ${new Date(now)})
      ON CONFLICT (organization_id, conversation_id) DO UPDATE SET team_id = excluded.team_id, channel_id = excluded.channel_id,
        ts = NULL, created_at = excluded.created_at`

  const postOf = (conversationId: string, { teamId, channelId }: Card, { once, content }: DeskLine): NewPost => ({
    ...{ once: `${conversationId}:${once}`, teamId, channelId, lane: conversationId, conversationId, content }
  })

  /** What these events add to the threads of their conversations. A conversation is shown in the first channel that takes those of its channel. */
  return Effect.fnUntraced(function* (
    organizationId: string,
    events: ReadonlyArray<HeardEvent>,
    places: ReadonlyArray<PlaceRow>,
    now: number
  ) {
    const desks = places.filter(({ queueChannels }) => queueChannels.length > 0)
    const about = events.filter(isQueued).flatMap((event) => {
      const id = conversationOf(event)
      return id === undefined ? [] : [{ event, id }]
    })
    if (desks.length === 0 || about.length === 0) return []
    const known = new Map((yield* states([...new Set(about.map(({ id }) => id))])).map((row) => [row.id, row]))
    const posts: Array<NewPost> = []
    for (const { event, id } of about) {
      const state = known.get(id)
      if (state === undefined) continue
      const shown = desks.find(({ teamId, place }) => teamId === state.teamId && place === state.channelId)
      const free = desks.find(({ queueChannels }) => queueChannels.some((channel) => channel === state.channel))
      const desk = shown ?? (waitsForPeople(event, state) ? free : undefined)
      if (desk === undefined) continue
      const card = { teamId: desk.teamId, channelId: desk.place }
      if (shown === undefined) {
        yield* open(organizationId, id, card, now)
        known.set(id, { ...state, ...card })
      }
      const lines = [...(shown === undefined ? openingOf(event) : []), ...deskLinesOf(event)]
      posts.push(...lines.map((line) => postOf(id, card, line)))
    }
    return posts
  })
})

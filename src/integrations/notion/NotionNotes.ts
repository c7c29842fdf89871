/** Conversations in Notion: a block on the contact's page. */
import { Effect, Schema } from "effect"
import type { AppSession, ToldConversation } from "../../domain/apps/AppAdapter.ts"
import { conversationText, makeNoteConversation } from "../../domain/apps/adapters/UpsertContact.ts"
import { richText } from "./NotionProperties.ts"
import { askNotion, readNotion } from "./NotionRequests.ts"

const Named = Schema.Struct({ id: Schema.String })
const Children = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      callout: Schema.optionalKey(
        Schema.Struct({ rich_text: Schema.Array(Schema.Struct({ plain_text: Schema.String })) })
      )
    })
  ),
  next_cursor: Schema.NullOr(Schema.String)
})

const longestText = 60_000
/** The pages of blocks that are searched for an earlier attempt's. */
const mostPages = 10

const noteOf = (conversation: ToldConversation) => ({
  kind: "callout",
  callout: { rich_text: richText(conversationText(conversation, longestText)) }
})
type Note = ReturnType<typeof noteOf>

export const makeNotionNotes = (baseUrl: string) => {
  const made = Effect.fnUntraced(function* (session: AppSession, pageId: string, _: Note, url: string) {
    let cursor: string | null = null
    for (let page = 0; page < mostPages; page++) {
      const query: URLSearchParams = new URLSearchParams({
        page_size: "100",
        ...(cursor === null ? {} : { start_cursor: cursor })
      })
      const path = `/blocks/${pageId}/children?${query}`
      const { results, next_cursor }: typeof Children.Type = yield* readNotion(
        Children,
        yield* askNotion(baseUrl, session, { method: "GET", path })
      )
      const found = results.find(({ callout }) =>
        callout?.rich_text
          .map(({ plain_text }) => plain_text)
          .join("")
          .includes(url)
      )
      if (found !== undefined || next_cursor === null) return found?.id
      cursor = next_cursor
    }
    return undefined
  })

  const change = Effect.fnUntraced(function* (session: AppSession, id: string, { callout }: Note) {
    const answer = yield* askNotion(baseUrl, session, { method: "PATCH", path: `/blocks/${id}`, body: { callout } })
    return answer.status === 404 ? undefined : (yield* readNotion(Named, answer)).id
  })

  const create = Effect.fnUntraced(function* (session: AppSession, pageId: string, { callout }: Note) {
    const body = { children: [{ type: "callout", callout }] }
    const answer = yield* askNotion(baseUrl, session, { method: "PATCH", path: `/blocks/${pageId}/children`, body })
    const { results } = yield* readNotion(Children, answer)
    return results[0]?.id ?? pageId
  })

  return makeNoteConversation(noteOf, { made, change, create })
}

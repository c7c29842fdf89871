/**
 * The pages that the integration may read, and their content as plain Markdown: a source of knowledge. Media are left out. A page is read to a bound, and
 * says when it was cut.
 */
import { Effect, Schema } from "effect"
import type { AppFailure, AppSession } from "../../domain/apps/AppAdapter.ts"
import { askNotion, readNotion } from "./NotionRequests.ts"

const RichText = Schema.Array(
  Schema.Struct({
    plain_text: Schema.String,
    href: Schema.optionalKey(Schema.NullOr(Schema.String)),
    annotations: Schema.optionalKey(Schema.Struct({ code: Schema.optionalKey(Schema.Boolean) }))
  })
)
type RichText = typeof RichText.Type

const Listed = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      object: Schema.String,
      id: Schema.String,
      url: Schema.String,
      last_edited_time: Schema.String,
      in_trash: Schema.optionalKey(Schema.Boolean),
      properties: Schema.optionalKey(
        Schema.Record(Schema.String, Schema.Struct({ type: Schema.String, title: Schema.optionalKey(RichText) }))
      )
    })
  ),
  next_cursor: Schema.NullOr(Schema.String)
})

const Content = Schema.Struct({
  rich_text: Schema.optionalKey(RichText),
  checked: Schema.optionalKey(Schema.Boolean),
  language: Schema.optionalKey(Schema.String),
  expression: Schema.optionalKey(Schema.String),
  cells: Schema.optionalKey(Schema.Array(RichText))
})
const Blocks = Schema.Struct({
  results: Schema.Array(
    Schema.StructWithRest(Schema.Struct({ id: Schema.String, type: Schema.String, has_children: Schema.Boolean }), [
      Schema.Record(Schema.String, Schema.Unknown)
    ])
  ),
  next_cursor: Schema.NullOr(Schema.String)
})
type Block = (typeof Blocks.Type)["results"][number]
const readContent = Schema.decodeUnknownOption(Content)

/** A page as it is listed. `editedAt`: Unix milliseconds, rounded down to minutes. */
export interface ListedNotionPage {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly editedAt: number
}

export interface NotionText {
  readonly markdown: string
  /** There is more than was read. */
  readonly isCut: boolean
}

/** Of one page are read at most so many blocks, so deep, and so many characters. */
export const notionPageBounds = { blocks: 2_000, depth: 6, characters: 400_000 } as const

const spelled = (text: RichText): string =>
  text
    .map(({ plain_text, href, annotations }) =>
      href != null ? `[${plain_text}](${href})` : annotations?.code === true ? `\`${plain_text}\`` : plain_text
    )
    .join("")

/** Blocks whose children belong to the text around them. */
const containers = new Set(["column_list", "column", "synced_block", "table", "toggle", "quote", "callout"])
/** Blocks with another page or other data in them. */
const closed = new Set(["child_page", "child_database", "unsupported"])

/** One block as lines of Markdown, without its children. */
export const blockMarkdown = (block: Pick<Block, "type"> & Readonly<Record<string, unknown>>): string => {
  const read = readContent(block[block.type])
  const {
    rich_text = [],
    checked = false,
    language = "",
    expression = "",
    cells = []
  } = read._tag === "Some" ? read.value : {}
  const text = spelled(rich_text)
  switch (block.type) {
    case "heading_1":
    case "heading_2":
    case "heading_3":
    case "heading_4":
      return `${"#".repeat(Number(block.type.slice(-1)))} ${text}`
    case "bulleted_list_item":
    case "toggle":
      return `- ${text}`
    case "numbered_list_item":
      return `1. ${text}`
    case "to_do":
      return `- [${checked ? "x" : " "}] ${text}`
    case "quote":
    case "callout":
      return text
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n")
    case "code":
      return `\`\`\`${language}\n${text}\n\`\`\``
    case "equation":
      return expression
    case "table_row":
      return `| ${cells.map((cell) => spelled(cell).replaceAll("|", "\\|")).join(" | ")} |`
    case "divider":
      return "---"
    default:
      return text
  }
}

export const makeNotionPages = (baseUrl: string) => {
  /** One part of the pages that the integration may read, those edited last first; `cursor` null at the end. */
  const list = Effect.fnUntraced(function* (session: AppSession, cursor: string | null) {
    const body = {
      ...{ filter: { property: "object", value: "page" }, page_size: 100 },
      sort: { timestamp: "last_edited_time", direction: "descending" },
      ...(cursor === null ? {} : { start_cursor: cursor })
    }
    const answer = yield* askNotion(baseUrl, session, { method: "POST", path: "/search", body })
    const { results, next_cursor } = yield* readNotion(Listed, answer)
    const pages = results
      .filter(({ object, in_trash }) => object === "page" && in_trash !== true)
      .map(({ id, url, last_edited_time, properties = {} }): ListedNotionPage => {
        const title = Object.values(properties).find(({ type }) => type === "title")?.title ?? []
        return { id, url, title: spelled(title).trim() || "Untitled", editedAt: Date.parse(last_edited_time) }
      })
    return { pages, cursor: next_cursor }
  })

  const walk = (
    session: AppSession,
    id: string,
    depth: number,
    read: { blocks: number; characters: number; isCut: boolean }
  ): Effect.Effect<ReadonlyArray<string>, AppFailure> =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      let cursor: string | null = null
      do {
        const query: URLSearchParams = new URLSearchParams({
          page_size: "100",
          ...(cursor === null ? {} : { start_cursor: cursor })
        })
        const path = `/blocks/${encodeURIComponent(id)}/children?${query}`
        const { results, next_cursor }: typeof Blocks.Type = yield* readNotion(
          Blocks,
          yield* askNotion(baseUrl, session, { method: "GET", path })
        )
        for (const block of results) {
          if (read.blocks >= notionPageBounds.blocks || read.characters >= notionPageBounds.characters) {
            read.isCut = true
            return lines
          }
          read.blocks++
          const line = blockMarkdown(block)
          read.characters += line.length
          if (line !== "") lines.push(line)
          if (!block.has_children || closed.has(block.type)) continue
          if (depth >= notionPageBounds.depth) {
            read.isCut = true
            continue
          }
          const inner = yield* walk(session, block.id, depth + 1, read)
          const isInside = !containers.has(block.type) || block.type === "toggle"
          lines.push(...(isInside ? inner.map((text) => text.replace(/^/gm, "  ")) : inner))
        }
        cursor = next_cursor
      } while (cursor !== null)
      return lines
    })

  /** The content of a page as Markdown. A page that is not there or not shared is a `give_up`. */
  const read = Effect.fnUntraced(function* (session: AppSession, id: string) {
    const state = { blocks: 0, characters: 0, isCut: false }
    const lines = yield* walk(session, id, 0, state)
    return { markdown: lines.join("\n\n"), isCut: state.isCut } satisfies NotionText
  })

  return { list, read }
}

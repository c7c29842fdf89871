/**
 * Pages and databases that the integration may read, and their content as plain Markdown: a source of knowledge. Media are left out. A page is read to a
 * bound, and says when it was cut.
 */
import { Effect, Option, Schema } from "effect"
import { AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { askNotion, readNotion } from "./NotionRequests.ts"

const RichText = Schema.Array(
  Schema.Struct({
    plain_text: Schema.String,
    href: Schema.optionalKey(Schema.NullOr(Schema.String)),
    annotations: Schema.optionalKey(Schema.Struct({ code: Schema.optionalKey(Schema.Boolean) }))
  })
)
type RichText = typeof RichText.Type

const Named = Schema.NullOr(Schema.Struct({ name: Schema.String }))
const Words = Schema.NullOr(Schema.String)
/** The values of properties that are text or can be written as text. */
const valueFields = {
  title: Schema.optionalKey(RichText),
  rich_text: Schema.optionalKey(RichText),
  number: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  select: Schema.optionalKey(Named),
  status: Schema.optionalKey(Named),
  multi_select: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String }))),
  checkbox: Schema.optionalKey(Schema.Boolean),
  date: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ start: Schema.String, end: Schema.optionalKey(Schema.NullOr(Schema.String)) }))
  ),
  url: Schema.optionalKey(Words),
  email: Schema.optionalKey(Words),
  phone_number: Schema.optionalKey(Words)
}

const Page = Schema.Struct({
  object: Schema.String,
  id: Schema.String,
  url: Schema.String,
  in_trash: Schema.optionalKey(Schema.Boolean),
  properties: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ type: Schema.String, ...valueFields })))
})
const Found = Schema.Struct({ results: Schema.Array(Page), next_cursor: Schema.NullOr(Schema.String) })
const Database = Schema.Struct({ data_sources: Schema.Array(Schema.Struct({ id: Schema.String })) })

const Content = Schema.Struct({
  rich_text: Schema.optionalKey(RichText),
  checked: Schema.optionalKey(Schema.Boolean),
  language: Schema.optionalKey(Schema.String),
  expression: Schema.optionalKey(Schema.String),
  cells: Schema.optionalKey(Schema.Array(RichText)),
  title: Schema.optionalKey(Schema.String)
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

/** A page without its content. `values`: its other properties, as lines of Markdown. */
export interface NotionPageHead {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly values: ReadonlyArray<string>
}

/** A page or a database inside of a page. */
export interface InnerNotion {
  readonly kind: "page" | "database"
  readonly id: string
  readonly title: string
}

export interface NotionContent {
  readonly markdown: string
  /** There is more than was read. */
  readonly isCut: boolean
  readonly inner: ReadonlyArray<InnerNotion>
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

const untitled = "Untitled"

const valueText = (value: NonNullable<(typeof Page.Type)["properties"]>[string]): string => {
  const { rich_text, number, select, status, multi_select, checkbox, date, url, email, phone_number } = value
  if (rich_text !== undefined) return spelled(rich_text)
  if (multi_select !== undefined) return multi_select.map(({ name }) => name).join(", ")
  if (checkbox !== undefined) return checkbox ? "yes" : "no"
  if (date != null) return [date.start, date.end ?? ""].filter((part) => part !== "").join(" – ")
  return select?.name ?? status?.name ?? url ?? email ?? phone_number ?? (number == null ? "" : String(number))
}

const headOf = ({ id, url, properties = {} }: typeof Page.Type): NotionPageHead => {
  const title = Object.values(properties).find(({ type }) => type === "title")?.title ?? []
  const values = Object.entries(properties).flatMap(([name, value]) => {
    const text = value.type === "title" ? "" : valueText(value).trim()
    return text === "" ? [] : [`- ${name}: ${text}`]
  })
  return { id, url, title: spelled(title).trim() || untitled, values }
}

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

const titleOf = (block: Block): string =>
  Option.match(readContent(block[block.type]), { onNone: () => untitled, onSome: ({ title }) => title || untitled })

export const makeNotionPages = (baseUrl: string) => {
  /** A page without its content. One that is not there or not shared is a `give_up`; so is a database. */
  const find = Effect.fnUntraced(function* (session: AppSession, id: string) {
    const answer = yield* askNotion(baseUrl, session, { method: "GET", path: `/pages/${encodeURIComponent(id)}` })
    const page = yield* readNotion(Page, answer)
    if (page.in_trash === true)
      return yield* new AppFailure({ action: "give_up", message: "The page is in Notion's trash." })
    return headOf(page)
  })

  /** The pages of a database, of all its data sources, at most `most`. One that is not there or not shared is a `give_up`. */
  const ofDatabase = Effect.fnUntraced(function* (session: AppSession, id: string, most: number) {
    const found = yield* askNotion(baseUrl, session, { method: "GET", path: `/databases/${encodeURIComponent(id)}` })
    const { data_sources } = yield* readNotion(Database, found)
    const pages: Array<NotionPageHead> = []
    for (const source of data_sources)
      for (let cursor: string | null = null; ; ) {
        const body: object = {
          page_size: 100,
          result_type: "page",
          ...(cursor === null ? {} : { start_cursor: cursor })
        }
        const path = `/data_sources/${encodeURIComponent(source.id)}/query`
        const { results, next_cursor }: typeof Found.Type = yield* readNotion(
          Found,
          yield* askNotion(baseUrl, session, { method: "POST", path, body })
        )
        for (const page of results) if (page.object === "page" && page.in_trash !== true) pages.push(headOf(page))
        cursor = next_cursor
        if (cursor === null || pages.length >= most) break
      }
    return pages.slice(0, most)
  })

  const walk = (
    session: AppSession,
    id: string,
    depth: number,
    read: { blocks: number; characters: number; isCut: boolean; readonly inner: Array<InnerNotion> }
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
          if (block.type === "child_page" || block.type === "child_database") {
            const kind = block.type === "child_page" ? "page" : "database"
            read.inner.push({ kind, id: block.id, title: titleOf(block) })
          }
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

  /** The content of a page as Markdown, and what is inside of it. A page that is not there or not shared is a `give_up`. */
  const read = Effect.fnUntraced(function* (session: AppSession, id: string) {
    const state = { blocks: 0, characters: 0, isCut: false, inner: [] }
    const lines = yield* walk(session, id, 0, state)
    return { markdown: lines.join("\n\n"), isCut: state.isCut, inner: state.inner } satisfies NotionContent
  })

  return { find, ofDatabase, read }
}

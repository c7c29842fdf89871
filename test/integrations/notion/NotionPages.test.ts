/** The pages of Notion as a source of knowledge. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { personId } from "../../../simulators/notes/NotionRecords.ts"
import { makeNotionPages } from "../../../src/integrations/notion/NotionPages.ts"
import { notionAtWork } from "../../support/notion.ts"

const rich = (content: string) => ({ rich_text: [{ text: { content } }] })

describe("a page of Notion", () => {
  it.live("is found with its title and read as Markdown, with what is inside of its blocks", () =>
    Effect.gen(function* () {
      const { notion, session } = yield* notionAtWork
      const { records } = notion
      const parent = { data_source_id: records.dataSourceId }
      const page = records.create(
        { parent, properties: { Name: { title: [{ text: { content: "Returns" } }] } } },
        personId
      )
      for (const block of [
        { type: "heading_1", heading_1: rich("Returns") },
        { type: "paragraph", paragraph: rich("Within 30 days.") },
        {
          type: "bulleted_list_item",
          bulleted_list_item: { ...rich("Books"), children: [{ type: "paragraph", paragraph: rich("unread") }] }
        },
        { type: "to_do", to_do: { ...rich("Label"), checked: true } },
        { type: "code", code: { ...rich("npm i"), language: "bash" } },
        { type: "image", image: { type: "external" } },
        { type: "divider", divider: {} }
      ])
        records.addBlock(page.id, block)
      const pages = makeNotionPages(notion.url)
      const url = `https://www.notion.so/${page.id.replaceAll("-", "")}`
      const head = { id: page.id, title: "Returns", url, values: ["- Opted in: no"] }
      assert.deepEqual(yield* pages.find(session, page.id), head)
      assert.deepEqual(yield* pages.ofDatabase(session, records.databaseId, 10), [head])
      assert.deepEqual(yield* pages.read(session, page.id), {
        markdown: [
          "# Returns",
          "Within 30 days.",
          "- Books",
          "  unread",
          "- [x] Label",
          "```bash\nnpm i\n```",
          "---"
        ].join("\n\n"),
        isCut: false,
        inner: []
      })
    }).pipe(Effect.scoped)
  )

  it.live("is read to a bound, and one that is not shared is given up with the way out", () =>
    Effect.gen(function* () {
      const { notion, session } = yield* notionAtWork
      const { records } = notion
      const parent = { data_source_id: records.dataSourceId }
      const page = records.create({ parent, properties: { Name: { title: [] } } }, personId)
      for (let n = 0; n < 2_050; n++) records.addBlock(page.id, { type: "paragraph", paragraph: rich(`line ${n}`) })
      const pages = makeNotionPages(notion.url)
      const { markdown, isCut } = yield* pages.read(session, page.id)
      assert.isTrue(isCut)
      assert.lengthOf(markdown.split("\n\n"), 2_000)
      assert.strictEqual((yield* pages.find(session, page.id)).title, "Untitled")
      records.hidden.add(page.id)
      const failure = yield* Effect.flip(pages.read(session, page.id))
      assert.strictEqual(failure.action, "give_up")
      assert.match(failure.message, /add the integration/)
    }).pipe(Effect.scoped)
  )
})

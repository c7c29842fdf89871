/** Sources that give trouble, and pages of Notion: each source says how it does, and no other one is hurt. */
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { pdf } from "../../../support/documents.ts"
import { answers, knowledgeDesk, local, site } from "../../../support/knowledgeDesk.ts"
import { notionSecret } from "../../../support/notion.ts"

const rich = (content: string) => ({ rich_text: [{ text: { content } }] })
const paragraph = (content: string) => ({ type: "paragraph", paragraph: rich(content) })

/** A desk whose organization has connected Notion. */
const connectedDesk = Effect.gen(function* () {
  const desk = yield* knowledgeDesk
  const connect = desk.owner.ask("PUT", "/api/integrations/notion", {
    body: { credentials: { accessToken: notionSecret } }
  })
  const done = yield* connect
  assert.strictEqual(done.status, 200, JSON.stringify(done.body))
  return { ...desk, records: desk.notion.records, connect }
})

const hour = 3_600_000

describe("a source of a knowledge base", () => {
  it.live("says what is wrong with it, while the others are found", () =>
    Effect.gen(function* () {
      const { add, upload, sync, state, first } = yield* knowledgeDesk
      const good = yield* add(answers(["Do you deliver?", "Yes, for 4 dollars."]))
      const bad = [
        [yield* upload("", "empty.txt"), /is empty/],
        [yield* upload(pdf([["secret"]], true), "locked.pdf"), /protected by a password/],
        [yield* upload(Buffer.from([0xff, 0, 0xfe, 1, 0, 0]), "noise.txt"), /UTF-8/],
        [yield* upload(pdf([[]]), "scan.pdf"), /holds no text.*OCR/]
      ] as const
      const long = Array.from({ length: 500 }, (_, page) => [
        `Chapter ${page} is about binding ${page}, glue and thread.`
      ])
      const book = yield* upload(pdf(long), "book.pdf")
      yield* sync()
      for (const [source, reason] of bad) {
        const { state: status, problem, passages, vectors } = yield* state(source)
        assert.deepStrictEqual([status, passages, vectors], ["failed", 0, { state: "none", problem: null }])
        assert.match(problem, reason)
      }
      assert.deepInclude(yield* state(good), { state: "ready", problem: null })
      assert.deepInclude(yield* state(book), { state: "ready", problem: null })
      assert.match(yield* first("what does delivery cost, deliver?"), /4 dollars/)
      assert.match(yield* first("what is chapter 499 about"), /Chapter 499/)
    })
  )

  it.live("reads a packed sitemap and old encodings, and says when a sitemap is torn", () =>
    Effect.gen(function* () {
      const { add, sync, state, first } = yield* knowledgeDesk
      const old = '<meta charset="iso-8859-1"><title>Zeiten</title><p>Täglich geöffnet bis sechs.</p>'
      const pages: Record<string, string | number | URL | Buffer> = { "/hours": Buffer.from(old, "latin1") }
      const { url } = yield* site(pages)
      pages["/sitemap.xml.gz"] = gzipSync(`<urlset><url><loc>${url}/hours</loc></url></urlset>`)
      pages["/torn.xml.gz"] = gzipSync("<urlset></urlset>").subarray(0, 15)
      const packed = yield* add({ title: "Site", pages: { sitemap: `${url}/sitemap.xml.gz` } })
      const torn = yield* add({ title: "Torn", pages: { sitemap: `${url}/torn.xml.gz` } })
      yield* sync(local)
      assert.deepInclude(yield* state(packed), { state: "ready", passages: 1, skipped: [] })
      assert.match(yield* first("geöffnet"), /Täglich geöffnet/)
      assert.deepInclude(yield* state(torn), {
        state: "failed",
        problem: "The sitemap cannot be read. The sitemap is damaged, or unpacks to too much."
      })
    })
  )

  it.live("is not led to a private address by a public site, of which the other pages are read", () =>
    Effect.gen(function* () {
      const { add, sync, state } = yield* knowledgeDesk
      const pages: Record<string, string | number | URL> = { "/hours": "<p>Open from nine.</p>", "/secret": "secret" }
      const { url } = yield* site(pages)
      pages["/inside"] = new URL(`${url}/secret`)
      const shop = url.replace("127.0.0.1", "shop.example")
      const source = yield* add({ title: "Shop", pages: { urls: [`${shop}/hours`, `${shop}/inside`] } })
      // The name is taken for public, what it leads to is not.
      yield* sync({ lookup: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) })
      assert.deepInclude(yield* state(source), {
        state: "ready",
        passages: 1,
        skipped: [{ what: `${shop}/inside`, why: "The address is not on the public internet." }]
      })
    })
  )
})

describe("pages of Notion", () => {
  it.live("are a source with all that is inside of a page, and follow what changes and what is deleted there", () =>
    Effect.gen(function* () {
      const { add, owner, sync, state, first, search, records } = yield* connectedDesk
      const handbook = records.addPage("Handbook")
      records.addBlock(handbook.id, paragraph("Everything about the shop."))
      const returns = records.addPage("Returns", handbook.id)
      records.addBlock(returns.id, paragraph("Books come back within 30 days."))
      const gifts = records.addPage("Gift cards", returns.id)
      records.addBlock(gifts.id, paragraph("Gift cards are valid for three years."))
      const hidden = records.addPage("Salaries", handbook.id)
      records.addBlock(hidden.id, paragraph("Nobody outside reads this."))
      const url = `https://www.notion.so/books/Handbook-${handbook.id.replaceAll("-", "")}`
      const source = yield* add({ title: "Handbook", notion: { url }, syncEveryHours: 6 })
      yield* sync()
      const ready = yield* state(source)
      assert.deepInclude(ready, { type: "notion", state: "ready", problem: null, passages: 4, skipped: [] })
      const [passage] = (yield* search("how long are gift cards valid")).passages
      assert.deepInclude(passage, {
        title: "Gift cards",
        url: `https://www.notion.so/${gifts.id.replaceAll("-", "")}`
      })

      // Six hours later it is read again by itself.
      records.addBlock(gifts.id, paragraph("They are sold at the desk."))
      returns.inTrash = false
      hidden.inTrash = true
      assert.strictEqual(yield* sync({}, 5 * hour), 0)
      assert.strictEqual(yield* sync({}, 6 * hour + 60_000), 1)
      assert.strictEqual((yield* state(source)).passages, 3)
      assert.match(yield* first("where are gift cards sold"), /at the desk/)
      assert.isFalse((yield* search("salaries")).answered)

      const other = yield* owner.ask("PUT", source, { body: { answers: [{ question: "a", answer: "b" }] } })
      assert.deepStrictEqual(
        [other.status, other.body.error],
        [400, "This source is of the type notion; that does not change."]
      )
    })
  )

  it.live("of a database have their properties, too", () =>
    Effect.gen(function* () {
      const { add, sync, state, search, records } = yield* connectedDesk
      const parent = { data_source_id: records.dataSourceId }
      const page = records.create({
        parent,
        properties: { Name: { title: [{ text: { content: "Desk" } }] }, Email: { email: "desk@maplebooks.example" } }
      })
      records.addBlock(page.id, paragraph("The desk answers questions about orders."))
      const source = yield* add({ title: "People", notion: { url: records.databaseId } })
      yield* sync()
      assert.deepInclude(yield* state(source), { state: "ready", passages: 1 })
      const [passage] = (yield* search("desk email")).passages
      assert.match(passage.text, /Email: desk@maplebooks\.example/)
      assert.match(passage.text, /orders/)
    })
  )

  it.live("stay as they were when Notion refuses the connection, which the source and the connection say", () =>
    Effect.gen(function* () {
      const { add, owner, sync, state, first, records, notion, connect } = yield* connectedDesk
      const page = records.addPage("Returns")
      records.addBlock(page.id, paragraph("Books come back within 30 days."))
      const source = yield* add({ title: "Returns", notion: { url: page.id } })
      const other = yield* add(answers(["Do you deliver?", "Yes, for 4 dollars."]))
      yield* sync()
      notion.tokens.privateApps.delete(notionSecret)
      yield* owner.ask("POST", `${source}/sync`)
      yield* owner.ask("POST", `${other}/sync`)
      yield* sync()
      const failed = yield* state(source)
      assert.deepInclude(failed, { state: "failed", passages: 1 })
      assert.match(failed.problem, /refuses our credentials.*Connect Notion again/)
      assert.strictEqual((yield* state(other)).state, "ready")
      assert.match(yield* first("how long can books come back"), /30 days/)
      const { body } = yield* owner.ask("GET", "/api/integrations/notion")
      assert.strictEqual(body.connection.state, "failing")

      notion.tokens.privateApps.add(notionSecret)
      yield* connect
      yield* owner.ask("POST", `${source}/sync`)
      yield* sync()
      assert.deepInclude(yield* state(source), { state: "ready", problem: null })
    })
  )

  it.live("that are not there, not shared or not connected say what to do", () =>
    Effect.gen(function* () {
      const { add, owner, base, sync, state, records } = yield* connectedDesk
      const page = records.addPage("Plans")
      records.hidden.add(page.id)
      const source = yield* add({ title: "Plans", notion: { url: page.id } })
      yield* sync()
      assert.match((yield* state(source)).problem, /does not show it to the integration/)
      yield* owner.ask("DELETE", "/api/integrations/notion")
      yield* owner.ask("POST", `${source}/sync`)
      yield* sync()
      assert.match((yield* state(source)).problem, /Notion is not connected/)
      const refused = yield* owner.ask("POST", `${base}/sources`, {
        body: { title: "Elsewhere", notion: { url: "https://example.com/page" } }
      })
      assert.strictEqual(refused.status, 400)
      assert.match(refused.body.error, /32 digits and letters/)
    })
  )
})

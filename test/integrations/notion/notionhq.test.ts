/** The vendor's library as judge: what the simulated Notion answers is what it reads, and what we send is what it sends. */
import { assert, describe, it } from "@effect/vitest"
import { Client, isFullPage } from "@notionhq/client"
import { Effect } from "effect"
import type { NotionRequest } from "../../../simulators/notes/Notion.ts"
import { notionVersion } from "../../../src/integrations/notion/NotionRequests.ts"
import { exampleContact } from "../../support/exampleContact.ts"
import { notionAtWork, notionSecret } from "../../support/notion.ts"

const sentBy = (received: ReadonlyArray<NotionRequest>) =>
  received.map(({ method, path, body }) => ({ method, path, body }))

describe("@notionhq/client", () => {
  it.live("finds the database, makes and reads pages and blocks, and is refused by the simulated Notion", () =>
    Effect.gen(function* () {
      const { notion } = yield* notionAtWork
      const { databaseId, dataSourceId: data_source_id } = notion.records
      const client = new Client({ auth: notionSecret, baseUrl: notion.url, notionVersion, retry: false })
      yield* Effect.promise(async () => {
        const database = await client.databases.retrieve({ database_id: databaseId })
        assert.deepEqual("data_sources" in database && database.data_sources[0].id, data_source_id)
        const made = await client.pages.create({
          parent: { type: "data_source_id", data_source_id },
          properties: { Name: { title: [{ text: { content: "Asha" } }] } }
        })
        const page = await client.pages.retrieve({ page_id: made.id })
        assert.isTrue(isFullPage(page))
        const children = [{ type: "callout" as const, callout: { rich_text: [{ text: { content: "Resolved" } }] } }]
        await client.blocks.children.append({ block_id: made.id, children })
        const blocks = await client.blocks.children.list({ block_id: made.id })
        assert.lengthOf(blocks.results, 1)
        const found = await client.dataSources.query({ data_source_id, page_size: 1 })
        assert.strictEqual(found.results[0].id, made.id)
        const missing = await client.pages
          .retrieve({ page_id: data_source_id })
          .catch((cause: { code?: string }) => cause)
        assert.strictEqual("code" in missing && missing.code, "object_not_found")
      })
    }).pipe(Effect.scoped)
  )

  it.live("sends what we send", () =>
    Effect.gen(function* () {
      const { notion, adapter, session } = yield* notionAtWork
      const { databaseId, dataSourceId: data_source_id } = notion.records
      const contact = { ...exampleContact, phone: null }
      const change = { trigger: "contact.created" as const, contact }
      const [link] = yield* adapter.push?.(session, { id: "syn_1", change, again: false, links: [] }, 0) ??
        Effect.die("no")
      const renamed = { trigger: "contact.updated" as const, contact: { ...contact, name: "Asha Lind" } }
      yield* adapter.push?.(session, { id: "syn_2", change: renamed, again: false, links: [link] }, 0) ??
        Effect.die("no")
      const ours = sentBy(notion.received.splice(0))
      const client = new Client({ auth: notionSecret, baseUrl: notion.url, notionVersion, retry: false })
      yield* Effect.promise(async () => {
        await client.databases.retrieve({ database_id: databaseId })
        await client.dataSources.retrieve({ data_source_id })
        await client.dataSources.query({
          ...{ data_source_id, page_size: 1 },
          filter: { or: [{ property: "Email", email: { equals: "asha@example.com" } }] }
        })
        await client.pages.create({
          parent: { type: "data_source_id", data_source_id },
          properties: {
            Phone: { phone_number: null },
            Name: { title: [{ text: { content: "Asha Rao" } }] },
            Email: { email: "asha@example.com" },
            Tags: { multi_select: [{ name: "book club" }] }
          }
        })
        await client.pages.retrieve({ page_id: link.remoteId })
        await client.pages.update({
          page_id: link.remoteId,
          properties: { Name: { title: [{ text: { content: "Asha Lind" } }] } }
        })
      })
      assert.deepEqual(ours, sentBy(notion.received))
    }).pipe(Effect.scoped)
  )
})

/** A contact and its page in a simulated Notion: changes of both sides meet, and nothing goes in circles. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { personId } from "../../../simulators/notes/NotionRecords.ts"
import { startAppsWith } from "../../support/apps.ts"
import { crmStories } from "../../support/crmStories.ts"
import { comesAbout } from "../../support/eventually.ts"
import { notionSecret, startNotion } from "../../support/notion.ts"

const world = Effect.gen(function* () {
  const notion = yield* startNotion
  const apps = yield* startAppsWith({ notion: notion.url })
  const us = yield* Effect.promise(() => apps.tenant())
  const settings = { database: notion.records.databaseId }
  const connected = yield* Effect.promise(() =>
    apps.call(us, "PUT", "/notion", { credentials: { accessToken: notionSecret }, settings })
  )
  assert.strictEqual(connected.status, 200, JSON.stringify(connected.body))
  const { webhookUrl } = connected.body.connection as { readonly webhookUrl: string }
  notion.webhook.url = apps.world.base + new URL(webhookUrl).pathname
  yield* apps.worker
  /** All that Notion has told was read. */
  const heard = () =>
    comesAbout("all was read", async () => {
      const [{ waiting }] = await apps.rows(
        us,
        "SELECT count(*)::int AS waiting FROM app_arrivals WHERE due_at IS NOT NULL"
      )
      return waiting === 0
    })
  return { ...apps, ...crmStories(apps, "notion"), notion, us, heard }
})
type Told = Effect.Success<typeof world>

const story = (name: string, tell: (told: Told) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(world, (told) => Effect.promise(() => tell(told))).pipe(
      (told: Effect.Effect<void, unknown, Scope.Scope>) => Effect.scoped(Effect.orDie(told))
    )
  )

const title = (name: string) => ({ Name: { title: [{ text: { content: name } }] } })
const namesOf = async ({ rows, us }: Told) =>
  (await rows(us, "SELECT name FROM contacts ORDER BY name")).map(({ name }) => name)

describe("a contact and its page in Notion", () => {
  story("follow each other by webhooks, and no change is sent back", async (told) => {
    const { us, create, idle, heard, notion, call, connection } = told
    assert.strictEqual(await notion.handshake(), 200)
    assert.deepEqual((await call(us, "GET", "/notion/verification")).body, { token: notion.webhook.token })
    await create(us, "+14155550101", "asha@maplebooks.example")
    await idle(us)
    assert.deepEqual(await notion.flush(), [200])
    await heard()
    const [page] = notion.records.pages.values()
    notion.records.now = () => Date.now() + 2 * 60_000
    notion.records.change(page.id, { properties: title("Asha Lind") }, personId)
    await notion.flush()
    await comesAbout("the name came", async () => (await namesOf(told))[0] === "Asha Lind")
    await heard()
    await idle(us)
    assert.isEmpty(notion.received.filter(({ method, path }) => method === "PATCH" && path.startsWith("/v1/pages")))
    assert.isEmpty(notion.events)
    const { webhooks } = await connection(us, "notion")
    assert.includeMembers(
      (webhooks as ReadonlyArray<{ readonly topic: string }>).map(({ topic }) => topic),
      ["page.properties_updated"]
    )
  })

  story("take the newer of two changes, and the log names the one that was not taken", async (told) => {
    const { us, create, idle, heard, notion, rename, rows } = told
    await notion.handshake()
    const { id } = await create(us, "+14155550111")
    await idle(us)
    await notion.flush()
    await heard()
    const [page] = notion.records.pages.values()
    notion.records.now = () => Date.now() + 2 * 60_000
    notion.records.change(page.id, { properties: title("Newer there") }, personId)
    await rename(us, id, "Older here")
    await idle(us)
    await notion.flush()
    await comesAbout("the newer name came", async () => (await namesOf(told))[0] === "Newer there")
    await heard()
    const notes = await rows(us, "SELECT concat_ws(chr(10), error, response, request) AS text FROM app_log")
    assert.include(notes.map(({ text }) => String(text)).join("\n"), "The name was changed here and in Notion")
  })

  story("are made from pages, each once, by asking for those that were edited", async (told) => {
    const { us, idle, notion, call } = told
    const parent = { data_source_id: notion.records.dataSourceId }
    for (const n of [1, 2])
      notion.records.create(
        { parent, properties: { ...title(`Guest ${n}`), Phone: { phone_number: `+1 415 555 012${n}` } } },
        personId
      )
    for (let round = 0; round < 2; round++) {
      assert.strictEqual((await call(us, "POST", "/notion/sync")).status, 200)
      await comesAbout("they came", async () => (await namesOf(told)).length === 2)
    }
    await idle(us)
    assert.deepEqual(await namesOf(told), ["Guest 1", "Guest 2"])
    assert.strictEqual(notion.records.pages.size, 2)
  })
})

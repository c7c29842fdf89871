/** A knowledge base behind the interface, with sources of every kind: files, a web site, a simulated Notion. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { makeProcessSync } from "../../src/actors/knowledge/SyncWorker.ts"
import { KnowledgeSources } from "../../src/domain/ai/knowledge/KnowledgeSource.ts"
import { Moderation, ModerationError } from "../../src/domain/ai/providers/Moderation.ts"
import { ObjectStorage } from "../../src/domain/basics/ObjectStorage.ts"
import * as DocumentReaderThread from "../../src/integrations/documents/DocumentReaderThread.ts"
import * as GuardedWebSites from "../../src/integrations/documents/GuardedWebSites.ts"
import * as NotionKnowledge from "../../src/integrations/notion/NotionKnowledge.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import { makeAccessWorld } from "./access.ts"
import { startNotion } from "./notion.ts"
import { testApps } from "./testApps.ts"

/** The path of knowledge bases. */
export const root = "/api/knowledge-bases"

/** Flags whatever contains "forbidden"; `down` makes it fail. */
export const filter = { down: false }
const moderation = Layer.succeed(Moderation, {
  check: (texts) =>
    filter.down
      ? Effect.fail(new ModerationError({ reason: "unavailable", message: "down" }))
      : Effect.succeed(texts.map((text) => ({ flagged: text.includes("forbidden"), categories: ["violence"] })))
})

/** An owner with a knowledge base, and what syncs its sources when it is told to. */
export const knowledgeDesk = Effect.gen(function* () {
  filter.down = false
  const notion = yield* startNotion
  const apps = testApps({ notion: notion.url })
  const world = yield* makeAccessWorld({ apps })
  const owner = yield* world.as("OWNER")
  const made = yield* owner.ask("POST", root, { body: { name: "Shop" } })
  assert.strictEqual(made.status, 201, JSON.stringify(made.body))
  const base = `${root}/${made.body.id}`
  const sources = yield* world.provide(KnowledgeSources)
  const syncing = (options: GuardedWebSites.WebSitesOptions = {}) =>
    makeProcessSync.pipe(
      Effect.provide([
        NotionKnowledge.layer(notion.url).pipe(
          Layer.provide([apps, Layer.provideMerge(RateLimiter.layer, RateLimitMemory.layer)])
        ),
        DocumentReaderThread.layer(),
        GuardedWebSites.layer(options),
        Layer.succeed(ObjectStorage, world.objects)
      ]),
      world.provide
    )
  /** Syncs whatever is due, like the worker; `later` milliseconds from now. */
  const sync = Effect.fnUntraced(function* (options: GuardedWebSites.WebSitesOptions = {}, later = 0) {
    const process = yield* syncing(options)
    const jobs = yield* sources.claim((yield* Clock.currentTimeMillis) + later, 60_000, 20)
    const own = jobs.filter(({ organizationId }) => organizationId === world.organizationId)
    for (const job of own) yield* process(job).pipe(Effect.provide(moderation))
    return own.length
  })
  const add = Effect.fnUntraced(function* (body: object) {
    const added = yield* owner.ask("POST", `${base}/sources`, { body })
    assert.strictEqual(added.status, 201, JSON.stringify(added.body))
    return `${base}/sources/${added.body.id}`
  })
  const upload = Effect.fnUntraced(function* (bytes: Uint8Array | string, filename: string) {
    const form = new FormData()
    form.append("file", new Blob([Buffer.from(bytes)]), filename)
    const { cookie, csrf } = owner
    const response = yield* Effect.promise(() =>
      fetch(`${world.base}${base}/files`, { method: "POST", body: form, headers: { cookie, "x-csrf-token": csrf } })
    )
    const body = (yield* Effect.promise(() => response.json())) as { readonly id: string }
    assert.strictEqual(response.status, 201, JSON.stringify(body))
    return `${base}/sources/${body.id}`
  })
  const state = (source: string) => Effect.map(owner.ask("GET", source), ({ body }) => body)
  const search = (query: string) =>
    Effect.map(owner.ask("POST", `${base}/search`, { body: { query } }), ({ body }) => body)
  const first = (query: string) => Effect.map(search(query), ({ passages }) => passages[0]?.text)
  return {
    ...world,
    owner,
    notion,
    base,
    baseId: String(made.body.id),
    sync,
    add,
    upload,
    state,
    search,
    first,
    sources
  }
})

/** A new source of questions with answers. */
export const answers = (...pairs: ReadonlyArray<readonly [string, string]>) => ({
  title: "Questions",
  answers: pairs.map(([question, answer]) => ({ question, answer }))
})

/** A web site by path: the content, or a status, or an address to redirect to. */
export const site = (pages: Readonly<Record<string, string | number | URL | Buffer>>) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        const page = pages[request.url ?? ""] ?? 404
        if (typeof page === "number") response.writeHead(page).end()
        else if (typeof page === "string") response.writeHead(200, { "content-type": "text/html" }).end(page)
        else if (Buffer.isBuffer(page)) response.writeHead(200).end(page)
        else response.writeHead(302, { location: page.href }).end()
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = () => void server.close()
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** Lets sites be on this machine. */
export const local = { allowPrivateNetwork: true }

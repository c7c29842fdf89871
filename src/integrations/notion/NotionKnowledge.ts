/**
 * Reads the pages of a connected Notion workspace for knowledge bases: a page with what is inside of it, or a database. It reads one page after the other,
 * at the pace of the connection, and leaves the rest of it to the synchronization of contacts.
 */
import { Clock, Effect, Layer } from "effect"
import { PageUnavailable } from "../../domain/ai/knowledge/Documents.ts"
import { type NotionStep, NotionWorkspaces } from "../../domain/ai/knowledge/NotionWorkspaces.ts"
import type { AppFailure, AppSession } from "../../domain/apps/AppAdapter.ts"
import { AppConnections } from "../../domain/apps/AppConnection.ts"
import { makeUseConnection } from "../../domain/apps/UseConnection.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { type InnerNotion, makeNotionPages, type NotionPageHead } from "./NotionPages.ts"

/** Milliseconds before a request is sent again that Notion may answer later. After the last the sync is tried again as a whole. */
const pausesMs = [1_000, 5_000, 20_000]
/** Notion asks for a second mostly, and never for more than some minutes. */
const longestWaitMs = 60_000
const mostWaits = 30

interface Waiting {
  readonly id: string
  readonly title: string
  /** What is known of it already, e.g. from its database. */
  readonly head?: NotionPageHead
}

const unavailable = (message: string, temporary = false) => new PageUnavailable({ message, temporary })

/** Needs AppAdapters, AppConnections, Exclusive, HttpClient and RateLimiter. */
export const layer = (baseUrl: string) =>
  Layer.effect(
    NotionWorkspaces,
    Effect.gen(function* () {
      const connections = yield* AppConnections
      const { use } = yield* makeUseConnection
      const pages = makeNotionPages(baseUrl)

      const connected = Effect.fnUntraced(function* (organizationId: string) {
        const connection = yield* connections.find(organizationId, "notion")
        if (connection === undefined)
          return yield* unavailable("Notion is not connected. Connect it, then sync the source again.")
        if (!connection.enabled)
          return yield* unavailable(
            "The connection to Notion is switched off. Switch it on, then sync the source again."
          )
        if (connection.state === "reconnect")
          return yield* unavailable("Notion refuses the connection. Connect it again, then sync the source again.")
        return connection
      })

      /** Work over the connection as it is now. What Notion gives up on is undefined; every other failure ends the sync. */
      const ask = Effect.fnUntraced(function* <A>(
        organizationId: string,
        work: (session: AppSession) => Effect.Effect<A, AppFailure>
      ) {
        for (let failures = 0, waits = 0; ; ) {
          const connection = yield* connected(organizationId)
          const done = yield* Effect.result(use(connection, ({ session }) => work(session)))
          if (done._tag === "Success") return { value: done.success, reason: "" }
          const { action, message, retryAfterMs = 1_000, final = false } = done.failure
          if (action === "give_up") return { value: undefined, reason: message }
          if (action === "reconnect") {
            const now = yield* Clock.currentTimeMillis
            yield* connections.note(organizationId, connection.id, { problem: message, final }, now)
            return yield* unavailable(`${message} Connect Notion again, then sync the source again.`)
          }
          const pause = action === "wait" ? Math.min(retryAfterMs, longestWaitMs) : pausesMs[failures++]
          if (pause === undefined || ++waits > mostWaits) return yield* unavailable(message, true)
          yield* Effect.sleep(pause)
        }
      })

      return NotionWorkspaces.of({
        read: traced("NotionWorkspaces.read")(function* <E, R>(
          organizationId: string,
          root: string,
          most: number,
          take: (step: NotionStep, done: number, total: number) => Effect.Effect<void, E, R>
        ) {
          const seen = new Set<string>()
          const queue: Array<Waiting> = []
          let done = 0
          let isFull = false

          const enqueue = (page: Waiting) => {
            if (seen.has(page.id)) return
            if (seen.size >= most) {
              isFull = true
              return
            }
            seen.add(page.id)
            queue.push(page)
          }
          const enqueueDatabase = Effect.fnUntraced(function* (id: string) {
            const { value, reason } = yield* ask(organizationId, (session) => pages.ofDatabase(session, id, most + 1))
            for (const head of value ?? []) enqueue({ id: head.id, title: head.title, head })
            return value === undefined ? reason : undefined
          })
          const enqueueInner = Effect.fnUntraced(function* ({ kind, id, title }: InnerNotion) {
            if (kind === "page") return enqueue({ id, title })
            const why = yield* enqueueDatabase(id)
            if (why !== undefined) yield* take({ skipped: { what: title, why } }, done, seen.size)
          })

          const { value: page } = yield* ask(organizationId, (session) => pages.find(session, root))
          if (page !== undefined) enqueue({ id: root, title: page.title, head: page })
          else {
            const why = yield* enqueueDatabase(root)
            if (why !== undefined) return yield* unavailable(why)
          }
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const { id, title, head } = next
            const { value, reason } = yield* ask(organizationId, (session) => pages.read(session, id))
            done++
            if (value === undefined) {
              yield* take({ skipped: { what: title, why: reason } }, done, seen.size)
              continue
            }
            for (const inner of value.inner) yield* enqueueInner(inner)
            const markdown = [...(head?.values ?? []), value.markdown].join("\n\n").trim()
            const url = head?.url ?? `https://www.notion.so/${id.replaceAll("-", "")}`
            yield* take({ page: { title, url, markdown, isCut: value.isCut } }, done, seen.size)
          }
          if (isFull)
            yield* take(
              { skipped: { what: "More pages", why: `A source has at most ${most} pages.` } },
              done,
              seen.size
            )
        })
      })
    })
  )

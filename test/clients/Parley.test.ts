/** The TypeScript client against the real service. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  ConflictError,
  ConnectionError,
  type Event,
  type EventGap,
  ForbiddenError,
  NotFoundError,
  Parley,
  ServerError,
  TimedOutError,
  TooManyRequestsError,
  UnauthorizedError
} from "../../clients/typescript/src/index.ts"
import { Contacts } from "../../src/domain/people/contacts/Contact.ts"
import { comesAbout } from "../support/eventually.ts"
import { type HttpProxy, httpProxy } from "../support/httpProxy.ts"
import { pdf } from "../support/mediaSamples.ts"
import { type Messaging, startMessagingWith } from "../support/messaging.ts"

interface Given {
  readonly client: Parley
  readonly proxy: HttpProxy
  readonly messaging: Messaging
}

const story = (name: string, tell: (given: Given) => Promise<void>, requestsPerMinute?: number) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const messaging = yield* startMessagingWith(requestsPerMinute === undefined ? {} : { requestsPerMinute })
      const proxy = yield* httpProxy(messaging.base)
      const client = new Parley({ apiKey: messaging.key, baseUrl: proxy.url })
      yield* Effect.promise(() => tell({ client, proxy, messaging }))
    }).pipe(Effect.scoped)
  )

/** What a promise is rejected with. */
const failure = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (cause) {
    return cause
  }
  throw new Error("it was not rejected")
}

const phone = (number: number) => `+1415555${String(number).padStart(4, "0")}`

const many = ({ run, organizationId }: Messaging, count: number) =>
  run(
    Effect.flatMap(Contacts, (contacts) =>
      Effect.forEach(
        Array.from({ length: count }, (_, at) => at),
        (at) => contacts.create(organizationId, { phone: phone(at), name: `Guest ${at}` }, "key"),
        { concurrency: 10 }
      )
    )
  )

describe("the TypeScript client", () => {
  story("creates, reads, changes and lists records", async ({ client }) => {
    const made = await client.contacts.create({ phone: "+1 415 555 0101", name: "Asha Rao", tags: ["vip"] })
    assert.strictEqual(made.phone, "+14155550101")
    assert.deepStrictEqual(await client.contacts.get(made.id), made)
    const changed = await client.contacts.update(made.id, { name: "Asha" })
    assert.strictEqual(changed.name, "Asha")
    const found = await client.contacts.list({ search: "Ash", tag: "vip", archived: false, limit: 5 })
    assert.deepStrictEqual(found, { data: [changed], page: 1, limit: 5, total: 1, nextCursor: null })
    assert.strictEqual((await client.contacts.create({ phone: made.phone as string }, { upsert: true })).id, made.id)
    assert.strictEqual((await client.contacts.erase(made.id)).erased, true)
  })

  story("fails with the service's sentence, the status and the id of the request", async ({ client, messaging }) => {
    const unknown = await failure(client.contacts.get("cnt_unknown"))
    assert.instanceOf(unknown, NotFoundError)
    assert.strictEqual(unknown.status, 404)
    assert.match(unknown.message, /contact/i)
    assert.match(unknown.requestId ?? "", /\S/)
    assert.strictEqual(unknown.operation, "contacts.get")
    const { id } = await client.contacts.create({ phone: "+14155550101" })
    const known = await failure(client.contacts.create({ phone: "+14155550101" }))
    assert.instanceOf(known, ConflictError)
    assert.strictEqual(known.existingId, id)
    assert.instanceOf(await failure(client.apiKeys.list()), ForbiddenError)
    const stranger = new Parley({ apiKey: "mk_wrong", baseUrl: messaging.base })
    assert.instanceOf(await failure(stranger.status.get()), UnauthorizedError)
    assert.throws(() => client.contacts.get(""), /id must be a text/)
  })

  story("does once what it asks again after the answer was lost", async ({ client, proxy }) => {
    proxy.next("lose", "lose")
    const made = await client.quickReplies.create({ shortcut: "hi", text: "Hello" })
    assert.strictEqual(proxy.seen.length, 3)
    const keys = proxy.seen.map(({ headers }) => headers["idempotency-key"])
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
    assert.deepStrictEqual(keys, [keys[0], keys[0], keys[0]])
    assert.deepStrictEqual((await client.quickReplies.list()).data, [made])
    // An answer that breaks off in the middle of its body is lost, too.
    const asked = proxy.seen.length
    proxy.next("tear")
    assert.deepStrictEqual((await client.quickReplies.list()).data, [made])
    assert.strictEqual(proxy.seen.length, asked + 2)
    // Another request has another key.
    await client.quickReplies.create({ shortcut: "bye", text: "Goodbye" })
    assert.notStrictEqual(proxy.seen.at(-1)?.headers["idempotency-key"], keys[0])
  })

  story("gives up after the retries, and says with which key to go on", async ({ client, proxy }) => {
    proxy.next("lose", "lose")
    const lost = await failure(client.quickReplies.create({ shortcut: "hi", text: "Hello" }, { retries: 1 }))
    assert.instanceOf(lost, ConnectionError)
    assert.strictEqual(lost.attempts, 2)
    const again = await client.quickReplies.create(
      { shortcut: "hi", text: "Hello" },
      { idempotencyKey: lost.idempotencyKey }
    )
    assert.deepStrictEqual((await client.quickReplies.list()).data, [again])
  })

  story("sends a change without a key once only", async ({ client, proxy }) => {
    const { id } = await client.contacts.create({ phone: "+14155550101" })
    proxy.next("lose")
    assert.instanceOf(await failure(client.contacts.update(id, { name: "Asha" })), ConnectionError)
    assert.strictEqual(proxy.seen.filter(({ method }) => method === "PATCH").length, 1)
    assert.strictEqual((await client.contacts.get(id)).name, "Asha")
    proxy.next("lose")
    assert.strictEqual((await client.contacts.update(id, { name: "Ravi" }, { repeatable: true })).name, "Ravi")
  })

  story("waits as long as Retry-After says, also before a change without a key", async ({ client, proxy }) => {
    const { id } = await client.contacts.create({ phone: "+14155550101" })
    const full = { status: 429, headers: { "retry-after": "1" }, body: '{"error":"Too many requests."}' }
    proxy.next(full)
    const begun = Date.now()
    await client.contacts.update(id, { name: "Asha" })
    assert.isAtLeast(Date.now() - begun, 1_000)
    assert.strictEqual(proxy.seen.length, 3)
    proxy.next({ status: 500 }, { status: 503, headers: { "retry-after": "0" } })
    assert.strictEqual((await client.contacts.get(id)).name, "Asha")
    proxy.next({ status: 500, body: '{"error":"Something went wrong."}' })
    const failed = await failure(client.contacts.update(id, { name: "A" }))
    assert.instanceOf(failed, ServerError)
    assert.strictEqual(failed.message, "Something went wrong.")
  })

  story(
    "says when to come back if that is too long to wait",
    async ({ client, messaging }) => {
      const hasty = new Parley({ apiKey: messaging.key, baseUrl: messaging.base, longestWaitMs: 100 })
      await client.status.get()
      await client.status.get()
      const full = await failure(hasty.status.get())
      assert.instanceOf(full, TooManyRequestsError)
      assert.isAtLeast(full.retryAfterSeconds ?? 0, 1)
      assert.strictEqual(full.attempts, 1)
    },
    2
  )

  story("gives up an attempt that takes too long, and stops when it is told to", async ({ client, proxy }) => {
    proxy.next("silence", "silence")
    const late = await failure(client.status.get({ timeoutMs: 100, retries: 1 }))
    assert.instanceOf(late, TimedOutError)
    assert.strictEqual(late.message, "There was no answer within 0.1 seconds.")
    const stop = new AbortController()
    proxy.next("silence")
    const stopped = failure(client.status.get({ signal: stop.signal }))
    setTimeout(() => stop.abort(new Error("enough")), 50)
    assert.strictEqual(((await stopped) as Error).message, "enough")
    // In the wait between two attempts, too.
    proxy.next({ status: 503, headers: { "retry-after": "30" } })
    const waiting = failure(client.status.get({ signal: AbortSignal.timeout(100) }))
    assert.strictEqual(((await waiting) as Error).name, "TimeoutError")
  })

  story("reads all of a list, by cursors and by pages", async ({ client, proxy, messaging }) => {
    await many(messaging, 250)
    const all = new Map<string, string | null>()
    for await (const { id, name } of client.contacts.list({ limit: 100 })) all.set(id, name)
    assert.strictEqual(all.size, 250)
    assert.strictEqual(proxy.seen.length, 3)
    const sizes: Array<number> = []
    for await (const { data, total } of client.contacts.list({ limit: 100, page: 2 }).pages()) {
      sizes.push(data.length)
      assert.strictEqual(total, 250)
    }
    assert.deepStrictEqual(sizes, [100, 50])
    const begun = proxy.seen.length
    for await (const contact of client.contacts.list({ limit: 10 })) if (all.has(contact.id)) break
    assert.strictEqual(proxy.seen.length, begun + 1)
  })

  story("sends and receives files", async ({ client, proxy }) => {
    const content = new Uint8Array(pdf())
    const sent = await client.media.upload({ file: new File([content], "price list.pdf") })
    assert.deepInclude(sent, { kind: "document", filename: "price list.pdf", sizeBytes: content.length })
    proxy.next("lose")
    const streamed = await client.media.upload({ file: new Blob([content]).stream() })
    assert.strictEqual(streamed.mediaId, sent.mediaId)
    const file = await client.media.download(sent.mediaId)
    assert.deepInclude(file, { contentType: "application/pdf", sizeBytes: content.length, filename: "price list.pdf" })
    assert.deepStrictEqual(await file.bytes(), content)
    const again = await client.media.download(sent.mediaId)
    let bytes = 0
    for await (const chunk of again.stream) bytes += chunk.length
    assert.strictEqual(bytes, content.length)
    const { url } = await client.media.link(sent.mediaId, { minutes: 5 })
    assert.match(url, new RegExp(`/api/media/${sent.mediaId}/file`))
  })

  story("follows what happens, and goes on where it was after a break", async ({ client, proxy, messaging }) => {
    const stop = new AbortController()
    const got: Array<Event | EventGap> = []
    const following = (async () => {
      for await (const event of client.events.stream({ types: "contact.*" }, { signal: stop.signal })) got.push(event)
    })()
    const made: Array<unknown> = []
    const make = async () => {
      made.push((await messaging.call("POST", "/contacts", { phone: phone(made.length) })).body.id)
    }
    // The stream begins when it is open, and nobody says when that is.
    await comesAbout("the first event", async () => {
      if (got.length === 0) await make()
      return got.length > 0
    })
    const contacts = () => got.flatMap((event) => (event.type === "contact.created" ? [event.data.contact.id] : []))
    await comesAbout("all so far", () => contacts().at(-1) === made.at(-1))
    const last = got.at(-1)
    proxy.cut()
    await make()
    await comesAbout("what happened during the break", () => contacts().at(-1) === made.at(-1))
    stop.abort(new Error("enough"))
    assert.strictEqual(((await failure(following)) as Error).message, "enough")
    assert.deepStrictEqual(contacts(), made.slice(-contacts().length))
    assert.strictEqual(got.length, contacts().length)
    assert.strictEqual(
      proxy.seen.at(-1)?.headers["last-event-id"],
      last !== undefined && "id" in last ? last.id : "none"
    )
  })

  story(
    "says that events may be missing when the stream broke off before its first one",
    async ({ proxy, messaging }) => {
      let opened = 0
      const client = new Parley({ apiKey: messaging.key, baseUrl: proxy.url, onAnswer: () => void opened++ })
      const stop = new AbortController()
      const got: Array<Event | EventGap> = []
      const following = (async () => {
        for await (const event of client.events.stream({}, { signal: stop.signal })) got.push(event)
      })()
      await comesAbout("the stream is open", () => opened === 1)
      proxy.cut()
      await comesAbout("the gap", () => got.length === 1)
      stop.abort(new Error("enough"))
      await failure(following)
      assert.strictEqual(got[0].type, "gap")
    }
  )

  story(
    "ends the stream with an error when its key may not read, or not any more",
    async ({ client, proxy, messaging }) => {
      const read = async (by: Parley) => {
        for await (const event of by.events.stream({}, { silenceMs: 200 })) if (event.type !== "gap") return event
      }
      const stranger = new Parley({ apiKey: `${messaging.key}x`, baseUrl: messaging.base })
      assert.instanceOf(await failure(read(stranger)), UnauthorizedError)
      // A stream without any sign of life is opened again.
      const end = 'event: end\ndata: {"message":"The key is not valid any more."}\n\n'
      proxy.next("pass", { status: 503 }, { status: 200, headers: { "content-type": "text/event-stream" }, body: end })
      const ended = await failure(read(client))
      assert.instanceOf(ended, UnauthorizedError)
      assert.strictEqual(ended.message, "The key is not valid any more.")
      assert.strictEqual(proxy.seen.length, 3)
    }
  )

  story("tells what is no answer of the service from what is", async ({ client, proxy, messaging }) => {
    proxy.next({ status: 200, body: "<html>Welcome</html>" })
    const page = await failure(client.status.get())
    assert.strictEqual((page as Error).message, "The answer is not JSON: does baseUrl lead to the service?")
    proxy.next({ status: 502, body: "<html>Bad gateway</html>" })
    const gateway = await failure(client.status.get({ retries: 0 }))
    assert.instanceOf(gateway, ServerError)
    assert.strictEqual(gateway.message, "The request was answered with status 502.")
    const answers: Array<string> = []
    const told = new Parley({
      apiKey: messaging.key,
      baseUrl: `${messaging.base}/`,
      onAnswer: ({ operation, status, attempt, requestId }) => {
        answers.push(`${operation} ${status} ${attempt} ${typeof requestId}`)
        if (operation === "messages.list") throw new Error("of the caller")
      }
    })
    await told.status.get()
    assert.deepStrictEqual(answers, ["status.get 200 1 string"])
    // A mistake of the caller is not taken for a lost answer.
    assert.strictEqual(((await failure(told.messages.list())) as Error).message, "of the caller")
    assert.strictEqual(answers.length, 2)
  })

  story("reads all of a list that has no cursors", async ({ messaging }) => {
    const { secret } = await messaging.run(messaging.keyOf(messaging.organizationId, ["admin"]))
    const admin = new Parley({ apiKey: secret, baseUrl: messaging.base })
    for (const name of ["a", "b", "c"])
      await admin.webhooks.create({ url: `https://example.com/${name}`, description: name })
    const found: Array<string> = []
    for await (const { description } of admin.webhooks.list({ limit: 2 })) found.push(description)
    assert.deepStrictEqual(found.toSorted(), ["a", "b", "c"])
  })

  story("serves a person who is signed in, with the session's token for changes", async ({ messaging }) => {
    const { secret } = await messaging.run(messaging.keyOf(messaging.organizationId, ["admin"]))
    const admin = new Parley({ apiKey: secret, baseUrl: messaging.base })
    const [email, password] = ["ravi@example.com", "correct horse battery"]
    await admin.users.create({ email, name: "Ravi Iyer", role: "ADMIN", password })
    // What a browser does with cookies.
    let cookie = ""
    const browser: typeof fetch = async (url, init) => {
      const response = await fetch(url, { ...init, headers: { ...(init?.headers as object), cookie } })
      cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie
      return response
    }
    let csrfToken: string | undefined
    const page = new Parley({ baseUrl: messaging.base, fetch: browser, csrfToken: () => csrfToken })
    const session = await page.session.start({ email, password })
    assert.strictEqual((await page.session.get()).user.name, "Ravi Iyer")
    assert.instanceOf(await failure(page.contacts.create({ phone: "+14155550101" })), ForbiddenError)
    csrfToken = session.csrfToken
    assert.strictEqual((await page.contacts.create({ phone: "+14155550101" })).phone, "+14155550101")
  })
})

/**
 * Messages that are being sent, in IndexedDB: the key is made when a person presses send and lies with the text, so that a reload, a second tab or a lost
 * answer repeat the same `Idempotency-Key`. Messages of one conversation go one after the other.
 */
import { AnswerError, ConnectionError, type NewMessage } from "@parley/client"
import { useSyncExternalStore } from "react"
import { newKey } from "../lib/newKey.ts"
import { sentenceOf } from "../lib/sentence.ts"
import { parley } from "./client.ts"
import type { Outgoing } from "./outgoing.ts"

/** What waited longer while the browser was offline asks first. */
const askAfterMs = 10 * 60_000

const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("parley.outbox")
let entries: ReadonlyArray<Outgoing> = []
const listeners = new Set<() => void>()

const publish = (next: ReadonlyArray<Outgoing>) => {
  entries = next
  for (const listener of listeners) listener()
}

let opening: Promise<IDBDatabase> | undefined

const database = (): Promise<IDBDatabase> => {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("parley", 1)
    request.onupgradeneeded = () => request.result.createObjectStore("outbox", { keyPath: "key" })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opening
}

const run = async <A>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<A>): Promise<A> => {
  const store = (await database()).transaction("outbox", mode).objectStore("outbox")
  const request = work(store)
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

const reload = async () => {
  const all = await run("readonly", (store) => store.getAll() as IDBRequest<Array<Outgoing>>)
  publish(all.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)))
}

const changed = async () => {
  await reload()
  channel?.postMessage("changed")
}

const store = async (entry: Outgoing) => {
  await run("readwrite", (all) => all.put(entry))
  await changed()
}

const remove = async (key: string) => {
  await run("readwrite", (all) => all.delete(key))
  await changed()
}

let whenSent: (messageId: string) => Promise<void> = async () => undefined

/** What is done with each message that the service has stored, before its entry goes: it is put into its thread, so that it does not vanish meanwhile. */
export const onSent = (handler: (messageId: string) => Promise<void>): void => {
  whenSent = handler
}

/** Sends one entry; true when the next one may go. */
const sendOne = async (entry: Outgoing): Promise<boolean> => {
  if (entry.state === "waiting" && Date.now() - Date.parse(entry.createdAt) > askAfterMs) {
    await store({ ...entry, state: "ask" })
    return false
  }
  await store({ ...entry, state: "sending" })
  try {
    const { messageId } = await parley.messages.send(entry.body, { idempotencyKey: entry.key, retries: 1 })
    // The event brings it too: without the answer here it only comes a moment later.
    await whenSent(messageId).catch(() => undefined)
    await remove(entry.key)
    return true
  } catch (cause) {
    const passing =
      cause instanceof ConnectionError ||
      (cause instanceof AnswerError && (cause.status === 401 || cause.status >= 500))
    if (passing) await store({ ...entry, state: "waiting" })
    else await store({ ...entry, state: "failed", reason: sentenceOf(cause) })
    return false
  }
}

/** Works the outbox off, one conversation after the other in order. One tab at a time does it. */
const work = async () => {
  await reload()
  const waiting = () =>
    entries.find(({ state, conversationId }) => state !== "failed" && state !== "ask" && !stuck.has(conversationId))
  const stuck = new Set(entries.filter(({ state }) => state === "ask").map(({ conversationId }) => conversationId))
  for (let entry = waiting(); entry !== undefined; entry = waiting()) {
    const went = await sendOne(entry)
    if (!went) stuck.add(entry.conversationId)
  }
}

let retry: ReturnType<typeof setTimeout> | undefined

/** Sends what waits. Called when something is put in, when the browser is online again, and after a while. */
export const workOff = (): void => {
  clearTimeout(retry)
  const done = () => {
    if (entries.some(({ state }) => state === "waiting")) retry = setTimeout(workOff, 5_000)
  }
  const locked = "locks" in navigator ? navigator.locks.request("parley.outbox", work) : work()
  void Promise.resolve(locked).then(done, done)
}

export const enqueue = async (conversationId: string, body: NewMessage): Promise<void> => {
  await store({ key: newKey(), conversationId, body, createdAt: new Date().toISOString(), state: "waiting" })
  workOff()
}

/** Tries a message again that failed or asked. It goes with its own key: should it have arrived after all, it is not sent twice. */
export const tryAgain = async (entry: Outgoing): Promise<void> => {
  const { reason: _, ...rest } = entry
  // An answer is remembered with the key, also a refusal: what was refused needs a new one.
  const key = entry.state === "failed" ? newKey() : entry.key
  await run("readwrite", (all) => all.delete(entry.key))
  await store({ ...rest, key, createdAt: new Date().toISOString(), state: "waiting" })
  workOff()
}

export const discard = (entry: Outgoing): Promise<void> => remove(entry.key)

export const clearOutbox = async (): Promise<void> => {
  await run("readwrite", (all) => all.clear() as IDBRequest<undefined>)
  await changed()
}

/** Begins: shows what a page before has left, and sends it. */
export const startOutbox = (): void => {
  channel?.addEventListener("message", () => void reload())
  addEventListener("online", workOff)
  workOff()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useOutbox = (): ReadonlyArray<Outgoing> => useSyncExternalStore(subscribe, () => entries)

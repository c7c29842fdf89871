/**
 * An inbox that stays open while much happens: 10 events a second, which the page's own client reads. The clock of the page tells that the time passes; nobody
 * waits for it.
 */
import type { Conversation, Message } from "@parley/client"
import type { BrowserContext, Page } from "playwright-core"
import { type FedEvent, feed } from "./FedStream.ts"
import { pageMemory } from "./PageMemory.ts"
import { settled } from "./Seats.ts"

const MB = 1_024 * 1_024
const perSecond = 10
/** So many seconds pass at once. */
const step = 5
/** That many contacts write, each again and again. */
const contacts = 3_000

const idOf = (prefix: string, n: number) => `${prefix}_${n.toString(16).toUpperCase().padStart(26, "0")}`

/** What happens in one second: four messages of contacts, one of them delivered by us; the open conversation has one a minute. */
const happening = (
  second: number,
  at: number,
  conversation: Conversation,
  message: Message
): ReadonlyArray<FedEvent> => {
  const createdAt = new Date(at).toISOString()
  let serial = second * perSecond
  const event = (type: string, data: object): FedEvent => ({ id: idOf("evt", ++serial), type, createdAt, data })
  const written = (n: number) => {
    const isOpen = n === 0 && second % 60 === 0
    const who = (second * 7 + n * 751) % contacts
    const contact = { ...conversation.contact, id: idOf("cnt", who), name: `Contact ${who}` }
    const id = isOpen ? conversation.id : idOf("cnv", who)
    const said: Message = {
      ...message,
      id: idOf("msg", second * perSecond + n),
      conversationId: id,
      contactId: isOpen ? conversation.contact.id : contact.id,
      content: { text: `Message ${n} of second ${second}: is my order ready, and when may I come?` },
      createdAt
    } as Message
    const record: Conversation = {
      ...conversation,
      id,
      ...(isOpen ? {} : { contact }),
      unreadCount: 1,
      lastMessage: said,
      lastActivityAt: createdAt,
      updatedAt: createdAt
    }
    return [event("message.received", { message: said }), event("conversation.updated", { conversation: record })]
  }
  const call = { id: idOf("call", Math.floor(second / 10)), contactId: null, startedAt: createdAt, createdAt }
  const more =
    second % 10 === 0
      ? event("call.started", { call })
      : second % 10 === 5
        ? event("call.ended", { call: { ...call, endedAt: createdAt } })
        : event("contact.updated", { contact: { ...conversation.contact, id: idOf("cnt", second % contacts) } })
  const presence: FedEvent = {
    type: "conversation.presence",
    createdAt,
    data: {
      conversation: { id: idOf("cnv", second % contacts) },
      person: { id: idOf("usr", second % 20), name: "Ben" },
      state: "viewing",
      until: new Date(at + 20_000).toISOString()
    }
  }
  return [...[0, 1, 2, 3].flatMap(written), more, presence]
}

export interface BusyTime {
  readonly seconds: number
  /** That is open in the inbox, with its last message. */
  readonly conversation: Conversation
  readonly message: Message
  /** Told now and then how many seconds have passed. */
  readonly say?: (second: number) => void
}

export interface BusyReport {
  /** By how much the memory of scripts has grown, MB: at the end, and after each tenth of the time. */
  readonly grownMb: number
  readonly grownMbByTenth: ReadonlyArray<number>
  readonly nodes: number
  /** Requests to the interface, by their path without ids. */
  readonly requests: Readonly<Record<string, number>>
}

/** Plays it in a page of a signed-in person, whose context has the script `fedStream`. The page's clock stands still afterwards. */
export const playBusyTime = async (
  context: BrowserContext,
  page: Page,
  { seconds, conversation, message, say }: BusyTime
): Promise<BusyReport> => {
  await context.clock.install()
  await page.goto(`/inbox?c=${conversation.id}`)
  await settled(page)
  await page.locator('[role=log] [id^="msg_"]').first().waitFor()
  const memory = await pageMemory(context, page)
  await context.clock.pauseAt(Date.now() + 10_000)
  let at = (await page.evaluate("Date.now()")) as number
  const requests: Record<string, number> = {}
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname.replace(/\w+_[0-9a-zA-Z]{20,}/g, "…")
    requests[path] = (requests[path] ?? 0) + 1
  })
  const before = await memory()
  const grown: Array<number> = []
  for (let second = 0; second < seconds; second += step) {
    const events = Array.from({ length: step }, (_, n) => happening(second + n, at + n * 1_000, conversation, message))
    await feed(page, events.flat())
    await context.clock.runFor(step * 1_000)
    at += step * 1_000
    const passed = second + step
    if (passed >= ((grown.length + 1) * seconds) / 10) {
      grown.push(((await memory()).heap - before.heap) / MB)
      say?.(passed)
    }
  }
  const { nodes } = await memory()
  return { grownMb: grown.at(-1) ?? 0, grownMbByTenth: grown, nodes, requests }
}

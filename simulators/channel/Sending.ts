/** Takes the messages that the service sends: accepts or refuses them, or fails as planned. It keeps accepted messages and reports their statuses. */
import type { ServerResponse } from "node:http"
import { delay, sendJson } from "../support/Loopback.ts"
import type { ChannelFaults, SendFault } from "./Faults.ts"
import { refusal, refuse } from "./GraphErrors.ts"
import { type AcceptableMessage, readMessage } from "./Messages.ts"
import { newMessageId, type People, type Person, type ReportedStatus, type Written } from "./People.ts"

export interface SendingOptions {
  /** The statuses that are reported for each message, in this order; default: sent, delivered. */
  readonly statuses?: ReadonlyArray<ReportedStatus>
  /** Milliseconds between two statuses; default 5. */
  readonly statusEveryMs?: number
  /** Free text fails unless the person wrote within the last 24 hours. Default false. */
  readonly enforceWindow?: boolean
}

export interface SentMessage extends AcceptableMessage {
  readonly id: string
  readonly phoneNumberId: string
  /** Unix milliseconds. */
  readonly at: number
  /** The recipient was a user id in the place of a number: the message was accepted and is never delivered. */
  readonly dropped: boolean
}

const windowMs = 24 * 3_600_000

export const makeSending = (options: SendingOptions, faults: ChannelFaults, people: People, now: () => number) => {
  const sent: Array<SentMessage> = []
  const readReceipts: Array<string> = []
  const recent = new Map<string, Array<number>>()
  const lastWrote = new Map<string, number>()

  const throttled = (phoneNumberId: string): boolean => {
    if (faults.messagesPerSecond <= 0) return false
    const second = (recent.get(phoneNumberId) ?? []).filter((at) => at > now() - 1_000)
    recent.set(phoneNumberId, second)
    if (second.length >= faults.messagesPerSecond) return true
    second.push(now())
    return false
  }

  const tellOf = async (message: SentMessage, failure: { code: number; details?: string } | undefined) => {
    const every = options.statusEveryMs ?? 5
    if (message.dropped) return
    if (failure !== undefined) {
      await delay(every)
      return people.report(message.phoneNumberId, message, "failed", failure.code, failure.details)
    }
    const wanted = message.kind === "reaction" ? ["sent" as const] : (options.statuses ?? ["sent", "delivered"])
    for (const status of wanted) {
      await delay(every)
      people.report(message.phoneNumberId, message, status)
    }
  }

  const outsideWindow = (phoneNumberId: string, { kind, to }: AcceptableMessage) => {
    if (options.enforceWindow !== true || kind === "template") return false
    return (lastWrote.get(`${phoneNumberId}/${to.replace(/^\+/, "")}`) ?? 0) < now() - windowMs
  }

  const accept = (phoneNumberId: string, message: AcceptableMessage, fault: SendFault | undefined): SentMessage => {
    const dropped = !message.byUserId && /^[A-Z]{2}\./.test(message.to)
    const stored = { ...message, id: newMessageId(), phoneNumberId, at: now(), dropped }
    sent.push(stored)
    const late = fault?.kind === "fails later" ? fault : undefined
    void tellOf(stored, outsideWindow(phoneNumberId, message) ? { code: 131047 } : late)
    return stored
  }

  const answerOf = ({ id, to, byUserId, kind }: SentMessage) => ({
    messaging_product: "whatsapp",
    contacts: [byUserId ? { input: to, user_id: to } : { input: to, wa_id: to.replace(/\D/g, "") }],
    messages: [{ id, ...(kind === "template" ? { message_status: "accepted" } : {}) }]
  })

  const send = (phoneNumberId: string, document: unknown, response: ServerResponse) => {
    const given = document as { readonly status?: unknown; readonly message_id?: unknown }
    if (given?.status === "read") {
      readReceipts.push(String(given.message_id))
      return sendJson(response, 200, { success: true })
    }
    const message = readMessage(document)
    if ("code" in message) return refuse(response, message)
    if (throttled(phoneNumberId)) return refuse(response, { ...refusal(130429), retryAfter: 1 })
    const fault = faults.nextSends.shift() ?? faults.sendFault?.(message)
    switch (fault?.kind) {
      case "error":
        return refuse(response, {
          ...refusal(fault.code, fault.details),
          ...(fault.retryAfter === undefined ? {} : { retryAfter: fault.retryAfter })
        })
      case "status": {
        const headers = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) }
        return void response.writeHead(fault.status, { "content-type": "text/html", ...headers }).end("<html></html>")
      }
      case "hang":
        if (fault.accepted) accept(phoneNumberId, message, fault)
        return
      case "cut":
        if (fault.accepted) accept(phoneNumberId, message, fault)
        return void response.destroy()
      default:
        return sendJson(response, 200, answerOf(accept(phoneNumberId, message, fault)))
    }
  }

  /** A person writes, which opens the 24-hour window. */
  const write = (phoneNumberId: string, person: Person, ...messages: ReadonlyArray<Written>) => {
    lastWrote.set(`${phoneNumberId}/${person.waId ?? person.userId}`, now())
    return people.write(phoneNumberId, person, ...messages)
  }

  return { sent, readReceipts, send, write }
}

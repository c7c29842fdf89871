/**
 * The WhatsApp Cloud API on loopback: messages, files, templates, numbers and subscriptions over the vendor's own protocol, and its signed webhooks.
 * It counts accepted messages, also when the answer is lost.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { delay, listen, onlyConnecting, readBytes, sendJson } from "../support/Loopback.ts"
import { readMultipart } from "../support/Multipart.ts"
import { Accounts } from "./Accounts.ts"
import { type ChannelFaults, channelFaults } from "./Faults.ts"
import { noSuchObject, refusal, refuse } from "./GraphErrors.ts"
import { MediaShelf } from "./MediaShelf.ts"
import { People } from "./People.ts"
import { makeSending, type SendingOptions } from "./Sending.ts"
import { Webhooks } from "./Webhooks.ts"

export interface CloudApiOptions extends SendingOptions {
  readonly port?: number
  /** First pause before a webhook is sent again, in milliseconds; default 50. */
  readonly webhookRetryMs?: number
}

export const start = async (options: CloudApiOptions = {}) => {
  const clock = { offsetMs: 0 }
  const now = () => Date.now() + clock.offsetMs
  const faults: ChannelFaults = channelFaults()
  const accounts = new Accounts()
  const media = new MediaShelf(now)
  const webhooks = new Webhooks(options.webhookRetryMs ?? 50)
  const people = new People(accounts, webhooks, media, now)
  const sending = makeSending(options, faults, people, now)
  const stats = { requests: 0, uploads: 0, downloads: 0 }

  const upload = (phoneNumberId: string, request: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const parts = readMultipart(request.headers["content-type"] ?? "", body)
    const field = (name: string) => parts?.find((part) => part.name === name)
    const file = field("file")
    if (file === undefined) return refuse(response, refusal(100, "The parameter file is required."))
    if (field("messaging_product")?.bytes.toString() !== "whatsapp")
      return refuse(response, refusal(100, "The parameter messaging_product is required."))
    const problem = MediaShelf.problem(file.contentType, file.bytes)
    if (problem !== undefined) return refuse(response, problem)
    stats.uploads++
    const { id } = media.add(phoneNumberId, file.contentType, file.bytes, {
      ...(file.filename === undefined ? {} : { filename: file.filename })
    })
    sendJson(response, 200, { id })
  }

  const download = async (url: URL, token: string, response: ServerResponse) => {
    const file = media.at(url.searchParams.get("ext") ?? "")
    if (faults.mediaDelayMs > 0) await delay(faults.mediaDelayMs)
    if (!accounts.knowsToken(token)) return void response.writeHead(401).end()
    if (file === undefined) return void response.writeHead(404).end()
    stats.downloads++
    response.writeHead(200, { "content-type": file.mimeType, "content-length": file.bytes.length }).end(file.bytes)
  }

  const templatePage = (accountId: string, query: URLSearchParams, path: string) => {
    const all = (accounts.templates.get(accountId) ?? []).filter((one) =>
      ["name", "language", "status", "category"].every((field) => {
        const wanted = query.get(field)
        return wanted === null || Reflect.get(one, field) === wanted
      })
    )
    const limit = Math.min(Number(query.get("limit") ?? 25), 1_000)
    const from = Number(Buffer.from(query.get("after") ?? "", "base64url").toString() || 0)
    const to = Math.min(from + limit, all.length)
    const cursor = (at: number) => Buffer.from(String(at)).toString("base64url")
    const next = new URLSearchParams(query)
    next.set("after", cursor(to))
    return {
      data: all.slice(from, to),
      paging: {
        cursors: { before: cursor(from), after: cursor(to) },
        ...(to < all.length ? { next: `${server.url}${path}?${next}` } : {})
      }
    }
  }

  const object = (id: string, method: string, token: string, response: ServerResponse) => {
    const number = accounts.number(id, token)
    if (number !== undefined && method === "GET")
      return sendJson(response, 200, {
        id,
        display_phone_number: number.displayPhoneNumber,
        verified_name: number.verifiedName,
        quality_rating: "GREEN"
      })
    const file = media.find(id)
    if (file === undefined) return refuse(response, noSuchObject(id))
    if (method === "DELETE") {
      media.files.delete(id)
      return sendJson(response, 200, { success: true })
    }
    sendJson(response, 200, {
      messaging_product: "whatsapp",
      url: `${server.url}${media.address(id)}`,
      mime_type: file.mimeType,
      sha256: MediaShelf.sha256(file.bytes),
      file_size: String(file.bytes.length),
      id
    })
  }

  const edge = async ([id, name]: readonly [string, string], { request, url, token, response }: Asked) => {
    const { method = "GET" } = request
    const body = await readBytes(request)
    const number = accounts.number(id, token)
    const account = accounts.ofAccount(id, token)
    switch (`${method} ${name}`) {
      case "POST messages":
        return number === undefined ? refuse(response, noSuchObject(id)) : sending.send(id, jsonOf(body), response)
      case "POST media":
        return number === undefined ? refuse(response, noSuchObject(id)) : upload(id, request, body, response)
      case "POST subscribed_apps":
        if (account === undefined) return refuse(response, noSuchObject(id))
        accounts.subscribed.add(id)
        return sendJson(response, 200, { success: true })
      case "DELETE subscribed_apps":
        if (account === undefined) return refuse(response, noSuchObject(id))
        accounts.subscribed.delete(id)
        return sendJson(response, 200, { success: true })
      case "GET phone_numbers":
        if (account === undefined) return refuse(response, noSuchObject(id))
        return sendJson(response, 200, {
          data: [...accounts.numbers.values()]
            .filter(({ accountId }) => accountId === id)
            .map((one) => ({ id: one.phoneNumberId, display_phone_number: one.displayPhoneNumber }))
        })
      case "GET message_templates":
        return account === undefined
          ? refuse(response, noSuchObject(id))
          : sendJson(response, 200, templatePage(id, url.searchParams, url.pathname))
      default:
        return refuse(response, { status: 400, code: 2500, message: `Unknown path components: /${name}` })
    }
  }

  const server = await listen(async (request, response) => {
    if (onlyConnecting(request, response)) return
    stats.requests++
    if (faults.latencyMs > 0) await delay(faults.latencyMs)
    const url = new URL(request.url ?? "/", "http://channel")
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? ""
    const isMessage = url.pathname.endsWith("/messages")
    if (!isMessage && faults.failOthers > 0) {
      faults.failOthers--
      return refuse(response, { status: faults.otherStatus, code: 2, message: "planned failure" })
    }
    if (url.pathname === "/whatsapp_business/attachments/") return download(url, token, response)
    const [, id, name] = /^\/v\d+\.\d+\/(\d+)(?:\/([a-z_]+))?$/.exec(url.pathname) ?? []
    if (id === undefined) return refuse(response, { status: 404, code: 2500, message: "Unknown path components" })
    if (!accounts.knowsToken(token)) return refuse(response, refusal(190))
    const proof = url.searchParams.get("appsecret_proof")
    if (proof !== null && !accounts.proves(token, proof))
      return refuse(response, {
        status: 400,
        code: 100,
        message: "Invalid appsecret_proof provided in the API argument"
      })
    if (name !== undefined) return edge([id, name], { request, url, token, response })
    object(id, request.method ?? "GET", token, response)
  }, options.port)

  return {
    url: server.url,
    port: server.port,
    /** Moves the channel's clock, so that addresses and files expire. */
    clock,
    faults,
    accounts,
    media,
    webhooks,
    stats,
    /** All accepted messages, oldest first. */
    sent: sending.sent,
    readReceipts: sending.readReceipts,
    /** How often a message with this callback data was accepted. */
    timesSent: (callbackData: string): number => sending.sent.filter((one) => one.callbackData === callbackData).length,
    write: sending.write,
    writeFile: people.writeFile.bind(people),
    report: people.report.bind(people),
    tell: people.tell.bind(people),
    tellAccount: people.tellAccount.bind(people),
    close: async () => {
      webhooks.close()
      await server.close()
    }
  }
}

interface Asked {
  readonly request: IncomingMessage
  readonly url: URL
  readonly token: string
  readonly response: ServerResponse
}

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"))
  } catch {
    return undefined
  }
}

export type CloudApi = Awaited<ReturnType<typeof start>>

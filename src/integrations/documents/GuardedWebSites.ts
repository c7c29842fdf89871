/**
 * Fetches the pages of a web site that a customer names. Each address on the way, those of sitemaps and redirects too, must be on the public internet,
 * and robots.txt of its host must allow it to "Parley". Sizes, redirects and times are bounded.
 */
import { gunzipSync } from "node:zlib"
import { Effect, Layer } from "effect"
import { defaultTreeAdapter, parse } from "parse5"
import { PageUnavailable, type WebPage, WebSites } from "../../domain/ai/knowledge/Documents.ts"
import type { Skipped } from "../../domain/ai/knowledge/KnowledgeSource.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { type GuardedExchangeResult, guardedExchange } from "../web/GuardedExchange.ts"
import type { Lookup } from "../web/PublicNetwork.ts"
import { robotsAllow } from "./Robots.ts"

export interface WebSitesOptions {
  /** Lets pages be on loopback and private addresses: for demo and development. */
  readonly allowPrivateNetwork?: boolean
  /** How names are resolved when pages must be public. Default: `publicLookup`. */
  readonly lookup?: Lookup
}

const mostRedirects = 5
const mostSitemaps = 20
const longest = { robots: 512 * 1024, sitemap: 10 * 1024 * 1024, page: 5 * 1024 * 1024 }
const patience = "20 seconds"
const agent = "Parley"

const refused = (message: string) => new PageUnavailable({ message, temporary: false })

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)

const headers = {
  accept: "text/html, application/xhtml+xml, text/plain, text/markdown, application/pdf;q=0.8",
  "user-agent": "Parley/1.0 (knowledge)"
}

const addressOf = (text: string, base?: string): URL | undefined => {
  if (!URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  url.hash = ""
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url : undefined
}

/** The addresses in a sitemap, and those of further sitemaps. */
const locationsOf = (xml: string) => {
  const pages: Array<string> = []
  const sitemaps: Array<string> = []
  const stack: Array<ReturnType<typeof defaultTreeAdapter.getChildNodes>[number]> = [...parse(xml).childNodes]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!defaultTreeAdapter.isElementNode(next)) continue
    if (next.tagName === "loc") {
      const parent = next.parentNode !== null && "tagName" in next.parentNode ? next.parentNode.tagName : ""
      const text = next.childNodes
        .map((child) => (defaultTreeAdapter.isTextNode(child) ? child.value : ""))
        .join("")
        .trim()
      if (text !== "") (parent === "sitemap" ? sitemaps : pages).push(text)
    } else stack.push(...next.childNodes.toReversed())
  }
  return { pages, sitemaps }
}

const unpacked = (bytes: Buffer): Effect.Effect<Buffer, PageUnavailable> =>
  bytes[0] === 0x1f && bytes[1] === 0x8b
    ? Effect.try({
        try: () => gunzipSync(bytes, { maxOutputLength: longest.sitemap }),
        catch: () => refused("The sitemap is damaged, or unpacks to too much.")
      })
    : Effect.succeed(bytes)

export const layer = ({ allowPrivateNetwork = false, lookup }: WebSitesOptions = {}): Layer.Layer<WebSites> => {
  const once = (url: URL, maxBytes: number): Effect.Effect<GuardedExchangeResult, PageUnavailable> =>
    guardedExchange(url, {
      method: "GET",
      headers,
      allowPrivateNetwork,
      maxBytes,
      ...(lookup === undefined ? {} : { lookup })
    }).pipe(
      Effect.mapError((error) =>
        error._tag === "PrivateAddress"
          ? refused("The address is not on the public internet.")
          : new PageUnavailable({ message: "The server cannot be reached.", temporary: true })
      ),
      Effect.timeoutOrElse({
        duration: patience,
        orElse: () => new PageUnavailable({ message: `The server did not answer within ${patience}.`, temporary: true })
      })
    )

  /** Follows redirects; `allowed` is asked before each request. */
  const get = Effect.fnUntraced(function* (
    address: URL,
    maxBytes: number,
    allowed: (url: URL) => Effect.Effect<boolean, PageUnavailable>
  ) {
    let url = address
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      if (!(yield* allowed(url))) return yield* refused("robots.txt does not allow it.")
      const answer = yield* once(url, maxBytes)
      const { status, headers: told, cut } = answer
      if (isRedirect(status) && told.location !== undefined) {
        const next = addressOf(told.location, url.href)
        if (next === undefined) return yield* refused("It redirects to no web address.")
        url = next
        continue
      }
      if (status < 200 || status > 299)
        return yield* new PageUnavailable({
          message: `The server answered ${status}.`,
          temporary: status === 429 || status >= 500
        })
      if (cut) return yield* refused(`It is larger than ${maxBytes / 1024 / 1024} MB.`)
      return { ...answer, url }
    }
    return yield* refused(`It redirects more than ${mostRedirects} times.`)
  })

  /** Asks the robots.txt of a host once in a visit. A host without one allows everything; one that does not answer allows nothing (RFC 9309). */
  const makeRobots = () => {
    const known = new Map<string, string>()
    const rulesOf = (origin: string) =>
      get(new URL("/robots.txt", origin), longest.robots, () => Effect.succeed(true)).pipe(
        Effect.map(({ bytes }) => bytes.toString("utf8")),
        Effect.catchIf(
          (error) => error.message.startsWith("The server answered 4"),
          () => Effect.succeed("")
        ),
        Effect.tap((rules) => Effect.sync(() => known.set(origin, rules)))
      )
    return (url: URL) =>
      Effect.map(
        Effect.suspend(() => {
          const rules = known.get(url.origin)
          return rules === undefined ? rulesOf(url.origin) : Effect.succeed(rules)
        }),
        (rules) => robotsAllow(rules, agent, url.pathname + url.search)
      )
  }

  const visit = traced("WebSites.visit")(function* (
    { sitemap, urls = [] }: { readonly sitemap?: string; readonly urls?: ReadonlyArray<string> },
    most: number
  ) {
    const allowed = makeRobots()
    const found = new Set<string>()
    const skipped: Array<Skipped> = []
    const take = (text: string, base?: string) => {
      const url = addressOf(text, base)
      if (url === undefined) skipped.push({ what: text.slice(0, 2_000), why: "It is no web address." })
      else if (found.size < most) found.add(url.href)
      else if (!found.has(url.href)) skipped.push({ what: url.href, why: `A source has at most ${most} pages.` })
    }
    for (const url of urls) take(url)
    const open = sitemap === undefined ? [] : [sitemap]
    for (let read = 0; open.length > 0 && read < mostSitemaps; read++) {
      const next = addressOf(open.shift() ?? "")
      if (next === undefined) continue
      const fetched = get(next, longest.sitemap, allowed).pipe(
        Effect.flatMap(({ bytes }) => unpacked(bytes)),
        Effect.map((bytes) => locationsOf(bytes.toString("utf8")))
      )
      const { pages, sitemaps } = yield* read === 0
        ? Effect.mapError(
            fetched,
            ({ message, temporary }) =>
              new PageUnavailable({ message: `The sitemap cannot be read. ${message}`, temporary })
          )
        : Effect.catch(fetched, ({ message }) => {
            skipped.push({ what: next.href, why: message })
            return Effect.succeed({ pages: [], sitemaps: [] })
          })
      for (const page of pages) take(page, next.href)
      open.push(...sitemaps)
    }
    return {
      urls: [...found],
      skipped,
      read: (text: string): Effect.Effect<WebPage, PageUnavailable> =>
        Effect.map(get(new URL(text), longest.page, allowed), ({ url, bytes, headers: told }) => ({
          url: url.href,
          contentType: told["content-type"] ?? "",
          bytes
        }))
    }
  })

  return Layer.succeed(WebSites, { visit })
}

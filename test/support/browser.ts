/** A person's browser, as far as pages without scripts need one: it keeps cookies, follows redirects of its own server, and sends forms. */
import { createHash, randomBytes } from "node:crypto"

export interface Shown {
  readonly status: number
  /** The page; empty when the browser was sent elsewhere. */
  readonly text: string
  /** Where it was sent, outside of the server. */
  readonly gone: URL | undefined
  readonly headers: Headers
}

const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

/** The values of a page's hidden fields. */
export const hiddenFields = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name,
      unescaped(value)
    ])
  )

/** The values of the boxes that a page shows ticked and that can be unticked. */
export const tickedBoxes = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/type="checkbox" id="[^"]*" name="scope" value="([^"]*)" checked/g)].map(([, value]) => value)

export class Browser {
  readonly base: string
  readonly cookies = new Map<string, string>()

  constructor(base: string) {
    this.base = base
  }

  async #ask(url: string, init: RequestInit = {}): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { ...(cookie === "" ? {} : { cookie }), ...init.headers }
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === "") this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await response.text()
    const location = response.headers.get("location")
    if (location === null) return { status: response.status, text, gone: undefined, headers: response.headers }
    const next = new URL(location, url)
    if (next.href.startsWith(`${this.base}/`)) return this.#ask(next.href)
    return { status: response.status, text, gone: next, headers: response.headers }
  }

  open(url: string | URL): Promise<Shown> {
    return this.#ask(new URL(url, this.base).href)
  }

  /** Sends a form; a field of a list is sent once for each of its values. */
  send(path: string, fields: Readonly<Record<string, string | ReadonlyArray<string>>>): Promise<Shown> {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries(fields))
      for (const one of typeof value === "string" ? [value] : value) body.append(name, one)
    return this.#ask(this.base + path, {
      method: "POST",
      body: body.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" }
    })
  }

  /** Opens the address, and signs in on the page that comes. */
  async signIn(url: string | URL, email: string, password: string): Promise<Shown> {
    const page = await this.open(url)
    return this.send("/oauth/sign-in", { ...hiddenFields(page.text), email, password })
  }

  /** Decides on a consent page as it is. */
  decide(page: Shown, decision: string, scope: ReadonlyArray<string> = tickedBoxes(page.text)): Promise<Shown> {
    return this.send("/oauth/consent", { ...hiddenFields(page.text), decision, scope })
  }
}

/** A verifier, and its challenge. */
export const pkce = () => {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

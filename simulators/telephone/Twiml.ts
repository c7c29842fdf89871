/** Parses TwiML: enough XML for the provider's documents (elements, attributes, text, entities, comments, declaration). */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Element>
  /** Text directly inside, joined and trimmed. */
  readonly text: string
}

export class TwimlInvalid extends Error {
  override readonly name = "TwimlInvalid"
  constructor(why: string) {
    super(`12100: ${why}`)
  }
}

interface Open {
  readonly name: string
  readonly attributes: Record<string, string>
  readonly children: Array<Element>
  text: string
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const unescape = (text: string): string =>
  text.replace(/&(#x[0-9a-f]+|#\d+|\w+);|&/gi, (whole, body: string | undefined) => {
    if (body?.startsWith("#x")) return String.fromCodePoint(Number.parseInt(body.slice(2), 16))
    if (body?.startsWith("#")) return String.fromCodePoint(Number.parseInt(body.slice(1), 10))
    const known = body === undefined ? undefined : entities[body]
    if (known === undefined) throw new TwimlInvalid(`unknown entity ${whole}`)
    return known
  })

const token =
  /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<\/([A-Za-z][\w-]*)\s*>|<([A-Za-z][\w-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y
const attribute = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** The verbs of a document. Throws TwimlInvalid (the provider's error 12100) when it is not a `<Response>`. */
export const parseTwiml = (xml: string): ReadonlyArray<Element> => {
  if (Buffer.byteLength(xml) > 65_536) throw new TwimlInvalid("longer than 64 KB")
  const root: Open = { name: "", attributes: {}, children: [], text: "" }
  const stack = [root]
  token.lastIndex = 0
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const match = token.exec(xml)
    if (match === null) throw new TwimlInvalid(`not XML at character ${at}: ${xml.slice(at, at + 40)}`)
    const [, closing, opening, attributes, empty, text] = match
    const top = stack.at(-1)!
    if (text !== undefined) top.text += unescape(text)
    else if (opening !== undefined) {
      const element: Open = { name: opening, attributes: {}, children: [], text: "" }
      for (const [, name, double, single] of attributes.matchAll(attribute)) {
        element.attributes[name] = unescape(double ?? single)
      }
      top.children.push(element)
      if (empty === "") stack.push(element)
    } else if (closing !== undefined) {
      if (top.name !== closing) throw new TwimlInvalid(`</${closing}> closes <${top.name}>`)
      top.text = top.text.trim()
      stack.pop()
    }
  }
  if (stack.length !== 1) throw new TwimlInvalid(`<${stack.at(-1)!.name}> is not closed`)
  const [response] = root.children
  if (root.children.length !== 1 || response.name !== "Response" || root.text.trim() !== "") {
    throw new TwimlInvalid("the document is not one <Response>")
  }
  return response.children
}

export const child = (element: Element, name: string): Element | undefined =>
  element.children.find((candidate) => candidate.name === name)

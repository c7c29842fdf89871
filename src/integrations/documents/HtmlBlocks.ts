/** Reads HTML into blocks: paragraphs, list items and rows of tables, each under its headings. Menus, scripts and forms are left out. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from "parse5"
import type { Block } from "../../domain/ai/knowledge/Chunks.ts"
import type { ReadDocument } from "../../domain/ai/knowledge/Documents.ts"

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const { isElementNode, isTextNode } = defaultTreeAdapter

const leftOut = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "nav",
  "footer",
  "aside",
  "form",
  "button",
  "select",
  "svg",
  "iframe",
  "head",
  "dialog",
  "object"
])
/** Elements that end a line of text. */
const breaking = new Set(
  "address article blockquote body br caption dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " "
  )
)

const isHidden = ({ attrs }: Element) =>
  attrs.some(({ name, value }) => name === "hidden" || (name === "aria-hidden" && value === "true"))

/** All text of a node in one line. */
const textOf = (node: Node): string => {
  const parts: Array<string> = []
  const stack: Array<Node> = [node]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (isTextNode(next)) parts.push(next.value)
    else if ("childNodes" in next && !(isElementNode(next) && leftOut.has(next.tagName)))
      stack.push(...next.childNodes.toReversed())
    if (isElementNode(next) && breaking.has(next.tagName)) parts.push(" ")
  }
  return parts.join("").replace(/\s+/g, " ").trim()
}

const cellsOf = (row: Element): ReadonlyArray<{ readonly text: string; readonly isHead: boolean }> =>
  row.childNodes.filter(isElementNode).map((cell) => ({ text: textOf(cell), isHead: cell.tagName === "th" }))

/** Collects blocks while it walks through a document. A stack of its own: hostile pages are nested deeper than the call stack. */
class Collector {
  readonly blocks: Array<Block> = []
  title: string | null = null
  #headings: Array<{ readonly level: number; readonly text: string }> = []
  #line = ""
  #columns: ReadonlyArray<string> = []

  #flush() {
    const text = this.#line.replace(/\s+/g, " ").trim()
    this.#line = ""
    if (text !== "") this.#add(text)
  }

  #add(text: string) {
    this.blocks.push({ headings: this.#headings.map((heading) => heading.text), text })
  }

  #heading(level: number, element: Element) {
    const text = textOf(element).slice(0, 300)
    if (text === "") return
    this.#headings = [...this.#headings.filter((heading) => heading.level < level), { level, text }]
  }

  /** A row names its columns, so that it can be understood alone. */
  #row(element: Element) {
    const cells = cellsOf(element)
    if (cells.length > 0 && cells.every(({ isHead }) => isHead)) {
      this.#columns = cells.map(({ text }) => text)
      return
    }
    const texts = cells.map(({ text }, at) => {
      const column = this.#columns[at] ?? ""
      return text === "" || column === "" ? text : `${column}: ${text}`
    })
    const row = texts.filter((text) => text !== "").join("; ")
    if (row !== "") this.#add(row)
  }

  walk(root: Node) {
    const stack: Array<Node | "end"> = [root]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (next === "end") this.#flush()
      else if (isTextNode(next)) this.#line += next.value
      else if (!isElementNode(next)) {
        if ("childNodes" in next) stack.push(...next.childNodes.toReversed())
      } else this.#enter(next, stack)
    }
    this.#flush()
  }

  #enter(element: Element, stack: Array<Node | "end">) {
    const { tagName } = element
    if (tagName === "head") {
      const title = element.childNodes.filter(isElementNode).find((child) => child.tagName === "title")
      const text = title === undefined ? "" : textOf(title).slice(0, 300)
      if (text !== "") this.title = text
    }
    if (leftOut.has(tagName) || isHidden(element)) return
    if (breaking.has(tagName)) this.#flush()
    if (tagName === "table") this.#columns = []
    if (tagName === "tr") return this.#row(element)
    const level = /^h([1-6])$/.exec(tagName)
    if (level !== null) return this.#heading(Number(level[1]), element)
    if (breaking.has(tagName)) stack.push("end")
    stack.push(...element.childNodes.toReversed())
  }
}

export const htmlDocument = (html: string): ReadDocument => {
  const collector = new Collector()
  collector.walk(parse(html))
  return { title: collector.title, blocks: collector.blocks }
}

/** Reads a PDF into blocks. A PDF has no headings and paragraphs, only lines at places: large lines are headings, gaps between lines end paragraphs. */
import { getDocumentProxy } from "unpdf"
import type { Block } from "../../domain/ai/knowledge/Chunks.ts"
import type { ReadDocument } from "../../domain/ai/knowledge/Documents.ts"
import { Refused } from "./Refused.ts"

const mostPages = 1_000
/** A line that is larger than most by this factor, and short, is a heading. */
const headingFactor = 1.15
const longestHeading = 120

interface Line {
  text: string
  /** The size of its letters. */
  height: number
  /** Its place from the bottom of the page. */
  y: number
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

const linesOf = async (pdf: Pdf, number: number): Promise<ReadonlyArray<Line>> => {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  const lines: Array<Line> = []
  let line: Line | undefined
  for (const item of items) {
    if (!("str" in item)) continue
    const y = Number(item.transform[5])
    if (line === undefined || Math.abs(line.y - y) > Math.max(2, item.height / 2)) {
      line = { text: "", height: item.height, y }
      lines.push(line)
    }
    line.text += item.str
    line.height = Math.max(line.height, item.height)
    if (item.hasEOL) line = undefined
  }
  page.cleanup()
  return lines
    .map((each) => ({ ...each, text: each.text.replace(/\s+/g, " ").trim() }))
    .filter(({ text }) => text !== "")
}

/** The height of most letters. */
const usualHeight = (lines: ReadonlyArray<Line>): number => {
  const letters = new Map<number, number>()
  for (const { height, text } of lines) {
    const rounded = Math.round(height * 2) / 2
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length)
  }
  return [...letters].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0]
}

const joined = (before: string, text: string) =>
  /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(text) ? before.slice(0, -1) + text : `${before} ${text}`

const blocksOf = (pages: ReadonlyArray<ReadonlyArray<Line>>): ReadonlyArray<Block> => {
  const usual = usualHeight(pages.flat())
  const blocks: Array<Block> = []
  let headings: ReadonlyArray<{ readonly height: number; readonly text: string }> = []
  let open = ""
  const close = () => {
    if (open !== "") blocks.push({ headings: headings.map(({ text }) => text), text: open })
    open = ""
  }
  for (const page of pages) {
    let above: Line | undefined
    for (const line of page) {
      const isHeading = line.height > usual * headingFactor && line.text.length <= longestHeading
      const gap = above === undefined ? 0 : above.y - line.y
      if (isHeading || gap > Math.max(usual, line.height) * 1.8) close()
      above = line
      if (isHeading) headings = [...headings.filter(({ height }) => height > line.height + 0.5), line]
      else open = open === "" ? line.text : joined(open, line.text)
    }
    close()
  }
  return blocks
}

const isPasswordProblem = (cause: unknown): boolean => cause instanceof Error && cause.name === "PasswordException"

/** Throws `Refused` for a PDF with a password, or with too many pages. */
export const pdfDocument = async (bytes: Uint8Array): Promise<ReadDocument> => {
  let pdf: Pdf
  try {
    pdf = await getDocumentProxy(bytes, { verbosity: 0 })
  } catch (cause) {
    if (isPasswordProblem(cause)) throw new Refused("The PDF is protected by a password. Save it without one.")
    throw new Refused("The PDF is damaged and cannot be read.")
  }
  if (pdf.numPages > mostPages)
    throw new Refused(`The PDF has ${pdf.numPages} pages; at most ${mostPages} are read. Divide it.`)
  const pages: Array<ReadonlyArray<Line>> = []
  for (let number = 1; number <= pdf.numPages; number++) pages.push(await linesOf(pdf, number))
  return { title: null, blocks: blocksOf(pages) }
}

/** Reads a document of any kind into blocks. It runs in a thread of its own, since documents come from strangers. */
import { parse as parseCsv } from "csv-parse/sync"
import mammoth from "mammoth"
import { marked } from "marked"
import type { Block } from "../../domain/ai/knowledge/Chunks.ts"
import type { ReadDocument } from "../../domain/ai/knowledge/Documents.ts"
import { decodeText } from "./DecodeText.ts"
import { htmlDocument } from "./HtmlBlocks.ts"
import { pdfDocument } from "./PdfBlocks.ts"
import { Refused } from "./Refused.ts"
import { inflatedSize } from "./ZipSize.ts"

export interface DocumentTask {
  readonly bytes: Uint8Array
  readonly filename?: string
  readonly contentType?: string
}

/** The most bytes of a DOCX when it is unpacked. */
const mostUnpacked = 64 * 1024 * 1024

type Kind = "pdf" | "docx" | "html" | "markdown" | "csv" | "text"

const extensions: Readonly<Record<string, Kind>> = {
  pdf: "pdf",
  docx: "docx",
  html: "html",
  htm: "html",
  xhtml: "html",
  md: "markdown",
  markdown: "markdown",
  csv: "csv",
  txt: "text",
  text: "text"
}
const contentTypes: Readonly<Record<string, Kind>> = {
  "application/pdf": "pdf",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/markdown": "markdown",
  "text/csv": "csv",
  "text/plain": "text"
}

const beginsWith = (bytes: Uint8Array, text: string) =>
  Buffer.from(bytes.subarray(0, 1_024)).toString("latin1").trimStart().startsWith(text)

/** The kind of a document: what its first bytes say, else its content type, else its name. */
const kindOf = ({ bytes, filename = "", contentType = "" }: DocumentTask): Kind => {
  if (beginsWith(bytes, "%PDF-")) return "pdf"
  if (beginsWith(bytes, "PK\u0003\u0004")) return "docx"
  if (beginsWith(bytes, "\u00d0\u00cf\u0011\u00e0"))
    throw new Refused(
      "The file is of an old Office format, or protected by a password. Save it as DOCX or PDF without one."
    )
  const type = contentTypes[contentType.split(";")[0].trim().toLowerCase()]
  if (type !== undefined && type !== "text") return type
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1].toLowerCase() ?? ""
  const named = extensions[extension]
  if (named === "pdf" || named === "docx")
    throw new Refused(`The file is named .${extension}, but its content is not of that format.`)
  return named ?? type ?? "text"
}

const paragraphs = (text: string): ReadonlyArray<Block> =>
  text
    .split(/\n\s*\n/)
    .map((each) => ({ headings: [], text: each.replace(/[ \t]+/g, " ").trim() }))
    .filter((block) => block.text !== "")

const csvDocument = (text: string): ReadDocument => {
  const rows: ReadonlyArray<ReadonlyArray<string>> = parseCsv(text, {
    bom: true,
    delimiter: [",", ";", "\t"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    to: 20_000
  })
  const [names = [], ...rest] = rows
  const blocks = rest.map((row) => ({
    headings: [],
    text: row
      .flatMap((value, at) =>
        value === "" ? [] : [names[at] === undefined || names[at] === "" ? value : `${names[at]}: ${value}`]
      )
      .join("; ")
  }))
  return { title: null, blocks: blocks.filter((block) => block.text !== "") }
}

const docxDocument = async (bytes: Uint8Array): Promise<ReadDocument> => {
  if (inflatedSize(bytes, mostUnpacked) === undefined)
    throw new Refused("The file is a ZIP that unpacks to too much. Save the document anew as DOCX or PDF.")
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })), externalFileAccess: false }
  )
  return htmlDocument(value)
}

/** Throws `Refused` with a sentence for people, or whatever a library throws at a damaged document. */
export const documentOf = async (task: DocumentTask): Promise<ReadDocument> => {
  if (task.bytes.byteLength === 0) throw new Refused("The file is empty.")
  const kind = kindOf(task)
  switch (kind) {
    case "pdf":
      return pdfDocument(task.bytes)
    case "docx":
      return docxDocument(task.bytes)
    case "html":
      return htmlDocument(decodeText(task.bytes, task.contentType, true))
    case "markdown":
      return htmlDocument(await marked.parse(decodeText(task.bytes, task.contentType), { gfm: true }))
    case "csv":
      return csvDocument(decodeText(task.bytes, task.contentType))
    case "text":
      return { title: null, blocks: paragraphs(decodeText(task.bytes, task.contentType)) }
  }
}

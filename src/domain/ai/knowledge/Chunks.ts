/** Cuts a document into passages by its structure: a passage never goes over a heading, and only long paragraphs are cut inside. Pure. */

/** A paragraph, a list item, or a row of a table, with the headings above it from the outermost to the innermost. */
export interface Block {
  readonly headings: ReadonlyArray<string>
  readonly text: string
}

export interface Chunk {
  readonly headings: ReadonlyArray<string>
  readonly text: string
}

/** In tokens of a language model, of which a byte is about a quarter in every script. */
const mostTokens = 400
const enoughTokens = 200

const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** Cuts a text into parts of at most `mostTokens`: between sentences, or between words, or anywhere. */
const cut = (text: string): ReadonlyArray<string> => {
  if (tokensOf(text) <= mostTokens) return [text]
  const pieces = text.split(/(?<=[.!?।॥。]["»”)]*)\s+|\n+/u)
  const smaller = pieces.length > 1 ? pieces : text.split(/\s+/)
  if (smaller.length === 1) {
    const characters = [...text]
    const half = Math.floor(characters.length / 2)
    return [characters.slice(0, half), characters.slice(half)].flatMap((part) => cut(part.join("")))
  }
  const parts: Array<string> = []
  let part = ""
  for (const piece of smaller.flatMap(cut)) {
    if (part !== "" && tokensOf(`${part} ${piece}`) > mostTokens) {
      parts.push(part)
      part = piece
    } else part = part === "" ? piece : `${part} ${piece}`
  }
  return part === "" ? parts : [...parts, part]
}

const sameHeadings = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) =>
  a.length === b.length && a.every((heading, at) => heading === b[at])

/** The passages of a document, in its order. Blocks under the same headings are put together up to 200 to 400 tokens. */
export const chunksOf = (blocks: ReadonlyArray<Block>): ReadonlyArray<Chunk> => {
  const chunks: Array<Chunk> = []
  let open: { headings: ReadonlyArray<string>; texts: Array<string>; tokens: number } | undefined
  const close = () => {
    if (open !== undefined) chunks.push({ headings: open.headings, text: open.texts.join("\n") })
    open = undefined
  }
  for (const { headings, text } of blocks)
    for (const part of cut(text.trim())) {
      if (part === "") continue
      const tokens = tokensOf(part)
      const fits =
        open !== undefined &&
        sameHeadings(open.headings, headings) &&
        open.tokens < enoughTokens &&
        open.tokens + tokens <= mostTokens
      if (!fits) close()
      open ??= { headings, texts: [], tokens: 0 }
      open.texts.push(part)
      open.tokens += tokens
    }
  close()
  return chunks
}

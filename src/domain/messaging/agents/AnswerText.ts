/** Turns what a model writes into messages as people read them in a chat. Pure. */
import type { TurnMessage } from "./AgentTurns.ts"

/** The most characters of one message. */
export const longestMessage = 1_000

/** Writes the Markdown of models in the channel's own marks: `*bold*`, `_italic_`, `~struck~`. Code stays as it is. */
export const chatMarks = (markdown: string): string =>
  markdown
    .replace(/\r\n?/g, "\n")
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : marked(part)))
    .join("")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim()

/** Stands for a mark of bold text until all single asterisks are dealt with. */
const bold = "\u0001"

const marked = (text: string): string =>
  text
    .replaceAll(bold, "")
    .replace(/^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(\|[ \t]*:?-{3,}:?[ \t]*)*\|?[ \t]*$/gm, "")
    .replace(/^[ \t]*\|(.+)\|[ \t]*$/gm, (_, row: string) =>
      row
        .split("|")
        .map((cell) => cell.trim())
        .join(" – ")
    )
    .replace(/!?\[([^\]\n]*)\]\((\S+?)(?:\s+"[^"\n]*")?\)/g, (_, label: string, url: string) =>
      label === "" || label === url ? url : `${label}: ${url}`
    )
    .replace(
      /^[ \t]{0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/gm,
      (_, title: string) => `${bold}${title.replace(/\*\*|__/g, "")}${bold}`
    )
    .replace(/\*\*\*(?=\S)([^*\n]+?)\*\*\*/g, `${bold}_$1_${bold}`)
    .replace(/\*\*(?=\S)([^\n]+?)\*\*/g, `${bold}$1${bold}`)
    .replace(/(?<![\p{L}\p{N}_])__(?=\S)([^\n]+?)__(?![\p{L}\p{N}_])/gu, `${bold}$1${bold}`)
    .replace(/^([ \t]*)[*+][ \t]+/gm, "$1- ")
    .replace(/(?<![*\p{L}\p{N}])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![*\p{L}\p{N}])/gu, "_$1_")
    .replace(/~~(?=\S)([^\n]+?)~~/g, "~$1~")
    .replaceAll(bold, "*")

/** Ends of sentences, in the scripts that agents write. */
const sentenceEnd = /(?<=[.!?؟।。！？…])\s+/

const splitAt = (
  text: string,
  separator: RegExp | string,
  joiner: string,
  finer: (part: string) => ReadonlyArray<string>
) => {
  const parts: Array<string> = []
  for (const piece of text.split(separator).map((one) => one.trim())) {
    if (piece === "") continue
    for (const one of piece.length <= longestMessage ? [piece] : finer(piece)) {
      const last = parts.at(-1)
      if (last !== undefined && last.length + joiner.length + one.length <= longestMessage)
        parts[parts.length - 1] = last + joiner + one
      else parts.push(one)
    }
  }
  return parts
}

/** Cuts a word that is longer than a message, never inside a character. */
const cut = (word: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let part = ""
  for (const character of word) {
    if (part.length + character.length > longestMessage) {
      parts.push(part)
      part = ""
    }
    part += character
  }
  return part === "" ? parts : [...parts, part]
}

const words = (text: string) => splitAt(text, /\s+/, " ", cut)
const sentences = (text: string) => splitAt(text, sentenceEnd, " ", words)
const paragraphLines = (text: string) => splitAt(text, /\n/, "\n", sentences)

/** The messages of an answer: it is split between paragraphs, then lines, sentences and words, where a part would be longer than `longestMessage`. */
export const messagesOf = (answer: string): ReadonlyArray<string> =>
  splitAt(chatMarks(answer), /\n{2,}/, "\n\n", paragraphLines)

/** The first message of an agent in a conversation tells that it is one. */
export const disclosed = (said: ReadonlyArray<TurnMessage>, text: string): ReadonlyArray<TurnMessage> => {
  const [first, ...rest] = said
  if (first === undefined) return said
  if (first.type !== "text") return [{ type: "text", content: { text } }, ...said]
  return [{ ...first, content: { ...first.content, text: `${text}\n\n${first.content.text}` } }, ...rest]
}

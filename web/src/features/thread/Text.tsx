/** A text of a person: as it was written, with its links made to follow. `*bold*` and `_italic_` are shown as the channel shows them. */
import type { ReactNode } from "react"

/** Only addresses with a scheme become links: a text cannot hide where one leads. */
const link = /https?:\/\/[^\s<>"']{1,2048}/g
const marks = /(^|[\s([{])([*_])(?=\S)([^*_\n]{1,500}?\S?)\2(?=$|[\s.,;:!?)\]}])/g
/** Of a longer text the rest is shown on request, so that it does not push everything else away. */

const styled = (text: string): ReadonlyArray<ReactNode> => {
  const parts: Array<ReactNode> = []
  let last = 0
  for (const match of text.matchAll(marks)) {
    const [whole, before = "", mark, inner = ""] = match
    parts.push(text.slice(last, match.index) + before)
    parts.push(mark === "*" ? <b key={match.index}>{inner}</b> : <i key={match.index}>{inner}</i>)
    last = match.index + whole.length
  }
  parts.push(text.slice(last))
  return parts
}

const linked = (text: string): ReadonlyArray<ReactNode> => {
  const parts: Array<ReactNode> = []
  let last = 0
  for (const match of text.matchAll(link)) {
    // A dot or bracket at the end belongs to the sentence.
    const url = match[0].replace(/[.,;:!?)\]}]+$/, "")
    parts.push(...styled(text.slice(last, match.index)))
    parts.push(
      <a
        key={`link-${match.index}`}
        href={url}
        target="_blank"
        rel="noreferrer noopener"
        className="underline underline-offset-2"
      >
        {url}
      </a>
    )
    last = match.index + url.length
  }
  parts.push(...styled(text.slice(last)))
  return parts
}

export const Text = ({ children }: { readonly children: string }) => (
  <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap [unicode-bidi:plaintext]">
    {linked(children)}
  </p>
)

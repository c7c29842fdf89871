/** Between Slack's mrkdwn and the text that people read. Pure. */
import { emojiOf } from "./SlackEmoji.ts"

/** Names of people and channels by their ids. */
export interface SlackNames {
  readonly people: ReadonlyMap<string, string>
  readonly channels: ReadonlyMap<string, string>
}

const person = /<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/g
const channel = /<#([CG][A-Z0-9]+)(?:\|[^>]*)?>/g

const idsIn = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, id]) => id))]

/** The people and channels that a text names, each once. */
export const mentioned = (text: string) => ({ people: idsIn(text, person), channels: idsIn(text, channel) })

const unescaped = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

/** What stands in angle brackets. */
const reference = (inside: string, names: SlackNames): string => {
  const bar = inside.indexOf("|")
  const [target, label] = bar < 0 ? [inside, ""] : [inside.slice(0, bar), inside.slice(bar + 1)]
  if (target.startsWith("@")) return `@${names.people.get(target.slice(1)) ?? (label || "someone")}`
  if (target.startsWith("#")) return `#${names.channels.get(target.slice(1)) ?? (label || "a channel")}`
  if (target.startsWith("!")) {
    const [kind] = target.slice(1).split("^")
    if (kind === "date" || kind === "subteam") return label === "" ? "@a group" : label
    return `@${kind}`
  }
  if (target.startsWith("mailto:") || target.startsWith("tel:"))
    return label === "" ? target.slice(target.indexOf(":") + 1) : label
  if (label === "" || label === target || `https://${label}` === target || `http://${label}` === target) return target
  return `${label} (${target})`
}

/** mrkdwn as text: names instead of ids, links with their addresses, emoji as signs. */
export const readableText = (text: string, names: SlackNames): string =>
  unescaped(
    text
      .replace(/<([^<>]+)>/g, (_, inside: string) =>
        reference(inside, names).replaceAll("&", "&amp;").replaceAll("<", "&lt;")
      )
      .replace(/&amp;(amp|lt|gt);/g, "&$1;")
      .replace(/:([a-z0-9_+'-]+):(?::skin-tone-[2-6]:)?/g, (whole, name: string) => emojiOf(name) ?? whole)
  )

/** Our text as mrkdwn. It uses the same marks (`*bold*`, `_italic_`, `~struck~`); only three signs have another meaning there. */
export const mrkdwn = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Names of types, made from names of groups, operations and fields. */

/** `voiceAgents`, `voice_agents`, `message.status`: `VoiceAgents`, `MessageStatus`. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("")

/** `contacts`: `contact`; `deliveries`: `delivery`; `addresses`: `address`. What is no plural stays. */
export const singular = (word: string): string => {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

/** A doc comment, with every line indented; nothing for no text. Lines are wrapped at 116 characters. */
export const docComment = (text: string, indent: string): string => {
  const words = text
    .replaceAll("*/", "*\\/")
    .split(/\s+/)
    .filter((word) => word !== "")
  if (words.length === 0) return ""
  const lines: Array<string> = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last === undefined || indent.length + last.length + word.length > 112) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`
}

/** File names from outside, made safe to store and to show. */

/** Characters with a meaning in file systems and shells, invisible characters, and those that turn the direction of writing. */
const unwanted = /[<>:"|?*\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

const longestFilename = 200
const longestExtension = 16

/** The text without the dots and blanks at its ends. A regular expression for the end would begin anew at each dot. */
const withoutEnds = (text: string): string => {
  let end = text.length
  while (end > 0 && (text[end - 1] === "." || text[end - 1] === " ")) end--
  return text.slice(0, end).replace(/^[. ]+/u, "")
}

/** The last part of a path without unwanted characters, cut to at most 200 characters that keep its extension. Null when nothing is left. */
export const safeFilename = (name: string): string | null => {
  const last = name.normalize("NFC").split(/[\\/]/).at(-1) ?? ""
  // A leading dot hides a file, trailing dots and spaces are dropped by some systems.
  const clean = withoutEnds(last.replace(unwanted, "").replace(/\s+/gu, " "))
  const characters = [...clean]
  if (characters.length === 0) return null
  if (characters.length <= longestFilename) return clean
  const dot = characters.lastIndexOf(".")
  const extension = dot > 0 && characters.length - dot <= longestExtension ? characters.slice(dot) : []
  return [...characters.slice(0, longestFilename - extension.length), ...extension].join("")
}

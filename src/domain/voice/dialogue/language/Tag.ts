/** "hi" of `hi-IN`. Odia is `od` in the providers' tags and `or` in the standard: `od` here. */
export const primarySubtag = (tag: string): string => {
  const primary = tag.split("-")[0].toLowerCase()
  return primary === "or" ? "od" : primary
}

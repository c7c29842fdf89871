/** Does the caller ask for a human? Words of the specification plus the agent's own phrases; matched as whole words, any case. */

const words = ["human", "agent", "representative", "real person", "इंसान", "एजेंट"]

const normalise = (text: string): string =>
  ` ${text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()} `

/** True also in the middle of a sentence ("can I talk to a human please"). */
export const asksForHuman = (text: string, phrases: ReadonlyArray<string>): boolean => {
  const said = normalise(text)
  return [...words, ...phrases].some((phrase) => {
    const wanted = normalise(phrase)
    return wanted.trim() !== "" && said.includes(wanted)
  })
}

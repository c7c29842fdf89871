/** The languages that a text agent can be set to. It answers in the contact's language where that is clear. */
import { formatLocale } from "../../lib/i18n.ts"

const tags = [
  "en-US",
  "en-GB",
  "en-IN",
  "hi-IN",
  "ta-IN",
  "es-ES",
  "es-MX",
  "fr-FR",
  "de-DE",
  "pt-BR",
  "it-IT",
  "nl-NL",
  "id-ID"
]

/** With the one that is set, in the language of the page. */
export const languageChoices = (current: string): ReadonlyArray<readonly [tag: string, name: string]> => {
  const names = new Intl.DisplayNames(formatLocale(), { type: "language" })
  return [...new Set([...tags, current])].map((tag) => [tag, names.of(tag) ?? tag])
}

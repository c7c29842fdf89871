/** What the stores among the integrations have in common. */
import type { AppSettings, StoredConnection } from "../AppConnection.ts"

/** The name of a store as the source of records. It stays the same when the store is connected anew. */
export const storeSourceOf = ({ provider, settings }: Pick<StoredConnection, "provider" | "settings">): string => {
  const { shop, url } = settings
  if (typeof shop === "string") return `${provider}:${shop}`
  if (typeof url !== "string" || !URL.canParse(url)) return provider
  const { host, pathname } = new URL(url)
  return `${provider}:${host}${pathname.replace(/\/+$/, "")}`
}

/** A cart that has not changed for so long counts as abandoned, unless the organization says otherwise. Minutes. */
export const usualCartMinutes = 60
const mostCartMinutes = 10_080

/** Why the setting is no number of minutes, as a sentence. */
export const cartMinutesProblem = ({ cartMinutes }: AppSettings): string | undefined =>
  cartMinutes === undefined ||
  (typeof cartMinutes === "string" &&
    /^\d{1,5}$/.test(cartMinutes) &&
    Number(cartMinutes) >= 5 &&
    Number(cartMinutes) <= mostCartMinutes)
    ? undefined
    : `settings.cartMinutes is invalid: it must be a number of minutes from 5 to ${mostCartMinutes}.`

export const cartMinutesOf = ({ cartMinutes }: AppSettings): number =>
  typeof cartMinutes === "string" ? Number(cartMinutes) : usualCartMinutes

const templateForm = /^[a-z0-9_]{1,512}$/
const languageForm = /^[a-z]{2,3}(_[A-Z]{2})?$/

/** Why the settings of the reminder cannot be right, as a sentence. */
export const reminderProblem = ({ reminderTemplate, reminderLanguage }: AppSettings): string | undefined => {
  if (reminderTemplate !== undefined && !templateForm.test(String(reminderTemplate)))
    return "settings.reminderTemplate is invalid: it must be the name of a template, like cart_reminder."
  return reminderLanguage === undefined || languageForm.test(String(reminderLanguage))
    ? undefined
    : "settings.reminderLanguage is invalid: it must be a language of a template, like en_US."
}

/** The template by which customers are reminded of their carts; undefined when they are not. */
export const reminderOf = ({ reminderTemplate, reminderLanguage }: AppSettings) =>
  typeof reminderTemplate === "string"
    ? { name: reminderTemplate, language: typeof reminderLanguage === "string" ? reminderLanguage : "en_US" }
    : undefined

/** The text without blanks around it; null when nothing is left. */
export const textOrNull = (text: string | null | undefined): string | null =>
  text == null || text.trim() === "" ? null : text.trim()

interface Named {
  readonly first_name?: string | null
  readonly last_name?: string | null
}

/** The name of the first of these people who has one. */
export const fullName = (...people: ReadonlyArray<Named | null | undefined>): string | null => {
  for (const person of people) {
    const name = textOrNull(`${person?.first_name ?? ""} ${person?.last_name ?? ""}`)
    if (name !== null) return name
  }
  return null
}

const entities: Readonly<Record<string, string>> = {
  "&nbsp;": " ",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&"
}

/** The words of a description in HTML, with a line for each paragraph. */
export const htmlText = (html: string | null | undefined): string | null =>
  textOrNull(
    (html ?? "")
      .replace(/<(?:br|\/p|\/div|\/li)[^>]{0,1000}>/gi, "\n")
      .replace(/<[^>]{0,1000}>/g, "")
      .replace(/&(?:nbsp|lt|gt|quot|#39|amp);/g, (entity) => entities[entity])
  )

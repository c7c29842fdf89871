/** The language of the interface. A message is its own key. Catalogs are compiled by the build. */
import { setupI18n } from "@lingui/core"
import { read, write } from "./storage.ts"

export const languages = { en: "English", hi: "हिन्दी", pseudo: "Pseudo" } as const
export type Language = keyof typeof languages

/** How `Intl` writes numbers and dates: Latin digits, Indian grouping. */
const formats: Readonly<Record<Language, string>> = { en: "en-US", hi: "hi-IN-u-nu-latn", pseudo: "en-US" }

const i18n = setupI18n()
/** The active catalog. English has only the messages with values: all others are their own translation. */
let known: Readonly<Record<string, unknown>> = {}

type Loader = () => Promise<{ readonly default: Record<string, string> }>
const catalogs: Readonly<Record<Language, Loader>> = {
  en: () => import("virtual:catalog/en"),
  hi: () => import("virtual:catalog/hi"),
  pseudo: () => import("virtual:catalog/pseudo")
}

const isLanguage = (text: string | undefined): text is Language => text !== undefined && Object.hasOwn(languages, text)

const listeners = new Set<() => void>()

/** Told when another language is active. */
export const onLanguage = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const language = (): Language => (isLanguage(i18n.locale) ? i18n.locale : "en")

/** The locale for `Intl`. */
export const formatLocale = (): string => formats[language()]

/** The language that was chosen, else the browser's, else English. */
export const preferredLanguage = (): Language => {
  const chosen = read("language")
  if (isLanguage(chosen)) return chosen
  return navigator.languages.some((one) => one.startsWith("hi")) ? "hi" : "en"
}

export const activate = async (next: Language): Promise<void> => {
  const { default: messages } = await catalogs[next]()
  known = messages
  i18n.loadAndActivate({ locale: next, messages })
  document.documentElement.lang = next === "pseudo" ? "en" : next
  document.documentElement.dir = next === "pseudo" ? "rtl" : "ltr"
  for (const listener of listeners) listener()
}

export const chooseLanguage = (next: Language): Promise<void> => {
  write("language", next)
  return activate(next)
}

/** A message in the active language. */
export const t = (id: string, values?: Readonly<Record<string, string | number>>): string =>
  Object.hasOwn(known, id) ? i18n._(id, values) : id

export { message } from "./message.ts"

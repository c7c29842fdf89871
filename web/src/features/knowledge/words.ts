/** What languages, kinds and states of knowledge are called. */
import type { KnowledgeBase, KnowledgeSource } from "@parley/client"
import type { ChipTone } from "../../components/Chip.tsx"
import { number } from "../../lib/format.ts"
import { formatLocale, message, t } from "../../lib/i18n.ts"

export type Language = KnowledgeBase["language"]

export const languages: ReadonlyArray<Language> = ["en", "hi", "es", "ta", "fr", "de", "pt", "it", "nl", "id", "other"]

/** A language in the language of the page. */
export const languageName = (language: Language): string =>
  language === "other"
    ? t("Another language")
    : (new Intl.DisplayNames(formatLocale(), { type: "language" }).of(language) ?? language)

export const kinds: Readonly<Record<KnowledgeSource["type"], string>> = {
  file: message("File"),
  pages: message("Web pages"),
  notion: message("Notion"),
  answers: message("Questions and answers")
}

/** How a source does, in a word or two. */
export const stateOf = ({
  state,
  progress
}: Pick<KnowledgeSource, "state" | "progress">): { readonly tone: ChipTone; readonly text: string } => {
  switch (state) {
    case "queued":
      return { tone: "plain", text: t("Waiting") }
    case "syncing":
      return progress === null || progress.total === 0
        ? { tone: "accent", text: t("Being read") }
        : {
            tone: "accent",
            text: t("{done} of {total} read", { done: number(progress.done), total: number(progress.total) })
          }
    case "failed":
      return { tone: "danger", text: t("Failed") }
    case "ready":
      return { tone: "good", text: t("Ready") }
  }
}

export const isUnderWay = ({ state }: Pick<KnowledgeSource, "state">): boolean =>
  state === "queued" || state === "syncing"

/** How many passages there are. */
export const passagesText = (n: number): string => t("{n, plural, one {# passage} other {# passages}}", { n })

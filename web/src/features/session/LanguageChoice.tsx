import { Segmented } from "../../components/Segmented.tsx"
import { chooseLanguage, language, languages, t } from "../../lib/i18n.ts"

/** English or Hindi. The pseudo-locale is for development. */
export const LanguageChoice = () => (
  <Segmented
    label={t("Language")}
    value={language()}
    options={(["en", "hi"] as const).map((value) => ({ value, label: languages[value] }))}
    onChange={(next) => void chooseLanguage(next)}
  />
)

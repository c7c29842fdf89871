/** What differs between two states of an agent, setting by setting. */
import { Diff } from "../../components/Diff.tsx"
import { t } from "../../lib/i18n.ts"
import { asText, changedIn, type Settings } from "./draft.ts"
import { settingName } from "./words.ts"

export const Differences = ({ before, after }: { readonly before: Settings; readonly after: Settings }) => {
  const names = changedIn(before, after)
  if (names.length === 0) return <p className="text-ink-3">{t("Nothing differs.")}</p>
  return (
    <div className="flex flex-col gap-4">
      {names.map((name) => (
        <section key={name} aria-label={settingName(name)}>
          <h3 className="mb-1 text-small font-semibold">{settingName(name)}</h3>
          <Diff before={asText(before[name])} after={asText(after[name])} />
        </section>
      ))}
    </div>
  )
}

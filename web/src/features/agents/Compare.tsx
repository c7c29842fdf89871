/** What differs between two states of an agent, setting by setting. */
import { Diff } from "../../components/Diff.tsx"
import { t } from "../../lib/i18n.ts"
import { asText, type SettingRules } from "../../lib/settingRules.ts"

export const Differences = <Settings,>({
  rules,
  nameOf,
  before,
  after
}: {
  readonly rules: SettingRules<Settings>
  readonly nameOf: (name: keyof Settings) => string
  readonly before: Settings
  readonly after: Settings
}) => {
  const names = rules.changedIn(before, after)
  if (names.length === 0) return <p className="text-ink-3">{t("Nothing differs.")}</p>
  return (
    <div className="flex flex-col gap-4">
      {names.map((name) => (
        <section key={String(name)} aria-label={nameOf(name)}>
          <h3 className="mb-1 text-small font-semibold">{nameOf(name)}</h3>
          <Diff before={asText(before[name])} after={asText(after[name])} />
        </section>
      ))}
    </div>
  )
}

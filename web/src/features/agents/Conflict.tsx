/** Somebody else saved the agent since it was read: what only one of both changed is clear; for the rest one chooses. */
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Segmented } from "../../components/Segmented.tsx"
import { t } from "../../lib/i18n.ts"
import { asText, type SettingRules } from "../../lib/settingRules.ts"

const Version = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <div className="min-w-0">
    <p className="text-label text-ink-3">{title}</p>
    <p className="max-h-32 overflow-y-auto rounded-lg bg-sunken px-2 py-1 text-small whitespace-pre-wrap" dir="auto">
      {text}
    </p>
  </div>
)

export const Conflict = <Settings,>({
  rules,
  nameOf,
  sentence,
  before,
  theirs,
  mine,
  onClose,
  onChosen
}: {
  readonly rules: SettingRules<Settings>
  readonly nameOf: (name: keyof Settings) => string
  /** The service's: who saved it, and when. */
  readonly sentence: string
  readonly before: Settings
  readonly theirs: Settings
  readonly mine: Settings
  readonly onClose: () => void
  readonly onChosen: (settings: Settings) => void
}) => {
  const { both, onlyTheirs, onlyMine } = rules.meetingOf(before, theirs, mine)
  const [mineOf, setMineOf] = useState<ReadonlySet<keyof Settings>>(new Set(both))
  const choose = (name: keyof Settings, whose: "theirs" | "mine") => {
    const next = new Set(mineOf)
    if (whose === "mine") next.add(name)
    else next.delete(name)
    setMineOf(next)
  }
  return (
    <Dialog
      title={t("Saved by somebody else")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("Not yet")}</Button>
          <Button tone="primary" onClick={() => onChosen(rules.merged(before, theirs, mine, mineOf))}>
            {t("Save with these")}
          </Button>
        </>
      }
    >
      <p className="mb-3">{sentence}</p>
      {onlyTheirs.length > 0 && (
        <p className="mb-2 text-ink-2">{t("Theirs stay: {names}.", { names: onlyTheirs.map(nameOf).join(", ") })}</p>
      )}
      {onlyMine.length > 0 && (
        <p className="mb-2 text-ink-2">{t("Yours come: {names}.", { names: onlyMine.map(nameOf).join(", ") })}</p>
      )}
      <div className="flex flex-col gap-4">
        {both.map((name) => (
          <section key={String(name)} aria-label={nameOf(name)} className="flex flex-col gap-2">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <h3 className="font-semibold">{nameOf(name)}</h3>
              <Segmented
                label={nameOf(name)}
                value={mineOf.has(name) ? "mine" : "theirs"}
                options={[
                  { value: "theirs", label: t("Theirs") },
                  { value: "mine", label: t("Yours") }
                ]}
                onChange={(whose) => choose(name, whose)}
              />
            </div>
            <Version title={t("Before")} text={asText(before[name])} />
            <Version title={t("Theirs")} text={asText(theirs[name])} />
            <Version title={t("Yours")} text={asText(mine[name])} />
          </section>
        ))}
      </div>
    </Dialog>
  )
}

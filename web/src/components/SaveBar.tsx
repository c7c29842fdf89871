/** How many settings differ from what is saved, and what can be done about it. It stands under a form, only while something differs. */
import { GitCompare, Pencil } from "lucide-react"
import { t } from "../lib/i18n.ts"
import { Button } from "./Button.tsx"
import { Chip } from "./Chip.tsx"

export interface SaveBarProps {
  readonly names: ReadonlyArray<string>
  readonly problem: string | undefined
  readonly busy: boolean
  readonly onUndo: () => void
  readonly onCompare?: () => void
  readonly onSave: () => void
}

export const SaveBar = ({ names, problem, busy, onUndo, onCompare, onSave }: SaveBarProps) =>
  names.length === 0 ? null : (
    <section
      aria-label={t("Changes not saved")}
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-surface px-4 py-2.5 md:px-5"
    >
      <Chip tone="warn" icon={Pencil}>
        {t("{n, plural, one {# change not saved} other {# changes not saved}}", { n: names.length })}
      </Chip>
      <p
        role={problem === undefined ? undefined : "alert"}
        className={`min-w-0 flex-1 basis-40 ${problem === undefined ? "truncate text-ink-3" : "text-danger"}`}
      >
        {problem ?? names.join(", ")}
      </p>
      <Button tone="quiet" disabled={busy} onClick={onUndo}>
        {t("Undo changes")}
      </Button>
      {onCompare !== undefined && (
        <Button icon={GitCompare} onClick={onCompare}>
          {t("Compare")}
        </Button>
      )}
      <Button tone="primary" keys="Ctrl S" disabled={busy} onClick={onSave}>
        {t("Save")}
      </Button>
    </section>
  )

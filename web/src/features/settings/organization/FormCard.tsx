/** A card of settings that is saved by itself: only what differs can be saved. */
import type { ReactNode } from "react"
import { Button } from "../../../components/Button.tsx"
import { Card } from "../../../components/Card.tsx"
import { Problem } from "../../../components/States.tsx"
import { t } from "../../../lib/i18n.ts"
import { useSubmit } from "../../../lib/submit.ts"
import { say } from "../../../lib/toasts.ts"

export const FormCard = ({
  title,
  changed,
  valid = true,
  save,
  onUndo,
  children
}: {
  readonly title: string
  readonly changed: boolean
  readonly valid?: boolean
  readonly save: () => Promise<void>
  readonly onUndo: () => void
  readonly children: ReactNode
}) => {
  const { busy, problem, clear, submit } = useSubmit(async () => {
    if (!changed || !valid) return
    await save()
    say(t("Saved."))
  })
  return (
    <Card title={title}>
      <form onSubmit={submit} aria-label={title} className="flex flex-col gap-3.5">
        {children}
        <Problem>{problem}</Problem>
        {changed && (
          <div className="flex flex-wrap justify-end gap-2">
            <Button
              tone="quiet"
              disabled={busy}
              onClick={() => {
                clear()
                onUndo()
              }}
            >
              {t("Undo changes")}
            </Button>
            <Button tone="primary" type="submit" disabled={busy || !valid}>
              {t("Save")}
            </Button>
          </div>
        )}
      </form>
    </Card>
  )
}

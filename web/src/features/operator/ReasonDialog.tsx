/** Asks an operator why, before something is done that many may notice. The reason is kept with what was done. */
import { type ReactNode, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { TextArea } from "../../components/Field.tsx"
import { Problem } from "../../components/States.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"

export const ReasonDialog = ({
  title,
  action,
  danger = false,
  children,
  onClose,
  onConfirm
}: {
  readonly title: string
  /** What the button says. */
  readonly action: string
  readonly danger?: boolean
  /** What will happen, and fields of it. */
  readonly children: ReactNode
  readonly onClose: () => void
  readonly onConfirm: (reason: string) => Promise<void>
}) => {
  const [reason, setReason] = useState("")
  const { busy, problem, submit } = useSubmit(async () => {
    await onConfirm(reason.trim())
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        {children}
        <TextArea
          label={t("Reason")}
          hint={t("Whoever reads the events later sees it.")}
          rows={2}
          required
          minLength={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <Problem>{problem}</Problem>
        <div className="flex flex-wrap justify-end gap-2">
          <Button tone="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button tone={danger ? "danger" : "primary"} type="submit" disabled={busy || reason.trim().length < 3}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

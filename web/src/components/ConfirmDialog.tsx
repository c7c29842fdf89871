/** Asks before something is deleted or disconnected. What the service refuses is said in the dialog. */
import type { ReactNode } from "react"
import { t } from "../lib/i18n.ts"
import { useSubmit } from "../lib/submit.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { Problem } from "./States.tsx"

export const ConfirmDialog = ({
  title,
  action,
  children,
  onClose,
  onConfirm
}: {
  readonly title: string
  /** What the button says. */
  readonly action: string
  /** What follows from it. */
  readonly children: ReactNode
  readonly onClose: () => void
  readonly onConfirm: () => Promise<void>
}) => {
  const { busy, problem, submit } = useSubmit(onConfirm)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("Keep it")}</Button>
          <Button tone="danger" disabled={busy} onClick={submit}>
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p>{children}</p>
        <Problem>{problem}</Problem>
      </div>
    </Dialog>
  )
}

/** Asks before one leaves what is not saved. Another section of the same agent is no leaving. */
import { useBlocker } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { t } from "../../lib/i18n.ts"

export const LeaveGuard = ({
  stays,
  dirty,
  kept = false,
  onForget,
  children
}: {
  /** How addresses begin that are no leaving. */
  readonly stays: string
  readonly dirty: boolean
  /** Whether the tab keeps the changes. */
  readonly kept?: boolean
  readonly onForget: () => void
  /** What holds meanwhile. */
  readonly children: ReactNode
}) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => dirty && !next.pathname.startsWith(stays),
    enableBeforeUnload: dirty && !kept,
    withResolver: true
  })
  if (blocker.status !== "blocked") return null
  return (
    <Dialog
      title={t("Leave with changes that are not saved?")}
      onClose={blocker.reset}
      footer={
        <>
          <Button
            tone="danger"
            onClick={() => {
              onForget()
              blocker.proceed()
            }}
          >
            {t("Undo changes and leave")}
          </Button>
          {kept && <Button onClick={blocker.proceed}>{t("Leave; keep them in this tab")}</Button>}
          <Button tone="primary" onClick={blocker.reset}>
            {t("Stay")}
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  )
}

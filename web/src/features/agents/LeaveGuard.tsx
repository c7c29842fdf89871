/** Asks before one leaves what is not saved. Another section of the same agent is no leaving. */
import { useBlocker } from "@tanstack/react-router"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { t } from "../../lib/i18n.ts"

export const LeaveGuard = ({ id, dirty, onForget }: { id: string; dirty: boolean; onForget: () => void }) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => dirty && !next.pathname.startsWith(`/agents/${id}`),
    enableBeforeUnload: false,
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
          <Button onClick={blocker.proceed}>{t("Leave; keep them in this tab")}</Button>
          <Button tone="primary" onClick={blocker.reset}>
            {t("Stay")}
          </Button>
        </>
      }
    >
      <p>{t("Calls go on with what is saved.")}</p>
    </Dialog>
  )
}

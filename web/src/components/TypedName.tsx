/** Asks before something that nothing can undo: one types the name of what it is about. */
import { type ReactNode, useState } from "react"
import { t } from "../lib/i18n.ts"
import { useSubmit } from "../lib/submit.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { Input } from "./Field.tsx"

export const TypedName = ({
  title,
  name,
  action,
  children,
  onClose,
  onConfirm
}: {
  readonly title: string
  readonly name: string
  /** What the button says. */
  readonly action: string
  readonly children: ReactNode
  readonly onClose: () => void
  readonly onConfirm: () => Promise<void>
}) => {
  const [typed, setTyped] = useState("")
  const { busy, problem, submit } = useSubmit(async () => {
    if (typed.trim() === name) await onConfirm()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p>{children}</p>
        <Input
          label={t("Type {name} to revoke", { name })}
          autoFocus
          autoComplete="off"
          value={typed}
          problem={problem}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button tone="danger" type="submit" className="self-end" disabled={typed.trim() !== name || busy}>
          {action}
        </Button>
      </form>
    </Dialog>
  )
}

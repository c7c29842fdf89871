/** Deletes a record that has a page of its own, after asking: nothing brings it back. Then it shows the list that the record was in. */
import { type QueryKey, useQueryClient } from "@tanstack/react-query"
import { type LinkProps, useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { t } from "../lib/i18n.ts"
import { say } from "../lib/toasts.ts"
import { ConfirmDialog } from "./ConfirmDialog.tsx"

export const RemoveDialog = ({
  name,
  action,
  remove,
  record,
  to,
  list,
  onClose,
  children
}: {
  readonly name: string
  /** What the button says. */
  readonly action: string
  readonly remove: () => Promise<unknown>
  /** Where the record is kept. */
  readonly record: QueryKey
  /** Where the list is shown, and kept. */
  readonly to: NonNullable<LinkProps["to"]>
  readonly list: QueryKey
  readonly onClose: () => void
  /** What follows from it. */
  readonly children: ReactNode
}) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title={t("Delete {name}?", { name })}
      action={action}
      onClose={onClose}
      onConfirm={async () => {
        await remove()
        onClose()
        await navigate({ to, ignoreBlocker: true })
        client.removeQueries({ queryKey: record })
        void client.invalidateQueries({ queryKey: list })
        say(t("{name} is deleted.", { name }))
      }}
    >
      {children}
    </ConfirmDialog>
  )
}

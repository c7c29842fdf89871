/** Asks for the name of a key before it is revoked: that of a program, or of an assistant. */
import type { ApiKey } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { TypedName } from "../../../components/TypedName.tsx"
import { t } from "../../../lib/i18n.ts"
import { say } from "../../../lib/toasts.ts"

export const RevokeKey = ({
  apiKey: { id, name },
  done,
  onClose,
  children
}: {
  readonly apiKey: ApiKey
  /** What is said when it is revoked. */
  readonly done: string
  readonly onClose: () => void
  /** What follows from it. */
  readonly children: string
}) => {
  const client = useQueryClient()
  return (
    <TypedName
      title={t("Revoke {name}?", { name })}
      name={name.trim()}
      action={t("Revoke for good")}
      onClose={onClose}
      onConfirm={async () => {
        await parley.apiKeys.revoke(id)
        onClose()
        await client.invalidateQueries({ queryKey: keys.apiKeys })
        say(done)
      }}
    >
      {children}
    </TypedName>
  )
}

/** Deletes a voice agent, after asking: nothing brings it back. */
import type { VoiceAgent } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx"
import { phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"

export const RemoveAgent = ({
  agent: { id, name, phoneNumber },
  onClose
}: {
  readonly agent: VoiceAgent
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title={t("Delete {name}?", { name })}
      action={t("Delete agent")}
      onClose={onClose}
      onConfirm={async () => {
        await parley.voiceAgents.remove(id)
        onClose()
        await navigate({ to: "/agents", ignoreBlocker: true })
        client.removeQueries({ queryKey: keys.voiceAgent(id) })
        void client.invalidateQueries({ queryKey: keys.voiceAgents })
        say(t("{name} is deleted.", { name }))
      }}
    >
      {phoneNumber === null
        ? t("Its calls stay in the records. This cannot be undone.")
        : t(
            "Its number {number} stays with you, but nobody answers it then. Its calls stay in the records. This cannot be undone.",
            { number: phone(phoneNumber) }
          )}
    </ConfirmDialog>
  )
}

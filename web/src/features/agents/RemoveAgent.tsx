/** Deletes a voice agent, after asking. */
import type { VoiceAgent } from "@parley/client"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { RemoveDialog } from "../../components/RemoveDialog.tsx"
import { phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"

export const RemoveAgent = ({
  agent: { id, name, phoneNumber },
  onClose
}: {
  readonly agent: VoiceAgent
  readonly onClose: () => void
}) => (
  <RemoveDialog
    name={name}
    action={t("Delete agent")}
    remove={() => parley.voiceAgents.remove(id)}
    record={keys.voiceAgent(id)}
    to="/agents"
    list={keys.voiceAgents}
    onClose={onClose}
  >
    {phoneNumber === null
      ? t("Its calls stay in the records. This cannot be undone.")
      : t(
          "Its number {number} stays with you, but nobody answers it then. Its calls stay in the records. This cannot be undone.",
          { number: phone(phoneNumber) }
        )}
  </RemoveDialog>
)

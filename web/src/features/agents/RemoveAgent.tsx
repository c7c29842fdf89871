/** Deletes a voice agent, after asking: nothing brings it back. */
import type { VoiceAgent } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { say } from "../../lib/toasts.ts"

export const RemoveAgent = ({ agent, onClose }: { readonly agent: VoiceAgent; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await parley.voiceAgents.remove(agent.id)
      client.removeQueries({ queryKey: keys.voiceAgent(agent.id) })
      void client.invalidateQueries({ queryKey: keys.voiceAgents })
      onClose()
      await navigate({ to: "/agents", ignoreBlocker: true })
      say(t("{name} is deleted.", { name: agent.name }))
    } catch (cause) {
      setProblem(sentenceOf(cause))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t("Delete {name}?", { name: agent.name })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("Keep it")}</Button>
          <Button tone="danger" disabled={busy} onClick={() => void remove()}>
            {t("Delete agent")}
          </Button>
        </>
      }
    >
      <p>
        {agent.phoneNumber === null
          ? t("Its calls stay in the records. This cannot be undone.")
          : t(
              "Its number {number} stays with you, but nobody answers it then. Its calls stay in the records. This cannot be undone.",
              {
                number: phone(agent.phoneNumber)
              }
            )}
      </p>
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-danger">
          {problem}
        </p>
      )}
    </Dialog>
  )
}

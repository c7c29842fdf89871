/** Replaces the secret. The old one signs too for a while, so that servers can be changed one after the other. */
import type { WebhookEndpointWithSecret } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Button } from "../../../components/Button.tsx"
import { Dialog } from "../../../components/Dialog.tsx"
import { Problem } from "../../../components/States.tsx"
import { t } from "../../../lib/i18n.ts"
import { useSubmit } from "../../../lib/submit.ts"
import { OverlapField } from "../parts/OverlapField.tsx"

export const NewSecret = ({
  id,
  onClose,
  onMade
}: {
  readonly id: string
  readonly onClose: () => void
  readonly onMade: (made: WebhookEndpointWithSecret) => void
}) => {
  const client = useQueryClient()
  const [overlapSeconds, setOverlap] = useState(86_400)
  const { busy, problem, submit } = useSubmit(async () => {
    onMade(await parley.webhooks.rotateSecret(id, { overlapSeconds }, { retries: 0 }))
    onClose()
    await client.invalidateQueries({ queryKey: keys.webhooks })
  })
  return (
    <Dialog title={t("Make a new secret?")} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p>{t("Until the old secret ends, each request carries both signatures: change your server in that time.")}</p>
        <OverlapField label={t("The old secret ends")} value={overlapSeconds} onChange={setOverlap} />
        <Problem>{problem}</Problem>
        <Button tone="primary" type="submit" className="self-end" disabled={busy}>
          {t("Make a new secret")}
        </Button>
      </form>
    </Dialog>
  )
}

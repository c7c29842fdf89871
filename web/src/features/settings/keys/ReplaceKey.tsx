/** Makes a new key with the same name and scopes. The old one is good for a while beside it. */
import type { ApiKey, CreatedApiKey } from "@parley/client"
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

export const ReplaceKey = ({
  apiKey,
  onClose,
  onMade
}: {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  readonly onMade: (made: CreatedApiKey) => void
}) => {
  const client = useQueryClient()
  const [overlapSeconds, setOverlap] = useState(86_400)
  const { busy, problem, submit } = useSubmit(async () => {
    onMade(await parley.apiKeys.rotate(apiKey.id, { overlapSeconds }, { retries: 0 }))
    onClose()
    await client.invalidateQueries({ queryKey: keys.apiKeys })
  })
  return (
    <Dialog title={t("Replace {name}?", { name: apiKey.name })} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p>{t("The new key may do the same. Give it to the program before the old one ends.")}</p>
        <OverlapField label={t("The old key ends")} value={overlapSeconds} onChange={setOverlap} />
        <Problem>{problem}</Problem>
        <Button tone="primary" type="submit" className="self-end" disabled={busy}>
          {t("Make the new key")}
        </Button>
      </form>
    </Dialog>
  )
}

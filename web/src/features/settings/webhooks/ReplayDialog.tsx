/** Sends again what happened in the last hours or days, e.g. after a server was down. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Button } from "../../../components/Button.tsx"
import { Checkbox } from "../../../components/Checkbox.tsx"
import { Dialog } from "../../../components/Dialog.tsx"
import { Select } from "../../../components/Field.tsx"
import { Problem } from "../../../components/States.tsx"
import { message, t } from "../../../lib/i18n.ts"
import { useSubmit } from "../../../lib/submit.ts"
import { say } from "../../../lib/toasts.ts"

const hourMs = 3_600_000
const spans: ReadonlyArray<readonly [hours: number, name: string]> = [
  [1, message("of the last hour")],
  [24, message("of the last day")],
  [72, message("of the last three days")],
  [168, message("of the last week")]
]

export const ReplayDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [hours, setHours] = useState(24)
  const [failedOnly, setFailedOnly] = useState(true)
  const { busy, problem, submit } = useSubmit(async () => {
    const since = new Date(Date.now() - hours * hourMs).toISOString()
    const { queued } = await parley.webhooks.replay(id, { since, failedOnly })
    await client.invalidateQueries({ queryKey: keys.allDeliveries(id) })
    onClose()
    say(
      queued === 0
        ? t("There is nothing to send again.")
        : t("{n, plural, one {# event is sent again.} other {# events are sent again.}}", { n: queued })
    )
  })
  return (
    <Dialog title={t("Replay events")} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p>{t("Each event keeps its id, so your server can tell what it has had already.")}</p>
        <Select
          label={t("Events")}
          value={String(hours)}
          options={spans.map(([value, name]) => [String(value), t(name)])}
          onChange={(event) => setHours(Number(event.target.value))}
        />
        <Checkbox label={t("Only those that did not arrive")} checked={failedOnly} onChange={setFailedOnly} />
        <Problem>{problem}</Problem>
        <Button tone="primary" type="submit" className="self-end" disabled={busy}>
          {t("Send again")}
        </Button>
      </form>
    </Dialog>
  )
}

/** What notifications on telephones show. One fact, so it is changed at once. */
import { useQueryClient } from "@tanstack/react-query"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Card } from "../../../components/Card.tsx"
import { Switch } from "../../../components/Switch.tsx"
import { t } from "../../../lib/i18n.ts"
import { say, sayProblem } from "../../../lib/toasts.ts"

export const PushCard = ({ preview }: { readonly preview: boolean }) => {
  const client = useQueryClient()
  const set = async (next: boolean) => {
    try {
      client.setQueryData(keys.pushSettings, await parley.pushSettings.set({ preview: next }))
      say(t("Saved."), { label: t("Undo"), run: () => void set(!next) })
    } catch (cause) {
      sayProblem(cause)
    }
  }
  return (
    <Card title={t("Notifications on devices")}>
      <Switch
        label={t("Show who writes and what")}
        detail={t("otherwise a notification only says that there is something new")}
        checked={preview}
        onChange={(next) => void set(next)}
      />
    </Card>
  )
}

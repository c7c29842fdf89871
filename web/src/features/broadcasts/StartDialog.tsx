/** Asks before a broadcast starts, with how many it reaches. Nothing can call messages back, so beyond a hundred the name is typed. */
import type { Broadcast, NewBroadcast } from "@parley/client"
import { Send } from "lucide-react"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input } from "../../components/Field.tsx"
import { ErrorBlock, Skeleton } from "../../components/States.tsx"
import { t } from "../../lib/i18n.ts"
import { Reach } from "./Reach.tsx"
import { useReach } from "./useReach.ts"

/** More recipients than this ask for the name. */
const fewRecipients = 100

export const StartDialog = ({
  broadcast,
  onStart,
  onClose
}: {
  readonly broadcast: Broadcast
  readonly onStart: () => void
  readonly onClose: () => void
}) => {
  const { name, templateName, language, components, audience } = broadcast
  const [typed, setTyped] = useState("")
  const given: ReadonlyArray<unknown> = components
  // They came from such a body, and their type is wider only because each kind of template has its own.
  const reach = useReach({
    name,
    templateName,
    language,
    components: given as NonNullable<NewBroadcast["components"]>,
    audience
  })
  const count = reach.data?.recipients
  const asks = count === undefined || count > fewRecipients
  const sure = count !== undefined && count > 0 && (!asks || typed.trim() === name)
  return (
    <Dialog title={t("Start {name}?", { name })} onClose={onClose}>
      {reach.error !== null ? (
        <ErrorBlock error={reach.error} again={() => void reach.refetch()} />
      ) : reach.data === undefined || count === undefined ? (
        <Skeleton className="h-16" />
      ) : (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (!sure) return
            onClose()
            onStart()
          }}
        >
          <Reach found={reach.data} />
          {count > 0 && <p>{t("Nothing can call it back.")}</p>}
          {asks && count > 0 && (
            <Input
              label={t("Type the name to go on: {name}", { name })}
              autoComplete="off"
              autoFocus
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
          <Button tone="primary" type="submit" icon={Send} autoFocus={!asks} disabled={!sure} className="self-end">
            {t("Start sending")}
          </Button>
        </form>
      )}
    </Dialog>
  )
}

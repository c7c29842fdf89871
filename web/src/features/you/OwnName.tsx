/** One's own name, as colleagues and contacts see it. */
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { useSession, useSessionState } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { Input } from "../../components/Field.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import { cardClass } from "./Row.tsx"

export const OwnName = () => {
  const { user } = useSession()
  const { ask } = useSessionState()
  const [name, setName] = useState(user.name)
  const { busy, problem, clear, submit } = useSubmit(async () => {
    await parley.users.update(user.id, { name: name.trim() })
    ask()
    say(t("Your name was changed."))
  })
  const changed = name.trim() !== "" && name.trim() !== user.name
  return (
    <form onSubmit={submit} aria-label={t("Your name")} className={`${cardClass} flex flex-wrap items-end gap-3 py-4`}>
      <div className="min-w-52 flex-1">
        <Input
          label={t("Your name")}
          autoComplete="name"
          dir="auto"
          required
          maxLength={200}
          value={name}
          problem={problem}
          onChange={(event) => {
            clear()
            setName(event.target.value)
          }}
        />
      </div>
      <Button type="submit" disabled={busy || !changed}>
        {t("Change the name")}
      </Button>
    </form>
  )
}

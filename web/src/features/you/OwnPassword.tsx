/** Changes one's own password. The service then ends all sessions, so this one is begun again with the new password. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession, useSessionState } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { Input } from "../../components/Field.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import { NewPassword } from "../session/NewPassword.tsx"
import { cardClass } from "./Row.tsx"

/** The service's sentence about the password that one has now. */
const isOfOld = (sentence: string | undefined) => sentence !== undefined && /old/i.test(sentence)

export const OwnPassword = () => {
  const { user } = useSession()
  const { signIn } = useSessionState()
  const client = useQueryClient()
  const [old, setOld] = useState("")
  const [password, setPassword] = useState("")
  const { busy, problem, clear, submit } = useSubmit(async () => {
    await parley.users.setPassword(user.id, { password, oldPassword: old })
    await signIn(user.email, password)
    setOld("")
    setPassword("")
    await client.invalidateQueries({ queryKey: keys.ownSessions })
    say(t("Your password was changed. All other sessions have ended."))
  })
  return (
    <form onSubmit={submit} aria-label={t("Password")} className={`${cardClass} flex flex-col gap-3 py-4`}>
      <h2 className="text-title font-semibold">{t("Password")}</h2>
      <div className="grid items-start gap-3 md:grid-cols-2">
        {/* A manager of passwords needs to know whose they are. */}
        <input type="text" name="email" autoComplete="username" value={user.email} readOnly hidden />
        <Input
          label={t("Password now")}
          type="password"
          autoComplete="current-password"
          required
          value={old}
          problem={isOfOld(problem) ? problem : undefined}
          onChange={(event) => {
            clear()
            setOld(event.target.value)
          }}
        />
        <NewPassword
          label={t("New password")}
          value={password}
          problem={isOfOld(problem) ? undefined : problem}
          onChange={(next) => {
            clear()
            setPassword(next)
          }}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-52 flex-1 text-small text-ink-3">{t("A new password signs you out everywhere else.")}</p>
        <Button type="submit" disabled={busy || old === "" || password === ""}>
          {t("Change the password")}
        </Button>
      </div>
    </form>
  )
}

/** Whoever has the link of an invitation chooses a password with it, once, and is signed in. */
import { Link, useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { useSessionState } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { EntryPage, entryLink } from "./EntryPage.tsx"
import { NewPassword } from "./NewPassword.tsx"

/** The token is behind the `#`, so that no server and no log sees it when the page is opened. */
const tokenOfAddress = () => decodeURIComponent(location.hash.slice(1))

export const ChoosePassword = ({
  title,
  lead,
  without
}: {
  readonly title: string
  readonly lead: string
  /** What to do, said to who comes without a link. */
  readonly without: string
}) => {
  const { signIn } = useSessionState()
  const router = useRouter()
  const [token] = useState(tokenOfAddress)
  const [password, setPassword] = useState("")
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const { email } = await parley.users.acceptInvitation({ token, password })
    await signIn(email, password)
    // The address with the token is not kept in the history.
    router.history.replace("/")
  })
  const toSignIn = (
    <Link to="/sign-in" className={entryLink}>
      {t("To sign-in")}
    </Link>
  )
  if (token === "")
    return (
      <EntryPage title={title} under={toSignIn}>
        <p>{without}</p>
      </EntryPage>
    )
  const ofPassword = problem?.startsWith("password") === true
  return (
    <EntryPage title={title} lead={lead} under={toSignIn}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <NewPassword
          label={t("New password")}
          value={password}
          problem={ofPassword ? problem : undefined}
          onChange={(next) => {
            clear()
            setPassword(next)
          }}
        />
        {problem !== undefined && !ofPassword && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
        <Button tone="primary" type="submit" disabled={busy} className="mt-1">
          {busy ? t("Signing in…") : t("Keep the password and sign in")}
        </Button>
      </form>
    </EntryPage>
  )
}

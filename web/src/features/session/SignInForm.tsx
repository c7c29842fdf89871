import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Input } from "../../components/Field.tsx"
import { Problem } from "../../components/States.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"

/** Asks for e-mail and password. With `email` only that person may go on. */
export const SignInForm = ({
  email: given,
  signIn
}: {
  readonly email?: string
  readonly signIn: (email: string, password: string) => Promise<void>
}) => {
  const [email, setEmail] = useState(given ?? "")
  const [password, setPassword] = useState("")
  const { busy, problem, submit } = useSubmit(() => signIn(email.trim(), password))
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Input
        label={t("E-mail")}
        name="email"
        type="email"
        autoComplete="username"
        required
        readOnly={given !== undefined}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Input
        label={t("Password")}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Problem>{problem}</Problem>
      <Button tone="primary" type="submit" disabled={busy} className="mt-1">
        {busy ? t("Signing in…") : t("Sign in")}
      </Button>
    </form>
  )
}

/** Where operators sign in. Accounts of organizations do not work here. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Input } from "../../components/Field.tsx"
import { Problem } from "../../components/States.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { EntryPage } from "../session/EntryPage.tsx"
import { useOperator } from "./useOperator.ts"

/** Only pages of operators: any other address would lead elsewhere. */
const wantedPage = (next: string | undefined): string =>
  next !== undefined && /^\/operator(?:[/?]|$)/.test(next) && !next.startsWith("/operator/sign-in") ? next : "/operator"

export const OperatorSignIn = () => {
  const { session, signIn } = useOperator()
  const navigate = useNavigate()
  const { next } = useSearch({ from: "/operator/sign-in" })
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const { busy, problem, submit } = useSubmit(() => signIn(email.trim(), password))
  const signedIn = session !== null && session !== undefined
  useEffect(() => {
    if (signedIn) void navigate({ href: wantedPage(next), replace: true })
  }, [signedIn, next, navigate])
  return (
    <EntryPage
      title={t("Operate Parley")}
      lead={t("For whoever runs this installation. Accounts of organizations do not work here.")}
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label={t("E-mail")}
          name="email"
          type="email"
          autoComplete="username"
          required
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
    </EntryPage>
  )
}

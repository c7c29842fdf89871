/** Where operators sign in. Accounts of organizations do not work here. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect } from "react"
import { t } from "../../lib/i18n.ts"
import { EntryPage } from "../session/EntryPage.tsx"
import { SignInForm } from "../session/SignInForm.tsx"
import { useOperator } from "./useOperator.ts"

/** Only pages of operators: any other address would lead elsewhere. */
const wantedPage = (next: string | undefined): string =>
  next !== undefined && /^\/operator(?:[/?]|$)/.test(next) && !next.startsWith("/operator/sign-in") ? next : "/operator"

export const OperatorSignIn = () => {
  const { session, signIn } = useOperator()
  const navigate = useNavigate()
  const { next } = useSearch({ from: "/operator/sign-in" })
  const signedIn = session !== null && session !== undefined
  useEffect(() => {
    if (signedIn) void navigate({ href: wantedPage(next), replace: true })
  }, [signedIn, next, navigate])
  return (
    <EntryPage
      title={t("Operate Parley")}
      lead={t("For whoever runs this installation. Accounts of organizations do not work here.")}
    >
      <SignInForm signIn={signIn} />
    </EntryPage>
  )
}

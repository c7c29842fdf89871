/** `/sign-in`: also where everybody is sent who is signed out; afterwards they are where they wanted to go. */
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useRouter, useSearch } from "@tanstack/react-router"
import { useEffect } from "react"
import { parley } from "../api/client.ts"
import { keys } from "../api/keys.ts"
import { useSessionState } from "../api/session.tsx"
import { EntryPage, entryLink } from "../features/session/EntryPage.tsx"
import { SignInForm } from "../features/session/SignInForm.tsx"
import { t } from "../lib/i18n.ts"

/** Only addresses of this site: `//host` and `/\host` would lead elsewhere. */
export const ownAddress = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith("/sign-in") ? next : "/"

const SignIn = () => {
  const { session, signIn } = useSessionState()
  const router = useRouter()
  const navigate = useNavigate()
  const { next } = useSearch({ from: "/sign-in" })
  const signedIn = session !== null && session !== undefined
  const setUp = useQuery({
    queryKey: keys.setUp,
    queryFn: ({ signal }) => parley.setup.state({ signal }),
    enabled: session === null
  })
  const first = setUp.data?.open === true
  useEffect(() => {
    if (signedIn) router.history.replace(ownAddress(next))
    // Nobody can sign in yet.
    else if (first) void navigate({ to: "/setup", replace: true })
  }, [signedIn, first, next, router, navigate])
  return (
    <EntryPage
      title={t("Sign in to Parley")}
      under={
        <Link to="/reset" className={entryLink}>
          {t("Forgot your password?")}
        </Link>
      }
    >
      <SignInForm signIn={signIn} />
    </EntryPage>
  )
}

export default SignIn

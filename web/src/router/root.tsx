/** The root of all pages, and the gate of those for whoever is signed in. */
import { createRootRoute, createRoute, useNavigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { useSessionState } from "../api/session.tsx"
import { Empty, ErrorBlock, Skeleton } from "../components/States.tsx"
import { Shell } from "../features/shell/Shell.tsx"
import { t } from "../lib/i18n.ts"

export const rootRoute = createRootRoute({
  notFoundComponent: () => <Empty title={t("There is nothing at this address.")} />,
  errorComponent: ({ error, reset }) => <ErrorBlock error={error} again={reset} />
})

/** Shows the page to whoever is signed in, and sends everybody else to sign in, once: on the way there this page is still shown for a moment. */
const Gate = () => {
  const { session, problem, ask } = useSessionState()
  const navigate = useNavigate()
  const signedOut = session === null
  useEffect(() => {
    if (!signedOut) return
    const here = `${location.pathname}${location.search}${location.hash}`
    void navigate({ to: "/sign-in", search: here === "/" || here === "/inbox" ? {} : { next: here }, replace: true })
  }, [signedOut, navigate])
  if (session === undefined && problem !== null) return <ErrorBlock error={problem} again={ask} />
  return session === undefined || session === null ? <Skeleton className="m-4 h-8 w-40" /> : <Shell />
}

export const signedIn = createRoute({ getParentRoute: () => rootRoute, id: "signed-in", component: Gate })

/** Starts the pages. */
import { AnswerError } from "@parley/client"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode, useSyncExternalStore } from "react"
import { createRoot } from "react-dom/client"
import { SessionProvider } from "./api/session.tsx"
import { activate, language, onLanguage, preferredLanguage } from "./lib/i18n.ts"
import { startTheme } from "./lib/theme.ts"
import { makeRouter } from "./router/router.tsx"
import "./styles/app.css"

/** Events keep records fresh while the stream is connected, so nothing is asked again by time or focus. The client repeats requests itself. */
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (count, error) => count < 1 && !(error instanceof AnswerError)
    },
    mutations: { retry: false }
  }
})

const router = makeRouter()

/** Operators have a session of their own. No link leads from their pages to those of an organization, or back. */
const forOperators = /^\/operator(?:\/|$)/.test(location.pathname)

const App = () => {
  const active = useSyncExternalStore(onLanguage, language)
  return (
    <QueryClientProvider client={client}>
      <SessionProvider enabled={!forOperators}>
        {/* Texts are written where they are shown: in another language everything is written again. */}
        <RouterProvider key={active} router={router} />
      </SessionProvider>
    </QueryClientProvider>
  )
}

startTheme()
await activate(preferredLanguage())
const root = document.getElementById("root")
if (root === null) throw new Error("The page has no element for its content.")
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>
)

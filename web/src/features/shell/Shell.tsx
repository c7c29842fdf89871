/** What is around every page of a signed-in person: navigation, palette, keys, live updates, toasts. */
import { useQueryClient } from "@tanstack/react-query"
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router"
import { PhoneOutgoing } from "lucide-react"
import { lazy, Suspense, useEffect, useState } from "react"
import { parley } from "../../api/client.ts"
import { eventSink, storeMessage } from "../../api/live.ts"
import { onSent, startOutbox } from "../../api/outbox.ts"
import { useSession, useSessionState } from "../../api/session.tsx"
import { openStream } from "../../api/stream.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { Toasts } from "../../components/Toasts.tsx"
import { can } from "../../lib/can.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { read, write } from "../../lib/storage.ts"
import { undoLatest } from "../../lib/toasts.ts"
import { SignInForm } from "../session/SignInForm.tsx"
import { useActions } from "./actions.ts"
import { Nav, TabBar } from "./Nav.tsx"
import { usePlaces } from "./places.ts"

const Palette = lazy(() => import("./Palette.tsx"))
const Dialer = lazy(() => import("../dialer/Dialer.tsx"))
const Shortcuts = lazy(() => import("./Shortcuts.tsx"))

/** Pages that need the room begin with the rail. */
const narrowPages = /^\/(inbox|calls|live|agents\/)/

export const Shell = () => {
  const session = useSession()
  const { over, signIn } = useSessionState()
  const client = useQueryClient()
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [opened, setOpened] = useState<"palette" | "keys" | "dialer">()
  const [names, setNames] = useState(() => read("nav"))
  const wide = names === undefined ? !narrowPages.test(path) : names === "names"
  const { organizationId } = session
  const me = session.user.id

  useEffect(() => {
    onSent(async (id) => storeMessage(client, await parley.messages.get(id), me))
    startOutbox()
  }, [client, me])
  useEffect(
    () => (over ? undefined : openStream(organizationId, eventSink(client, me))),
    [client, organizationId, me, over]
  )

  const goTo = Object.fromEntries(usePlaces().map(({ to, letter }) => [`g ${letter}`, () => void navigate({ to })]))
  useKeys({
    ...goTo,
    "g s": () => void navigate({ to: "/settings" }),
    "Mod+k": () => setOpened("palette"),
    "Shift+?": () => setOpened("keys"),
    "?": () => setOpened("keys"),
    ...(can(session, "voice:write") ? { c: () => setOpened("dialer") } : {}),
    z: undoLatest,
    "[": () => {
      const next = wide ? "rail" : "names"
      write("nav", next)
      setNames(next)
    }
  })
  useActions(
    can(session, "voice:write")
      ? [{ id: "dialer", label: t("Place a call"), icon: PhoneOutgoing, keys: "C", run: () => setOpened("dialer") }]
      : []
  )
  return (
    <div className="flex h-full flex-col md:flex-row">
      <a
        href="#content"
        className="absolute start-2 top-2 z-50 -translate-y-20 rounded-control bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0"
      >
        {t("Skip to the content")}
      </a>
      <Nav wide={wide} onSearch={() => setOpened("palette")} />
      <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
        <Outlet />
      </main>
      <TabBar />
      <Toasts />
      <Suspense>
        {opened === "palette" && <Palette onClose={() => setOpened(undefined)} />}
        {opened === "dialer" && <Dialer onClose={() => setOpened(undefined)} />}
        {opened === "keys" && <Shortcuts onClose={() => setOpened(undefined)} />}
      </Suspense>
      {over && (
        <Dialog title={t("Please sign in again")} onClose={() => undefined}>
          <p className="mb-3 text-ink-2">{t("Your session is over. What you have written is kept.")}</p>
          <SignInForm email={session.user.email} signIn={signIn} />
        </Dialog>
      )}
    </div>
  )
}

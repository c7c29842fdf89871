/** Calls, voice agents and numbers. */
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { signedIn } from "./root.tsx"
import { amount, defined, oneOf, text } from "./search.ts"

interface CallsSearch {
  readonly direction?: "inbound" | "outbound"
  readonly agent?: string
  readonly end?: string
  readonly phone?: string
  readonly from?: string
  readonly to?: string
  /** Calls in which an answer took longer than so many milliseconds. */
  readonly slow?: number
}

const callsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/calls",
  validateSearch: (search): CallsSearch =>
    defined({
      direction: oneOf(["inbound", "outbound"] as const, search.direction),
      agent: text(search.agent),
      end: text(search.end),
      phone: text(search.phone),
      from: text(search.from),
      to: text(search.to),
      slow: amount(search.slow)
    }),
  component: lazyRouteComponent(() => import("../routes/Calls.tsx"))
})

const callRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/calls/$id",
  /** `t`: the second to hear it from; `slow`: from the first wait that is longer than so many milliseconds. */
  validateSearch: (search): { t?: number; slow?: number } =>
    defined({ t: amount(search.t), slow: amount(search.slow) }),
  component: lazyRouteComponent(() => import("../routes/CallPage.tsx"))
})

const agentsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/agents",
  component: lazyRouteComponent(() => import("../routes/Agents.tsx"))
})

const agentRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/agents/$id",
  beforeLoad: ({ params: { id } }) => {
    throw redirect({ to: "/agents/$id/$section", params: { id, section: "basics" }, replace: true })
  }
})

const agentSectionRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/agents/$id/$section",
  component: lazyRouteComponent(() => import("../routes/AgentPage.tsx"))
})

const liveRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/live",
  validateSearch: (search): { call?: string } => defined({ call: text(search.call) }),
  component: lazyRouteComponent(() => import("../routes/Live.tsx"))
})

const numbersRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/numbers",
  component: lazyRouteComponent(() => import("../routes/Numbers.tsx"))
})

const sipRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/numbers/sip",
  component: lazyRouteComponent(() => import("../routes/NumbersSip.tsx"))
})

const voicemailsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/voicemails",
  component: lazyRouteComponent(() => import("../routes/VoicemailList.tsx"))
})

export const voiceRoutes = [
  callsRoute,
  callRoute,
  agentsRoute,
  agentRoute,
  agentSectionRoute,
  liveRoute,
  numbersRoute,
  sipRoute,
  voicemailsRoute
] as const

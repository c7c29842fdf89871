/** The pages of operators, in a frame of their own. No organization's session opens them. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { rootRoute } from "./root.tsx"
import { defined, oneOf, text, words } from "./search.ts"

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/operator/sign-in",
  validateSearch: (search): { next?: string } => defined({ next: text(search.next) }),
  component: lazyRouteComponent(() => import("../routes/operator/OperatorSignIn.tsx"))
})

const frame = createRoute({
  getParentRoute: () => rootRoute,
  id: "operator-frame",
  component: lazyRouteComponent(() => import("../routes/operator/OperatorFrame.tsx"))
})

const overviewRoute = createRoute({
  getParentRoute: () => frame,
  path: "/operator",
  component: lazyRouteComponent(() => import("../routes/operator/Overview.tsx"))
})

const plans = ["FREE", "STARTER", "PRO", "PREMIUM", "ENTERPRISE"] as const
const stages = ["staging", "production"] as const

const organizationsRoute = createRoute({
  getParentRoute: () => frame,
  path: "/operator/organizations",
  validateSearch: (search): { search?: string; plan?: (typeof plans)[number]; stage?: (typeof stages)[number] } =>
    defined({ search: words(search.search), plan: oneOf(plans, search.plan), stage: oneOf(stages, search.stage) }),
  component: lazyRouteComponent(() => import("../routes/operator/OrganizationList.tsx"))
})

const organizationRoute = createRoute({
  getParentRoute: () => frame,
  path: "/operator/organizations/$id",
  component: lazyRouteComponent(() => import("../routes/operator/OrganizationView.tsx"))
})

const flagsRoute = createRoute({
  getParentRoute: () => frame,
  path: "/operator/flags",
  component: lazyRouteComponent(() => import("../routes/operator/FlagGates.tsx"))
})

const resyncsRoute = createRoute({
  getParentRoute: () => frame,
  path: "/operator/resyncs",
  component: lazyRouteComponent(() => import("../routes/operator/Resyncs.tsx"))
})

const nodesRoute = createRoute({
  getParentRoute: () => frame,
  path: "/operator/nodes",
  component: lazyRouteComponent(() => import("../routes/operator/Nodes.tsx"))
})

const providersRoute = createRoute({
  getParentRoute: () => frame,
  path: "/operator/providers",
  component: lazyRouteComponent(() => import("../routes/operator/Providers.tsx"))
})

const eventsRoute = createRoute({
  getParentRoute: () => frame,
  path: "/operator/events",
  validateSearch: (search): { type?: string } => defined({ type: text(search.type) }),
  component: lazyRouteComponent(() => import("../routes/operator/Events.tsx"))
})

export const operatorRoutes = [
  signInRoute,
  frame.addChildren([
    overviewRoute,
    organizationsRoute,
    organizationRoute,
    flagsRoute,
    resyncsRoute,
    nodesRoute,
    providersRoute,
    eventsRoute
  ])
] as const

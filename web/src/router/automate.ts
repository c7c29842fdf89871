/** Knowledge, and the text agents that use it. */
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { signedIn } from "./root.tsx"
import { defined, text } from "./search.ts"

const knowledgeRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/knowledge",
  component: lazyRouteComponent(() => import("../routes/Knowledge.tsx"))
})

const knowledgeBaseRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/knowledge/$id",
  component: lazyRouteComponent(() => import("../routes/KnowledgeBase.tsx"))
})

const botsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/bots",
  component: lazyRouteComponent(() => import("../routes/Bots.tsx"))
})

const botRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/bots/$id",
  beforeLoad: ({ params: { id } }) => {
    throw redirect({ to: "/bots/$id/$section", params: { id, section: "basics" }, replace: true })
  }
})

const botSectionRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/bots/$id/$section",
  component: lazyRouteComponent(() => import("../routes/BotPage.tsx"))
})

const evaluationsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/evaluations",
  component: lazyRouteComponent(() => import("../routes/Evaluations.tsx"))
})

const evaluationRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/evaluations/$id",
  /** The runs that stand beside each other. */
  validateSearch: (search): { left?: string; right?: string } =>
    defined({ left: text(search.left), right: text(search.right) }),
  component: lazyRouteComponent(() => import("../routes/EvaluationPage.tsx"))
})

export const automateRoutes = [
  knowledgeRoute,
  knowledgeBaseRoute,
  botsRoute,
  botRoute,
  botSectionRoute,
  evaluationsRoute,
  evaluationRoute
] as const

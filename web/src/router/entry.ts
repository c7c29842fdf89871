/** Pages for somebody who is not signed in, and the gallery of components. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { rootRoute } from "./root.tsx"
import { text } from "./search.ts"

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search): { next?: string } => {
    const next = text(search.next)
    return next === undefined ? {} : { next }
  },
  component: lazyRouteComponent(() => import("../routes/SignIn.tsx"))
})

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/setup",
  component: lazyRouteComponent(() => import("../routes/SetUp.tsx"))
})

const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/invite",
  component: lazyRouteComponent(() => import("../routes/Invite.tsx"))
})

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset",
  component: lazyRouteComponent(() => import("../routes/Reset.tsx"))
})

const galleryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/gallery",
  component: lazyRouteComponent(() => import("../routes/Gallery.tsx"))
})

export const entryRoutes = [signInRoute, setUpRoute, inviteRoute, resetRoute, galleryRoute] as const

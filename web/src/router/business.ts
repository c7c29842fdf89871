/** Integrations, the modules, payments and analytics. */
import type { Cart } from "@parley/client"
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { signedIn } from "./root.tsx"
import { defined, oneOf, text, words } from "./search.ts"

const integrationsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/integrations",
  validateSearch: (search): { search?: string } => defined({ search: words(search.search) }),
  component: lazyRouteComponent(() => import("../routes/Integrations.tsx"))
})

const integrationRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/integrations/$provider",
  component: lazyRouteComponent(() => import("../routes/Integration.tsx"))
})

/** The filter of a list of records, and the one that is open. */
const recordsSearch = (search: Record<string, unknown>): { search?: string; archived?: boolean; open?: string } =>
  defined({
    search: words(search.search),
    archived: search.archived === true ? true : undefined,
    open: text(search.open)
  })

const companiesRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/companies",
  validateSearch: recordsSearch,
  component: lazyRouteComponent(() => import("../routes/Companies.tsx"))
})

const productsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/products",
  validateSearch: recordsSearch,
  component: lazyRouteComponent(() => import("../routes/Products.tsx"))
})

const ordersRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/orders",
  validateSearch: recordsSearch,
  component: lazyRouteComponent(() => import("../routes/Orders.tsx"))
})

const suppliersRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/suppliers",
  validateSearch: recordsSearch,
  component: lazyRouteComponent(() => import("../routes/Suppliers.tsx"))
})

const cartsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/carts",
  validateSearch: (search): { state?: Cart["state"] } =>
    defined({ state: oneOf(["open", "abandoned", "ordered", "recovered"] as const, search.state) }),
  component: lazyRouteComponent(() => import("../routes/Carts.tsx"))
})

const paymentLinksRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/payment-links",
  component: lazyRouteComponent(() => import("../routes/PaymentLinks.tsx"))
})

interface AnalyticsSearch {
  readonly from?: string
  readonly to?: string
  readonly by?: "day" | "week" | "month"
}

const analyticsRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/analytics",
  beforeLoad: () => {
    throw redirect({ to: "/analytics/$tab", params: { tab: "overview" }, replace: true })
  }
})

const analyticsTabRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/analytics/$tab",
  validateSearch: (search): AnalyticsSearch =>
    defined({
      from: text(search.from),
      to: text(search.to),
      by: oneOf(["day", "week", "month"] as const, search.by)
    }),
  component: lazyRouteComponent(() => import("../routes/Analytics.tsx"))
})

export const businessRoutes = [
  integrationsRoute,
  integrationRoute,
  companiesRoute,
  productsRoute,
  ordersRoute,
  suppliersRoute,
  cartsRoute,
  paymentLinksRoute,
  analyticsRoute,
  analyticsTabRoute
] as const

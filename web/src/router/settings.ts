/** The settings, in their frame. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { signedIn } from "./root.tsx"
import { defined, oneOf, text } from "./search.ts"

/** Around all pages of the settings: what somebody may not see, it does not show. */
const settingsFrame = createRoute({
  getParentRoute: () => signedIn,
  id: "settings-frame",
  component: lazyRouteComponent(() => import("../routes/settings/Frame.tsx"))
})

const settingsRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings",
  component: lazyRouteComponent(() => import("../routes/settings/Settings.tsx"))
})

const hoursRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/hours",
  component: lazyRouteComponent(() => import("../routes/settings/Hours.tsx"))
})

const webhooksRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/webhooks",
  component: lazyRouteComponent(() => import("../routes/settings/Webhooks.tsx"))
})

const webhookRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/webhooks/$id",
  validateSearch: (search): { delivery?: string } => defined({ delivery: text(search.delivery) }),
  component: lazyRouteComponent(() => import("../routes/settings/WebhookPage.tsx"))
})

const keysRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/keys",
  component: lazyRouteComponent(() => import("../routes/settings/Keys.tsx"))
})

const teamRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/team",
  component: lazyRouteComponent(() => import("../routes/settings/Team.tsx"))
})

const auditRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/audit",
  validateSearch: (search): { action?: string; actor?: string; from?: string; to?: string } =>
    defined({ action: text(search.action), actor: text(search.actor), from: text(search.from), to: text(search.to) }),
  component: lazyRouteComponent(() => import("../routes/settings/Audit.tsx"))
})

const toolAuditRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/tool-audit",
  validateSearch: (search): { name?: string; agent?: string; outcome?: "ok" | "error"; from?: string; to?: string } =>
    defined({
      name: text(search.name),
      agent: text(search.agent),
      outcome: oneOf(["ok", "error"] as const, search.outcome),
      from: text(search.from),
      to: text(search.to)
    }),
  component: lazyRouteComponent(() => import("../routes/settings/ToolAudit.tsx"))
})

const organizationRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/organization",
  component: lazyRouteComponent(() => import("../routes/settings/Organization.tsx"))
})

const mcpRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/mcp",
  component: lazyRouteComponent(() => import("../routes/settings/Mcp.tsx"))
})

const mcpServerRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/mcp/$id",
  component: lazyRouteComponent(() => import("../routes/settings/McpServer.tsx"))
})

const usageRoute = createRoute({
  getParentRoute: () => settingsFrame,
  path: "/settings/usage",
  component: lazyRouteComponent(() => import("../routes/settings/Usage.tsx"))
})

export const settingsRoutes = settingsFrame.addChildren([
  settingsRoute,
  hoursRoute,
  webhooksRoute,
  webhookRoute,
  keysRoute,
  teamRoute,
  auditRoute,
  toolAuditRoute,
  organizationRoute,
  mcpRoute,
  mcpServerRoute,
  usageRoute
])

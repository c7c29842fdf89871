/**
 * The addresses of the dashboard's pages. Each answers with the same HTML, whose script shows the page. Other addresses are 404 as before: a mistyped
 * route of the interface must not look like a page. `test/web/routes.test.ts` compares this list with the routes of `web`.
 */
export const dashboardPages = [
  "/",
  "/sign-in",
  "/setup",
  "/invite",
  "/reset",
  "/inbox",
  "/contacts",
  "/contacts/:id",
  "/broadcasts",
  "/broadcasts/:id",
  "/templates",
  "/quick-replies",
  "/calls",
  "/calls/:id",
  "/agents",
  "/agents/:id",
  "/agents/:id/:section",
  "/integrations",
  "/integrations/:provider",
  "/companies",
  "/products",
  "/orders",
  "/suppliers",
  "/payment-links",
  "/analytics",
  "/analytics/:tab",
  "/live",
  "/numbers",
  "/numbers/sip",
  "/voicemails",
  "/settings",
  "/settings/hours",
  "/settings/webhooks",
  "/settings/webhooks/:id",
  "/settings/keys",
  "/settings/team",
  "/settings/organization",
  "/settings/mcp",
  "/settings/mcp/:id",
  "/settings/usage",
  "/settings/audit",
  "/settings/tool-audit",
  "/you",
  "/gallery",
  "/go/:id"
] as const

/** Where the files of the pages are. Their names contain the hash of their content. */
export const assetPath = "/assets/:file"

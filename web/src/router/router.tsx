/** The routes. Pages are fetched when they are first opened; `test/web/routes.test.ts` compares their addresses with those that the service answers. */
import { AnswerError } from "@parley/client"
import { createRoute, createRouter, redirect } from "@tanstack/react-router"
import { parley } from "../api/client.ts"
import { Empty } from "../components/States.tsx"
import { t } from "../lib/i18n.ts"
import { automateRoutes } from "./automate.ts"
import { businessRoutes } from "./business.ts"
import { entryRoutes } from "./entry.ts"
import { operatorRoutes } from "./operator.ts"
import { peopleRoutes } from "./people.ts"
import { rootRoute, signedIn } from "./root.tsx"
import { settingsRoutes } from "./settings.ts"
import { voiceRoutes } from "./voice.ts"

/** The conversation of a message; undefined when there is no such message. */
const conversationOf = async (id: string): Promise<string | undefined> => {
  try {
    return (await parley.messages.get(id)).conversationId
  } catch (cause) {
    if (cause instanceof AnswerError && cause.status === 404) return undefined
    throw cause
  }
}

/** Ids in logs, CRMs and e-mails open: `/go/cnv_…`. */
const goRoute = createRoute({
  getParentRoute: () => signedIn,
  path: "/go/$id",
  beforeLoad: async ({ params: { id } }) => {
    if (id.startsWith("msg_")) {
      // A message is shown in its conversation, which only the service knows. One that is gone leads nowhere, as other ids do.
      const c = await conversationOf(id)
      if (c !== undefined) throw redirect({ to: "/inbox", search: { c }, hash: id, replace: true })
    }
    if (id.startsWith("cnv_")) throw redirect({ to: "/inbox", search: { c: id }, replace: true })
    if (id.startsWith("cnt_")) throw redirect({ to: "/contacts/$id", params: { id }, replace: true })
    if (id.startsWith("agt_"))
      throw redirect({ to: "/agents/$id/$section", params: { id, section: "basics" }, replace: true })
    if (id.startsWith("bot_"))
      throw redirect({ to: "/bots/$id/$section", params: { id, section: "basics" }, replace: true })
    if (id.startsWith("evs_")) throw redirect({ to: "/evaluations/$id", params: { id }, replace: true })
    if (id.startsWith("kb_")) throw redirect({ to: "/knowledge/$id", params: { id }, replace: true })
    if (id.startsWith("call_")) throw redirect({ to: "/calls/$id", params: { id }, replace: true })
    if (id.startsWith("whk_")) throw redirect({ to: "/settings/webhooks/$id", params: { id }, replace: true })
    if (id.startsWith("mcs_")) throw redirect({ to: "/settings/mcp/$id", params: { id }, replace: true })
    if (id.startsWith("ord_")) throw redirect({ to: "/orders", search: { open: id }, replace: true })
    if (id.startsWith("cmp_")) throw redirect({ to: "/companies", search: { open: id }, replace: true })
    if (id.startsWith("prd_")) throw redirect({ to: "/products", search: { open: id }, replace: true })
    if (id.startsWith("sup_")) throw redirect({ to: "/suppliers", search: { open: id }, replace: true })
    if (id.startsWith("brd_")) throw redirect({ to: "/broadcasts/$id", params: { id }, replace: true })
    if (id.startsWith("tpl_")) throw redirect({ to: "/templates", search: { open: id }, replace: true })
  },
  component: () => <Empty title={t("There is nothing at this address.")} />
})

export const routeTree = rootRoute.addChildren([
  ...entryRoutes,
  ...operatorRoutes,
  signedIn.addChildren([...peopleRoutes, ...voiceRoutes, ...automateRoutes, ...businessRoutes, settingsRoutes, goRoute])
])

export const makeRouter = () => createRouter({ routeTree, defaultPreload: false, scrollRestoration: false })

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}

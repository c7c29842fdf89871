/** Every page of the dashboard with an address that shows something. A new page with a parameter needs an example here. */
import { dashboardPages } from "../../../src/http/dashboard/DashboardPages.ts"

/** What is asked for the ids of records. */
export interface Given {
  readonly ask: <A>(method: "GET" | "POST", path: string, body?: object) => Promise<A>
  readonly callId: string
  readonly agentId: string
}

/** The ids that stand for the parameters of pages. */
const examples = async ({ ask, callId, agentId }: Given): Promise<Readonly<Record<string, string>>> => {
  const { data: contacts } = await ask<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
    "GET",
    "/api/messaging-api/contacts?search=Elena"
  )
  const { data: broadcasts } = await ask<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
    "GET",
    "/api/messaging-api/broadcasts"
  )
  const broadcast =
    broadcasts[0] ??
    (await ask<{ readonly id: string }>("POST", "/api/messaging-api/broadcasts", {
      ...{ name: "Answers", templateName: "we_have_an_answer", language: "en_US", audience: { all: true } },
      components: [{ type: "body", parameters: [{ type: "text", text: "there" }] }]
    }))
  const { data: webhooks } = await ask<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
    "GET",
    "/api/webhook-endpoints"
  )
  const webhook =
    webhooks[0] ??
    (await ask<{ readonly id: string }>("POST", "/api/webhook-endpoints", {
      ...{ url: "https://example.com/orders", enabled: false }
    }))
  const { data: servers } = await ask<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
    "GET",
    "/api/mcp-servers"
  )
  const server =
    servers[0] ??
    (await ask<{ readonly id: string }>("POST", "/api/mcp-servers", {
      ...{ name: "Parcels", url: "https://mcp.parcels.invalid/mcp", auth: { type: "none" } }
    }))
  const { data: bases } = await ask<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
    "GET",
    "/api/knowledge-bases"
  )
  const base = bases[0] ?? (await ask<{ readonly id: string }>("POST", "/api/knowledge-bases", { name: "Shop" }))
  const { data: bots } = await ask<{ readonly data: ReadonlyArray<{ readonly id: string }> }>("GET", "/api/ai-agents")
  const bot = bots[0] ?? (await ask<{ readonly id: string }>("POST", "/api/ai-agents", { name: "Shop assistant" }))
  const { data: evaluations } = await ask<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
    "GET",
    "/api/evaluations"
  )
  const evaluation =
    evaluations[0] ??
    (await ask<{ readonly id: string }>("POST", "/api/evaluations", {
      ...{ name: "Orders", conversations: [{ name: "Asks for an order", turns: [{ contact: "Is my order ready?" }] }] }
    }))
  return {
    "/bots/:id": `/bots/${bot.id}`,
    "/bots/:id/:section": `/bots/${bot.id}/handover`,
    "/evaluations/:id": `/evaluations/${evaluation.id}`,
    "/knowledge/:id": `/knowledge/${base.id}`,
    "/broadcasts/:id": `/broadcasts/${broadcast.id}`,
    "/contacts/:id": `/contacts/${contacts[0].id}`,
    "/calls/:id": `/calls/${callId}`,
    "/agents/:id": `/agents/${agentId}`,
    "/agents/:id/:section": `/agents/${agentId}/voice`,
    "/analytics/:tab": "/analytics/calls",
    "/integrations/:provider": "/integrations/hubspot",
    "/settings/webhooks/:id": `/settings/webhooks/${webhook.id}`,
    "/settings/mcp/:id": `/settings/mcp/${server.id}`,
    "/go/:id": `/go/${callId}`
  }
}

/** The conversation with every kind of mark: a label, a note, a link, an answer. */
export const exampleConversation = async ({ ask }: Pick<Given, "ask">): Promise<string> => {
  const { data } = await ask<{
    readonly data: ReadonlyArray<{ readonly id: string; readonly contact: { readonly name: string | null } }>
  }>("GET", "/api/messaging-api/chats?limit=100")
  const found = data.find(({ contact }) => contact.name === "Elena Sørensen")
  if (found === undefined) throw new Error("The demo's organization has no conversation with Elena Sørensen.")
  return found.id
}

/** The pages that are seen before signing in. */
export const entryPages: ReadonlyArray<string> = [
  "/sign-in",
  "/setup",
  "/invite#inv_token",
  "/reset",
  "/operator/sign-in"
]

/** The pages of operators who are signed in. */
export const operatorAddresses = (organizationId: string): ReadonlyArray<string> =>
  dashboardPages
    .filter((page) => page.startsWith("/operator") && !entryPages.includes(page))
    .map((page) => page.replace("/organizations/:id", `/organizations/${organizationId}`))

/** The addresses of the pages for people who are signed in. */
export const addresses = async (given: Given): Promise<ReadonlyArray<string>> => {
  const known = await examples(given)
  const withoutSession = new Set(entryPages.map((page) => page.split("#")[0]))
  const all = dashboardPages.filter((page) => !withoutSession.has(page) && !page.startsWith("/operator"))
  const missing = all.filter((page) => page.includes(":") && known[page] === undefined)
  if (missing.length > 0) throw new Error(`Say in test/web/browser/Addresses.ts what ${missing.join(", ")} shows.`)
  return [...all.map((page) => known[page] ?? page), `/inbox?c=${await exampleConversation(given)}`, "/analytics/cost"]
}

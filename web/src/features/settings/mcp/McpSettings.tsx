/** Assistants that work here, and servers of others that our agents work with. */
import { useOrganization } from "../../../api/organization.ts"
import { PageBody, PageHead } from "../../../components/Page.tsx"
import { t } from "../../../lib/i18n.ts"
import { Assistants } from "./Assistants.tsx"
import { ConnectCard } from "./ConnectCard.tsx"
import { Servers } from "./Servers.tsx"

export const McpSettings = () => {
  const { data } = useOrganization()
  const feature = data?.features.find(({ id }) => id === "mcp")
  return (
    <>
      <PageHead title={t("Assistants and MCP")} />
      <PageBody>
        {feature?.available === false && (
          <p className="rounded-card bg-warn-soft px-4 py-3 text-warn">{feature.reason}</p>
        )}
        <ConnectCard />
        <Assistants />
        <Servers available={feature?.available === true} />
      </PageBody>
    </>
  )
}

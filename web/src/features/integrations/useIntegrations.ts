/** The catalogue of integrations, and one of them. */
import type { Integration } from "@parley/client"
import { type QueryClient, useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"

export const useIntegrations = () =>
  useQuery({
    queryKey: keys.integrations,
    queryFn: ({ signal }) => parley.integrations.list({ signal }).then(({ data }) => data)
  })

const askEveryMs = 2_000

/** What goes on by itself, and is looked at until it has ended. */
const isBusy = ({ connection }: Integration): boolean =>
  connection?.enabled === true &&
  (connection.backfill.state === "running" || connection.pulls.some(({ state }) => state === "running"))

/** One integration, asked for again while it sends or takes over many records. */
export const useIntegration = (provider: string) =>
  useQuery({
    queryKey: keys.integration(provider),
    queryFn: ({ signal }) => parley.integrations.get(provider, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isBusy(state.data) ? askEveryMs : false)
  })

/** Shows the integration as the service has just answered it. */
export const showIntegration = (client: QueryClient, integration: Integration): void => {
  const { provider } = integration
  client.setQueryData(keys.integration(provider), integration)
  client.setQueryData<ReadonlyArray<Integration>>(keys.integrations, (all) =>
    all?.map((one) => (one.provider === provider ? integration : one))
  )
  // Without a connection there are no lists: what still stands on the page must not ask for them.
  const lists = { queryKey: keys.integrationLists(provider) }
  if (integration.connection === null) client.removeQueries(lists)
  else void client.invalidateQueries(lists)
}

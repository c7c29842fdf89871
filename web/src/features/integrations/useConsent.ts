/**
 * Consent at the provider, in a window of its own. The policy of this page cuts the tie to windows of others, so the service is asked until the connection
 * has changed.
 */
import type { Integration } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { t } from "../../lib/i18n.ts"
import { say, sayProblem } from "../../lib/toasts.ts"
import { showIntegration } from "./useIntegrations.ts"

const askEveryMs = 2_000
/** How long the service waits for the consent. */
const waitsMs = 10 * 60_000

/** What changes when somebody has agreed. */
const mark = ({ connection }: Integration) =>
  connection === null ? "" : `${connection.id} ${connection.state} ${connection.updatedAt}`

/** Where the consent of a team chat begins: this address leads to it. Others have one for each attempt. */
const teamChatAddress = (provider: string) => `/api/integrations/${encodeURIComponent(provider)}/connect`

export const useConsent = (integration: Integration) => {
  const client = useQueryClient()
  const { provider, kind, title } = integration
  const [since, setSince] = useState<{ readonly at: number; readonly mark: string }>()
  const asked = useQuery({
    queryKey: [...keys.integration(provider), "consent"],
    enabled: since !== undefined,
    gcTime: 0,
    refetchInterval: askEveryMs,
    refetchIntervalInBackground: true,
    queryFn: ({ signal }) => parley.integrations.get(provider, { signal })
  }).data
  useEffect(() => {
    if (since === undefined || asked === undefined) return
    if (mark(asked) !== since.mark) {
      setSince(undefined)
      showIntegration(client, asked)
      say(t("{name} is connected.", { name: title }))
    } else if (Date.now() - since.at > waitsMs) setSince(undefined)
  }, [since, asked, client, title])

  const begin = async () => {
    // Opened at once: browsers allow windows only while a press is fresh.
    const opened = window.open(
      kind === "team_chat" ? teamChatAddress(provider) : "",
      "_blank",
      "popup,width=640,height=760"
    )
    if (opened === null)
      return say(t("The browser has blocked the window. Allow windows of this page."), undefined, "bad")
    try {
      if (kind !== "team_chat") opened.location.href = (await parley.integrations.authorize(provider)).url
      setSince({ at: Date.now(), mark: mark(integration) })
    } catch (cause) {
      opened.close()
      sayProblem(cause)
    }
  }
  return { waiting: since !== undefined, begin: () => void begin(), stop: () => setSince(undefined) }
}

import type { WebhookEndpointWithSecret } from "@parley/client"
import { SecretOnce } from "../../../components/SecretOnce.tsx"
import { t } from "../../../lib/i18n.ts"

/** The secret that an endpoint has just got. */
export const WebhookSecret = ({
  endpoint,
  onKept
}: {
  readonly endpoint: WebhookEndpointWithSecret
  readonly onKept: () => void
}) => (
  <SecretOnce
    title={t("The secret of the webhook")}
    facts={[[t("Address"), endpoint.url]]}
    secret={[t("Secret: with it your server checks that a request comes from us"), endpoint.secret]}
    onKept={onKept}
  />
)

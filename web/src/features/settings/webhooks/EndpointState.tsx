import type { WebhookEndpoint } from "@parley/client"
import { Chip } from "../../../components/Chip.tsx"
import { t } from "../../../lib/i18n.ts"

/** Whether an endpoint gets events. */
export const EndpointState = ({
  endpoint: { enabled, disabledReason, failingSince, hook }
}: {
  readonly endpoint: WebhookEndpoint
}) => (
  <span className="flex flex-wrap gap-1">
    {hook && <Chip>{t("made by an automation tool")}</Chip>}
    {enabled ? (
      failingSince === null ? (
        <Chip tone="good">{t("on")}</Chip>
      ) : (
        <Chip tone="warn">{t("failing")}</Chip>
      )
    ) : disabledReason === null ? (
      <Chip>{t("off")}</Chip>
    ) : (
      <Chip tone="danger">{t("turned off by us")}</Chip>
    )}
  </span>
)

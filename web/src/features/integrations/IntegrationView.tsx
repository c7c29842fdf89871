/** One integration: how it does, how it is set up, what was sent and what went wrong. */
import type { Integration } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { ArrowLeft, ExternalLink, Lock } from "lucide-react"
import type { ReactNode } from "react"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { t } from "../../lib/i18n.ts"
import { ConnectForm } from "./ConnectForm.tsx"
import { Health } from "./Health.tsx"
import { Log } from "./Log.tsx"
import { PaymentSettings } from "./PaymentSettings.tsx"
import { Problems } from "./Problems.tsx"
import { Records } from "./Records.tsx"
import { SlackChannels } from "./SlackChannels.tsx"
import { useConsent } from "./useConsent.ts"
import { useIntegration } from "./useIntegrations.ts"
import { WhatsApp } from "./WhatsApp.tsx"
import { gains, kinds } from "./words.ts"

const Frame = ({
  title,
  kind,
  children
}: {
  readonly title: string
  readonly kind?: string
  readonly children: ReactNode
}) => (
  <>
    <PageHead title={title} beside={kind !== undefined && <span className="text-ink-3">{kind}</span>}>
      <Link to="/integrations" className={buttonClass({})}>
        <Icon of={ArrowLeft} className="rtl:rotate-180" /> {t("All integrations")}
      </Link>
    </PageHead>
    <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
      <div className="mx-auto flex max-w-[720px] flex-col gap-4">{children}</div>
    </div>
  </>
)

/** Consent at the provider instead of credentials. */
const Consent = ({ integration }: { readonly integration: Integration }) => {
  const { title, connection } = integration
  const { waiting, begin, stop } = useConsent(integration)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button tone="primary" icon={ExternalLink} disabled={waiting} onClick={begin}>
        {connection === null ? t("Agree at {name}", { name: title }) : t("Agree at {name} again", { name: title })}
      </Button>
      {waiting && (
        <>
          <span role="status" className="text-ink-2">
            {t("Waiting for the other window…")}
          </span>
          <Button small tone="quiet" onClick={stop}>
            {t("Stop waiting")}
          </Button>
        </>
      )}
    </div>
  )
}

const SetUp = ({ integration }: { readonly integration: Integration }) => {
  const { refusal, authorizes, fields, connection, kind, notice } = integration
  return (
    <Card title={connection === null ? t("Connect") : t("Set-up")}>
      {connection === null && <p className="text-ink-2">{t(gains[kind])}</p>}
      {notice !== null && <p className="rounded-lg bg-warn-soft px-3 py-2 text-warn">{notice}</p>}
      {refusal !== null ? (
        <p className="flex items-center gap-2 rounded-card border border-dashed border-line-strong px-4 py-3">
          <Icon of={Lock} className="text-ink-3" /> {refusal}
        </p>
      ) : (
        <>
          {authorizes && <Consent integration={integration} />}
          {fields.length > 0 &&
            (!authorizes || connection !== null || fields.some(({ type }) => type === "secret")) && (
              <ConnectForm key={connection?.id ?? "new"} integration={integration} />
            )}
          {!authorizes && fields.length === 0 && (
            <p className="text-ink-2">{t("Whoever runs this service has to set it up first.")}</p>
          )}
        </>
      )}
    </Card>
  )
}

const Loaded = ({ provider }: { readonly provider: string }) => {
  const { data, error, refetch } = useIntegration(provider)
  if (data === undefined)
    return (
      <Frame title={t("Integration")}>
        {error === null ? <ListSkeleton /> : <ErrorBlock error={error} again={() => void refetch()} />}
      </Frame>
    )
  const { connection, kind, title } = data
  return (
    <Frame title={title} kind={t(kinds[kind])}>
      {connection !== null && <Health integration={data} connection={connection} />}
      <SetUp integration={data} />
      {connection !== null && (
        <>
          {kind === "team_chat" && connection.state === "connected" && <SlackChannels />}
          {kind === "payments" && <PaymentSettings />}
          <Records integration={data} connection={connection} />
          <Problems integration={data} connection={connection} />
          <Log provider={provider} />
        </>
      )}
    </Frame>
  )
}

export const IntegrationView = ({ provider }: { readonly provider: string }) =>
  provider === "whatsapp" ? (
    <Frame title="WhatsApp" kind={t("Messages of contacts")}>
      <WhatsApp />
    </Frame>
  ) : (
    <Loaded key={provider} provider={provider} />
  )

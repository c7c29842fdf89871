/** What the organization's own carrier signs in with. Reading may make it, so it is asked by a button, and its password is kept in no cache. */
import type { SipCredentials } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { useSession } from "../../api/session.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { SecretOnce } from "../../components/SecretOnce.tsx"
import { Empty, Problem } from "../../components/States.tsx"
import { TypedName } from "../../components/TypedName.tsx"
import { isAdmin } from "../../lib/can.ts"
import { t } from "../../lib/i18n.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { say } from "../../lib/toasts.ts"

type Known = Omit<SipCredentials, "password">

const Fact = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div>
    <dt className="text-small text-ink-3">{label}</dt>
    <dd className="font-mono text-small select-all" dir="ltr">
      {value}
    </dd>
  </div>
)

export const Sip = () => {
  const session = useSession()
  const [known, setKnown] = useState<Known>()
  /** In this component's memory only, until the person has kept it. */
  const [fresh, setFresh] = useState<SipCredentials>()
  const [revoking, setRevoking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const ask = async (request: () => Promise<SipCredentials>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const credentials = await request()
      const { password: _, ...rest } = credentials
      setKnown(rest)
      if (credentials.isNew) setFresh(credentials)
    } catch (cause) {
      setProblem(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  if (!isAdmin(session)) return <Empty title={t("There is nothing at this address.")} />
  return (
    <>
      <PageHead title={t("Own carrier (SIP)")}>
        <Link to="/numbers" className={buttonClass({})}>
          <Icon of={ArrowLeft} /> {t("Numbers")}
        </Link>
      </PageHead>
      <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
        <div className="mx-auto flex max-w-[720px] flex-col gap-3">
          <Card title={t("How your carrier reaches your agents")}>
            <p className="text-ink-2">
              {t(
                "The carrier signs in with a name and a password at your SIP domain, and sends each call to the number at that domain. The agent of that number answers."
              )}
            </p>
            {known === undefined ? (
              <>
                <p className="text-small text-ink-3">
                  {t("The first time this makes the credentials, and shows the password once.")}
                </p>
                <Button
                  tone="primary"
                  className="self-start"
                  disabled={busy}
                  onClick={() => void ask(() => parley.sipCredentials.get({ retries: 0 }))}
                >
                  {t("Show the credentials")}
                </Button>
              </>
            ) : (
              <>
                <dl className="flex flex-col gap-2">
                  <Fact label={t("SIP domain")} value={known.sipDomain} />
                  <Fact label={t("User name")} value={known.username} />
                  <Fact label={t("Password")} value="********" />
                  <Fact label={t("Calls go to")} value={`sip:+14155550123@${known.sipDomain}`} />
                </dl>
                <div className="flex flex-wrap gap-2">
                  <Button disabled={busy} onClick={() => void ask(() => parley.sipCredentials.regenerate())}>
                    {t("Make a new password")}
                  </Button>
                  <Button tone="danger" disabled={busy} onClick={() => setRevoking(true)}>
                    {t("Revoke")}
                  </Button>
                </div>
                <p className="text-small text-ink-3">{t("The old password ends when a new one is made.")}</p>
              </>
            )}
            <Problem>{problem}</Problem>
          </Card>
        </div>
      </div>
      {fresh !== undefined && (
        <SecretOnce
          title={t("The password of your carrier")}
          facts={[
            [t("SIP domain"), fresh.sipDomain],
            [t("User name"), fresh.username]
          ]}
          secret={[t("Password"), fresh.password]}
          onKept={() => setFresh(undefined)}
        />
      )}
      {revoking && known !== undefined && (
        <TypedName
          title={t("Revoke the SIP credentials?")}
          name={known.username}
          action={t("Revoke for good")}
          onClose={() => setRevoking(false)}
          onConfirm={async () => {
            await parley.sipCredentials.revoke()
            setRevoking(false)
            setKnown(undefined)
            say(t("The SIP credentials are revoked."))
          }}
        >
          {t("Your carrier cannot sign in any more, so its calls do not arrive until it has new ones.")}
        </TypedName>
      )}
    </>
  )
}

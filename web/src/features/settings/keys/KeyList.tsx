/** The API keys of the organization: programs use the service with them. */
import type { ApiKey, CreatedApiKey } from "@parley/client"
import { Plus } from "lucide-react"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useNumbered } from "../../../api/numbered.ts"
import { Button } from "../../../components/Button.tsx"
import { Listed } from "../../../components/Listed.tsx"
import { PageBody, PageHead } from "../../../components/Page.tsx"
import { SecretOnce } from "../../../components/SecretOnce.tsx"
import { Empty } from "../../../components/States.tsx"
import { t } from "../../../lib/i18n.ts"
import { useKeys } from "../../../lib/keyboard.ts"
import { KeyRow } from "./KeyRow.tsx"
import { NewKey } from "./NewKey.tsx"
import { ReplaceKey } from "./ReplaceKey.tsx"
import { RevokeKey } from "./RevokeKey.tsx"

export const KeyList = () => {
  const [making, setMaking] = useState(false)
  const [replacing, setReplacing] = useState<ApiKey>()
  const [revoking, setRevoking] = useState<ApiKey>()
  /** In this component's memory only, until the person has kept it. */
  const [fresh, setFresh] = useState<CreatedApiKey>()
  const list = useNumbered({ queryKey: keys.apiKeyList, read: (at, signal) => parley.apiKeys.list(at, { signal }) })
  useKeys({ n: () => setMaking(true) })
  return (
    <>
      <PageHead title={t("API keys")}>
        <Button tone="primary" icon={Plus} keys="N" onClick={() => setMaking(true)}>
          {t("New API key")}
        </Button>
      </PageHead>
      <PageBody wide>
        <p className="text-ink-3">
          {t("A program that has a key does what the key may do, in the name of this organization.")}{" "}
          <a href="/docs" className="text-accent underline">
            {t("How programs use it")}
          </a>
        </p>
        <Listed
          list={list}
          empty={<Empty title={t("No API keys yet.")}>{t("Make one for each program that works here.")}</Empty>}
        >
          {(all) => (
            <ul aria-label={t("API keys")} className="rounded-card border border-line bg-surface">
              {all.map((apiKey) => (
                <KeyRow
                  key={apiKey.id}
                  apiKey={apiKey}
                  onReplace={() => setReplacing(apiKey)}
                  onRevoke={() => setRevoking(apiKey)}
                />
              ))}
            </ul>
          )}
        </Listed>
      </PageBody>
      {making && <NewKey onClose={() => setMaking(false)} onMade={setFresh} />}
      {replacing !== undefined && (
        <ReplaceKey apiKey={replacing} onClose={() => setReplacing(undefined)} onMade={setFresh} />
      )}
      {fresh !== undefined && (
        <SecretOnce
          title={t("The key {name}", { name: fresh.name })}
          facts={[]}
          secret={[t("Key"), fresh.key]}
          onKept={() => setFresh(undefined)}
        />
      )}
      {revoking !== undefined && (
        <RevokeKey apiKey={revoking} done={t("The key is revoked.")} onClose={() => setRevoking(undefined)}>
          {t("Whatever uses it is refused at once. Nothing brings it back.")}
        </RevokeKey>
      )}
    </>
  )
}

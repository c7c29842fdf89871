/** A secret that is shown this once. Neither Esc nor a press beside it closes it, and it is kept nowhere else. */
import { t } from "../lib/i18n.ts"
import { Button } from "./Button.tsx"
import { CopyButton } from "./CopyButton.tsx"
import { Dialog } from "./Dialog.tsx"

export const SecretOnce = ({
  title,
  facts,
  secret,
  onKept
}: {
  readonly title: string
  /** What goes with it and is no secret: label and value. */
  readonly facts: ReadonlyArray<readonly [string, string]>
  readonly secret: readonly [label: string, value: string]
  readonly onKept: () => void
}) => (
  <Dialog
    title={title}
    locked
    onClose={onKept}
    footer={
      <Button tone="primary" onClick={onKept}>
        {t("I have kept it")}
      </Button>
    }
  >
    <p className="mb-3">{t("It is shown this once. Keep it now: it cannot be read again, only made anew.")}</p>
    <dl className="flex flex-col gap-2">
      {[...facts, secret].map(([label, value]) => (
        <div key={label}>
          <dt className="text-small text-ink-3">{label}</dt>
          <dd className="rounded-lg bg-sunken px-2.5 py-1.5 font-mono text-small select-all" dir="ltr">
            {value}
          </dd>
        </div>
      ))}
    </dl>
    <CopyButton className="mt-3" text={secret[1]} />
  </Dialog>
)

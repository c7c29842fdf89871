/** Amounts that were asked for, and what became of them. */
import type { PaymentLink } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Ban, Copy, Lock, Plus } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"
import { useFeature } from "../../api/organization.ts"
import { Button } from "../../components/Button.tsx"
import { Chip, type ChipTone } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Listed } from "../../components/Listed.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty } from "../../components/States.tsx"
import { copyText } from "../../lib/copyText.ts"
import { moment, money, number, shortDate } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { useTask } from "../../lib/task.ts"
import { say } from "../../lib/toasts.ts"
import { NewPaymentLink } from "./NewPaymentLink.tsx"

const states: Readonly<Record<PaymentLink["status"], readonly [ChipTone, string]>> = {
  created: ["plain", message("open")],
  pending: ["warn", message("being paid")],
  failed: ["danger", message("failed")],
  expired: ["plain", message("expired")],
  canceled: ["plain", message("canceled")],
  paid: ["good", message("paid")],
  partially_refunded: ["warn", message("partly refunded")],
  refunded: ["plain", message("refunded")],
  disputed: ["danger", message("disputed")]
}

const Row = ({ link }: { readonly link: PaymentLink }) => {
  const client = useQueryClient()
  const { busy, run } = useTask()
  const { id, amount, currency, description, status, url, contactId, createdAt, live, failureReason } = link
  const [tone, text] = states[status]
  const cancel = () =>
    run(async () => {
      await parley.paymentLinks.cancel(id)
      await client.invalidateQueries({ queryKey: keys.allPaymentLinks })
      say(t("Nobody can pay by this link any more."))
    })
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-1.5 md:px-5">
      <span className="num w-28 font-medium">{money(Number(amount), currency)}</span>
      <span className="min-w-0 flex-1 basis-40">
        <bdi className="block truncate">{description}</bdi>
        {failureReason !== null && <span className="block text-small text-danger">{failureReason}</span>}
      </span>
      {contactId !== null && (
        <Link to="/contacts/$id" params={{ id: contactId }} className="text-small hover:underline">
          {t("Contact")}
        </Link>
      )}
      {!live && <Chip>{t("test")}</Chip>}
      <Chip tone={tone}>{t(text)}</Chip>
      <span className="num text-small text-ink-3" title={moment(createdAt)}>
        {shortDate(createdAt)}
      </span>
      <span className="flex gap-1">
        <Button
          small
          tone="quiet"
          icon={Copy}
          label={t("Copy the link: {name}", { name: description })}
          onClick={() => void copyText(url).then((copied) => copied && say(t("Copied.")))}
        />
        {(status === "created" || status === "pending") && (
          <Button
            small
            tone="quiet"
            icon={Ban}
            disabled={busy}
            label={t("Cancel the link: {name}", { name: description })}
            onClick={cancel}
          />
        )}
      </span>
    </li>
  )
}

export const PaymentLinkList = () => {
  const { refusal, allowed } = useFeature("integrations")
  const [making, setMaking] = useState(false)
  const list = useNumbered({
    queryKey: keys.paymentLinks({}),
    enabled: allowed,
    read: (at, signal) => parley.paymentLinks.list(at, { signal })
  })
  const make = () => {
    if (allowed) setMaking(true)
  }
  useKeys({ n: make })
  return (
    <>
      <PageHead
        title={t("Payment links")}
        beside={list.total !== undefined && <span className="num text-ink-3">{number(list.total)}</span>}
      >
        {allowed && (
          <Button tone="primary" icon={Plus} keys="N" onClick={make}>
            {t("New payment link")}
          </Button>
        )}
      </PageHead>
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto bg-surface">
        {refusal !== undefined ? (
          <Empty title={t("Amounts that contacts pay by a link.")}>
            <span className="flex items-center gap-2">
              <Icon of={Lock} /> {refusal}
            </span>
          </Empty>
        ) : (
          <Listed
            list={list}
            empty={
              <Empty title={t("No payment links yet.")}>
                {t(
                  "Connect Stripe, Razorpay or PayPal under Integrations, then ask for an amount here or in a conversation."
                )}
              </Empty>
            }
          >
            {(links) => (
              <ul aria-label={t("Payment links")}>
                {links.map((link) => (
                  <Row key={link.id} link={link} />
                ))}
              </ul>
            )}
          </Listed>
        )}
      </div>
      {making && <NewPaymentLink onClose={() => setMaking(false)} />}
    </>
  )
}

/** What customers of a store have left in carts, what came of each, and what recovered ones have brought. */
import type { Cart, CartSummaryTotal } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { Copy, Lock } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"
import { useFeature } from "../../api/organization.ts"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip, type ChipTone } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Listed } from "../../components/Listed.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Stat } from "../../components/Stat.tsx"
import { Empty } from "../../components/States.tsx"
import { copyText } from "../../lib/copyText.ts"
import { moment, moneyOf, number, shortDate } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"
import { FilterSelect } from "../settings/audit/FilterBar.tsx"

const states: Readonly<Record<Cart["state"], readonly [ChipTone, string]>> = {
  open: ["plain", message("being filled")],
  abandoned: ["warn", message("left")],
  ordered: ["plain", message("ordered")],
  recovered: ["good", message("recovered")]
}

const Totals = ({ of }: { readonly of: CartSummaryTotal }) => {
  const { currency, abandoned, abandonedValue, recovered, recoveredValue } = of
  return (
    <>
      <Stat name={t("Left in 30 days")} value={moneyOf(abandonedValue, currency)}>
        {t("{n, plural, one {# cart} other {# carts}}", { n: abandoned })}
      </Stat>
      <Stat name={t("Recovered of these")} value={moneyOf(recoveredValue, currency)}>
        {t("{n, plural, one {# cart} other {# carts}}", { n: recovered })}
      </Stat>
    </>
  )
}

const Row = ({ cart }: { readonly cart: Cart }) => {
  const { state, total, currency, lines, contactId, orderId, recoveryUrl, changedAt, remindedAt } = cart
  const [tone, text] = states[state]
  const what = lines.map(({ name, quantity }) => `${number(quantity)} × ${name}`).join(", ")
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-1.5 md:px-5">
      <span className="num w-28 font-medium">{moneyOf(total, currency)}</span>
      <bdi className="min-w-0 flex-1 basis-40 truncate" title={what}>
        {what}
      </bdi>
      {contactId !== null && (
        <Link to="/contacts/$id" params={{ id: contactId }} className="text-small hover:underline">
          {t("Contact")}
        </Link>
      )}
      {orderId !== null && (
        <Link to="/orders" search={{ open: orderId }} className="text-small hover:underline">
          {t("Order")}
        </Link>
      )}
      {remindedAt !== null && <Chip title={moment(remindedAt)}>{t("reminded")}</Chip>}
      <Chip tone={tone}>{t(text)}</Chip>
      <span className="num text-small text-ink-3" title={moment(changedAt)}>
        {shortDate(changedAt)}
      </span>
      {recoveryUrl !== null && orderId === null && (
        <Button
          small
          tone="quiet"
          icon={Copy}
          label={t("Copy the link with which the customer goes on: {what}", { what })}
          onClick={() => void copyText(recoveryUrl).then((copied) => copied && say(t("Copied.")))}
        />
      )}
    </li>
  )
}

export const CartList = () => {
  const { state } = useSearch({ from: "/signed-in/carts" })
  const navigate = useNavigate()
  const { refusal, allowed } = useFeature("modules")
  const summary = useQuery({
    queryKey: keys.cartSummary,
    enabled: allowed,
    staleTime: 0,
    queryFn: ({ signal }) => parley.carts.summary({ signal })
  })
  const list = useNumbered({
    queryKey: keys.carts({ state }),
    enabled: allowed,
    read: (at, signal) => parley.carts.list({ ...at, state }, { signal })
  })
  const set = (next: Cart["state"] | undefined) =>
    void navigate({ to: "/carts", search: next === undefined ? {} : { state: next }, replace: true })
  const totals = summary.data?.totals ?? []
  return (
    <>
      <PageHead
        title={t("Carts")}
        beside={list.total !== undefined && <span className="num text-ink-3">{number(list.total)}</span>}
      >
        {allowed && (
          <FilterSelect
            label={t("State")}
            all={t("All states")}
            value={state}
            options={Object.entries(states).map(([id, [, text]]) => [id, t(text)])}
            onChoose={(next) => set(next as Cart["state"] | undefined)}
          />
        )}
      </PageHead>
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto bg-surface">
        {refusal !== undefined ? (
          <Empty title={t("What customers of your store leave in carts.")}>
            <span className="flex items-center gap-2">
              <Icon of={Lock} /> {refusal}
            </span>
          </Empty>
        ) : (
          <>
            {totals.length > 0 && (
              <dl className="grid grid-cols-1 gap-3 border-b border-line p-4 sm:grid-cols-2 md:px-5 lg:grid-cols-4">
                {totals.map((one) => (
                  <Totals key={one.currency} of={one} />
                ))}
              </dl>
            )}
            <Listed
              list={list}
              empty={
                state === undefined ? (
                  <Empty
                    title={t("No carts yet.")}
                    action={
                      <Link to="/integrations" className={buttonClass({})}>
                        {t("Integrations")}
                      </Link>
                    }
                  >
                    {t(
                      "When customers of a connected Shopify or WooCommerce store leave something in the cart, you see it here. You can have them reminded of it."
                    )}
                  </Empty>
                ) : (
                  <Empty
                    title={t("Nothing found.")}
                    action={<Button onClick={() => set(undefined)}>{t("Clear the filter")}</Button>}
                  />
                )
              }
            >
              {(all) => (
                <ul aria-label={t("Carts")}>
                  {all.map((cart) => (
                    <Row key={cart.id} cart={cart} />
                  ))}
                </ul>
              )}
            </Listed>
          </>
        )}
      </div>
    </>
  )
}

/** The recipients of a broadcast, in the order they are sent, with what became of each. */
import type { BroadcastRecipient } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { parley } from "../../api/client.ts"
import { useCursored } from "../../api/cursored.ts"
import { keys } from "../../api/keys.ts"
import { Chip } from "../../components/Chip.tsx"
import { Empty, ErrorBlock, ShowMore, Skeleton } from "../../components/States.tsx"
import { ago, moment, phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"
import { contactName } from "../../lib/words.ts"
import { reasonText, recipientState } from "./words.ts"

const pageSize = 50

export const Recipients = ({
  id,
  status
}: {
  readonly id: string
  readonly status: BroadcastRecipient["status"] | undefined
}) => {
  const now = useNow()
  const filter = { status, limit: pageSize }
  const list = useCursored({
    queryKey: keys.recipients(id, filter),
    read: (cursor, signal) => parley.broadcasts.recipients(id, { ...filter, cursor }, { signal })
  })
  const { all } = list
  if (list.error !== null && all.length === 0)
    return <ErrorBlock error={list.error} again={() => void list.refetch()} />
  if (list.isPending) return <Skeleton className="m-4 h-6 w-1/2" />
  if (all.length === 0) return <Empty title={t("No recipient is in this state.")} />
  const cell = "border-b border-line px-4 py-2"
  return (
    <>
      <table className="w-full border-collapse text-start">
        <caption className="sr-only">{t("Recipients")}</caption>
        <thead>
          <tr className="text-small text-ink-3">
            <th scope="col" className={`${cell} text-start font-medium`}>
              {t("Contact")}
            </th>
            <th scope="col" className={`${cell} text-start font-medium`}>
              {t("State")}
            </th>
            <th scope="col" className={`${cell} text-end font-medium max-md:hidden`}>
              {t("Last change")}
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ contactId, name, phone: given, status: state, reason, updatedAt }) => (
            <tr key={contactId}>
              <td className={cell}>
                {reason === "erased" ? (
                  <span className="text-ink-3">{t("Erased contact")}</span>
                ) : (
                  <Link to="/contacts/$id" params={{ id: contactId }} className="hover:underline">
                    <bdi className="font-medium">{contactName({ name, phone: given })}</bdi>
                  </Link>
                )}
                {name !== null && given !== null && (
                  <span className="num block text-small text-ink-3">{phone(given)}</span>
                )}
              </td>
              <td className={cell}>
                <Chip tone={recipientState(state).tone}>{recipientState(state).name}</Chip>
                {reason !== null && (
                  <span dir="auto" className="mt-0.5 block text-small text-ink-3">
                    {reasonText(reason)}
                  </span>
                )}
              </td>
              <td className={`${cell} num text-end text-small text-ink-3 max-md:hidden`} title={moment(updatedAt)}>
                {ago(updatedAt, now)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ShowMore list={list} />
    </>
  )
}

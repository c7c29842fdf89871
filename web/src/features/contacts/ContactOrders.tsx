/** What a contact has ordered: for whoever is asked where the order is. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ShoppingCart } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useFeature } from "../../api/organization.ts"
import { useSession } from "../../api/session.tsx"
import { Icon } from "../../components/Icon.tsx"
import { can } from "../../lib/can.ts"
import { moneyOf, shortDate } from "../../lib/format.ts"
import { orderState } from "../../lib/orders.ts"

/** The latest orders. None are asked for where the plan or the role has no orders. */
export const useOrdersOf = (contactId: string) => {
  const { allowed } = useFeature("modules")
  const enabled = can(useSession(), "modules:read") && allowed
  return useQuery({
    queryKey: keys.records("orders", { contactId }),
    enabled,
    queryFn: ({ signal }) => parley.orders.list({ contactId, limit: 5 }, { signal }).then(({ data }) => data)
  }).data
}

type Orders = NonNullable<ReturnType<typeof useOrdersOf>>

export const OrderLinks = ({ orders }: { readonly orders: Orders }) => (
  <ul>
    {orders.map(({ id, number, status, total, currency, placedAt }) => (
      <li key={id}>
        <Link
          to="/orders"
          search={{ open: id }}
          className="flex min-h-8 items-center gap-2 rounded-md px-1 hover:bg-hover pointer-coarse:min-h-11"
        >
          <Icon of={ShoppingCart} className="text-ink-3" />
          <span className="min-w-0 flex-1 truncate">
            <bdi>{number}</bdi> · {orderState(status)}
          </span>
          <span className="num text-small text-ink-2">{moneyOf(total, currency)}</span>
          <span className="num text-small text-ink-3">{shortDate(placedAt)}</span>
        </Link>
      </li>
    ))}
  </ul>
)

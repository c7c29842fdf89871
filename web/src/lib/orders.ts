/** The states of an order, as people call them. */
import type { Order } from "@parley/client"
import { message, t } from "./i18n.ts"

export const orderStates: ReadonlyArray<readonly [Order["status"], string]> = [
  ["pending", message("open")],
  ["paid", message("paid")],
  ["fulfilled", message("delivered")],
  ["canceled", message("canceled")],
  ["refunded", message("refunded")]
]

export const orderState = (status: Order["status"]): string =>
  t(orderStates.find(([state]) => state === status)?.[1] ?? status)

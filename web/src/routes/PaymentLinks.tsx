/** `/payment-links` */
import { PaymentLinkList } from "../features/paymentLinks/PaymentLinkList.tsx"

export default PaymentLinkList

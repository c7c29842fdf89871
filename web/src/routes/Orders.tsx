/** `/orders` */
import { RecordList } from "../features/records/RecordList.tsx"

const Orders = () => <RecordList module="orders" />

export default Orders

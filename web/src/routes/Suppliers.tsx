/** `/suppliers` */
import { RecordList } from "../features/records/RecordList.tsx"

const Suppliers = () => <RecordList module="suppliers" />

export default Suppliers

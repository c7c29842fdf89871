/** `/companies` */
import { RecordList } from "../features/records/RecordList.tsx"

const Companies = () => <RecordList module="companies" />

export default Companies

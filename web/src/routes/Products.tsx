/** `/products` */
import { RecordList } from "../features/records/RecordList.tsx"

const Products = () => <RecordList module="products" />

export default Products

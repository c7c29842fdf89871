/** `/numbers` */
import { NumberList } from "../features/numbers/NumberList.tsx"

export default NumberList

/** `/carts` */
import { CartList } from "../features/carts/CartList.tsx"

export default CartList

/** `/templates`: the templates of the channel. */
import { TemplateList } from "../features/templates/TemplateList.tsx"

export default TemplateList

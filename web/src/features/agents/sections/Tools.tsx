/** What the agent can look up and do. */
import { useSetting } from "../form.ts"
import { ToolsField } from "../ToolsField.tsx"
import { ToolTry } from "../ToolTry.tsx"

export const Tools = () => (
  <ToolsField {...useSetting("tools")} kind="voice" tryOut={(tool) => <ToolTry key={tool.name} tool={tool} />} />
)

/** The apps for automation tools: files that somebody publishes at the tool. */
import { Download } from "lucide-react"
import { buttonClass } from "../../components/Button.tsx"
import { Icon } from "../../components/Icon.tsx"
import { t } from "../../lib/i18n.ts"

const tools = [
  ["zapier", "Zapier"],
  ["n8n", "n8n"],
  ["make", "Make"]
] as const

export const AutomationApps = () => (
  <section aria-label={t("Automation tools")}>
    <h2 className="mb-2 font-semibold">{t("Automation tools")}</h2>
    <div className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-surface p-4">
      <p className="min-w-0 flex-1 basis-72 text-ink-2">
        {t(
          "Zapier, n8n and Make need an app that knows your service. Download it and publish it as its README says. Each asks for an API key."
        )}
      </p>
      {tools.map(([tool, name]) => (
        <a key={tool} href={`/api/integrations/app?tool=${tool}`} download className={buttonClass({})}>
          <Icon of={Download} /> {t("App for {name}", { name })}
        </a>
      ))}
    </div>
  </section>
)

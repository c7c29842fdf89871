/** All sections of the settings that a person may open, each with a sentence. */
import { Link } from "@tanstack/react-router"
import { useSession } from "../../api/session.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { t } from "../../lib/i18n.ts"
import { sectionsFor } from "./sections.ts"

export const SectionList = () => {
  const session = useSession()
  return (
    <>
      <PageHead title={t("Settings")} />
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto p-4 md:p-6">
        <ul className="mx-auto grid max-w-[960px] gap-2.5 md:grid-cols-2">
          {sectionsFor(session).map(({ to, label, about, icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex h-full items-start gap-3 rounded-card border border-line bg-surface p-4 hover:bg-hover"
              >
                <Icon of={icon} size={20} className="mt-px text-ink-3" />
                <span>
                  <span className="block font-medium">{t(label)}</span>
                  <span className="block text-ink-3">{t(about)}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

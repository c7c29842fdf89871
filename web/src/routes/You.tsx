/** `/you`: what is one's own: name, theme, language, password, sessions. */
import { useState } from "react"
import { useSession } from "../api/session.tsx"
import { Avatar } from "../components/Avatar.tsx"
import { Chip } from "../components/Chip.tsx"
import { PageHead } from "../components/Page.tsx"
import { Segmented } from "../components/Segmented.tsx"
import { LanguageChoice } from "../features/session/LanguageChoice.tsx"
import { roleNames } from "../features/settings/team/roles.ts"
import { ConnectionDot } from "../features/shell/Nav.tsx"
import { OwnName } from "../features/you/OwnName.tsx"
import { OwnPassword } from "../features/you/OwnPassword.tsx"
import { OwnSessions } from "../features/you/OwnSessions.tsx"
import { cardClass, Row } from "../features/you/Row.tsx"
import { message, t } from "../lib/i18n.ts"
import { chooseTheme, type Theme, theme, themes } from "../lib/theme.ts"

const themeNames: Readonly<Record<Theme, string>> = {
  system: message("As the system"),
  light: message("Light"),
  dark: message("Dark")
}

const You = () => {
  const { user } = useSession()
  const [chosen, setChosen] = useState(theme)
  return (
    <>
      <PageHead title={t("You")} />
      <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
        <div className="mx-auto flex max-w-[720px] flex-col gap-4">
          <div className="flex items-center gap-3">
            <Avatar name={user.name} who="human" size="l" />
            <div className="min-w-0">
              <p className="font-semibold" dir="auto">
                {user.name}
              </p>
              <p className="text-ink-3">{user.email}</p>
            </div>
            <Chip tone="accent">{t(roleNames[user.role])}</Chip>
          </div>
          <section aria-label={t("Appearance")} className={cardClass}>
            <Row label={t("Theme")}>
              <Segmented
                label={t("Theme")}
                value={chosen}
                options={themes.map((value) => ({ value, label: t(themeNames[value]) }))}
                onChange={(next) => {
                  chooseTheme(next)
                  setChosen(next)
                }}
              />
            </Row>
            <Row label={t("Language")}>
              <LanguageChoice />
            </Row>
            <Row label={t("Live updates")}>
              <ConnectionDot words />
            </Row>
          </section>
          <OwnName key={user.name} />
          <OwnPassword />
          <OwnSessions />
        </div>
      </div>
    </>
  )
}

export default You

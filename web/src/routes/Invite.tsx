/** `/invite#token`: a person who was invited chooses a password. */
import { ChoosePassword } from "../features/session/ChoosePassword.tsx"
import { t } from "../lib/i18n.ts"

const Invite = () => (
  <ChoosePassword
    title={t("Welcome to Parley")}
    lead={t("You have been invited. Choose a password, and you are signed in.")}
    without={t(
      "This address is not complete. Open the link that you were sent, or ask an owner or admin for a new one."
    )}
  />
)

export default Invite

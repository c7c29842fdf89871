/** `/reset#token`: a person who has lost the password chooses another, with the link that an owner or admin gave. Without one it says whom to ask. */
import { ChoosePassword } from "../features/session/ChoosePassword.tsx"
import { t } from "../lib/i18n.ts"

const Reset = () => (
  <ChoosePassword
    title={t("Choose a new password")}
    lead={t("Afterwards you are signed in here, and nowhere else.")}
    without={t(
      "Ask an owner or admin of your organization for a link: they invite you again, which lets you choose another password. Nothing of yours is lost."
    )}
  />
)

export default Reset

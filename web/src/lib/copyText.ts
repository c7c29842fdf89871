/** Copies a text, and says so when the browser refuses: pages may copy over TLS and on this machine only. True when it is copied. */
import { t } from "./i18n.ts"
import { say } from "./toasts.ts"

export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The cause has the browser's own words, which differ and say no more.
    say(t("The browser did not let this page copy. It needs https and your permission."), undefined, "bad")
    return false
  }
}

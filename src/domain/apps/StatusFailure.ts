/** What follows from a provider's status, where the provider means by it what HTTP does. */
import { retryAfterMs } from "../basics/RetryAfter.ts"
import { type AppAnswer, AppFailure } from "./AppAdapter.ts"

/** The wait after 429 without `Retry-After`, in milliseconds. */
const usualWaitMs = 10_000

export const isOk = ({ status }: AppAnswer): boolean => status >= 200 && status < 300

/** `who` begins the sentences: "HubSpot", "The address". `said`: the provider's own words, if they help. */
export const statusFailure = (who: string, { status, headers }: AppAnswer, now: number, said = ""): AppFailure => {
  const words = said === "" ? "" : ` ${said}`
  const asked = retryAfterMs(headers["retry-after"], now)
  if (status === 429)
    return new AppFailure({
      action: "wait",
      message: `${who} asks us to slow down.${words}`,
      retryAfterMs: asked ?? usualWaitMs
    })
  if (status === 401)
    return new AppFailure({ action: "reconnect", message: `${who} refuses our credentials (401).${words}` })
  if (status === 408 || status === 425 || status >= 500)
    return new AppFailure({
      action: "retry",
      message: `${who} answered ${status}.${words}`,
      ...(asked === undefined ? {} : { retryAfterMs: asked })
    })
  if (status >= 300 && status < 400)
    return new AppFailure({ action: "give_up", message: `${who} answered ${status}: redirects are not followed.` })
  return new AppFailure({ action: "give_up", message: `${who} answered ${status}.${words}` })
}

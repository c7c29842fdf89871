/** The vendor's own client, pointed at a simulator: it has no setting for another host, so its requests are sent elsewhere. */
import twilio from "twilio"

class Elsewhere extends twilio.RequestClient {
  readonly #origin: string
  constructor(origin: string) {
    super()
    this.#origin = origin
  }
  override request: twilio.RequestClient["request"] = (options) =>
    super.request({ ...options, uri: options.uri.replace(/^https:\/\/[^/]+/, this.#origin) })
}

/** Acts as the account of `accountSid`, with its own credentials or (as `user`) those of the account that made it. */
export const officialClient = (
  origin: string,
  account: { readonly accountSid: string; readonly authToken: string },
  actingOn = account.accountSid
) => twilio(account.accountSid, account.authToken, { accountSid: actingOn, httpClient: new Elsewhere(origin) })

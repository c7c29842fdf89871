/** How the cookies of people are sent. No script can read them, and other sites cannot make a browser send them with a change. */
import { Context, Layer } from "effect"

export interface CookiePolicyOptions {
  /** With true cookies are sent over TLS only. Use it wherever TLS is in front of the service: everywhere except on a developer's machine. */
  readonly secureCookies: boolean
}

export class CookiePolicy extends Context.Service<CookiePolicy, CookiePolicyOptions>()("parley/http/CookiePolicy") {
  static readonly layer = (options: CookiePolicyOptions) => Layer.succeed(CookiePolicy, options)
}

/** The attributes of a cookie that lives for `maxAgeMs` milliseconds; 0 removes it. */
export const cookieAttributes = ({ secureCookies: secure }: CookiePolicyOptions, maxAgeMs: number) =>
  ({ secure, httpOnly: true, sameSite: "lax", path: "/", maxAge: maxAgeMs }) as const

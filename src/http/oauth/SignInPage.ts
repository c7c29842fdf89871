/** The page on which a person signs in before they are asked about an assistant. */

import { html, nothing, page } from "../wire/pages/Page.ts"
import { oauthPaths } from "./Metadata.ts"

export interface SignInPageOptions {
  readonly status: number
  /** The query of the authorization request, which comes back with the form. */
  readonly request: string
  readonly csrf: string
  readonly email?: string
  /** Why the last attempt failed. */
  readonly problem?: string
}

export const signInPage = ({ status, request, csrf, email = "", problem }: SignInPageOptions) =>
  page({
    status,
    title: "Sign in",
    body: html`<h1>Sign in to connect an assistant</h1>
<p>An assistant wants to work in your organization. Sign in to see what it asks for; you decide on the next page.</p>
${problem === undefined ? nothing : html`<p class="bad" role="alert" id="problem">${problem}</p>`}
<form method="post" action="${oauthPaths.signIn}">
<input type="hidden" name="request" value="${request}">
<input type="hidden" name="csrf" value="${csrf}">
<label class="field" for="email">E-mail address</label>
<input class="text" id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}">
<label class="field" for="password">Password</label>
<input class="text" id="password" name="password" type="password" autocomplete="current-password" required maxlength="1000">
<div class="row"><button class="main" type="submit">Sign in</button></div>
</form>`
  })

/** The page on which a person decides about an assistant: who asks, for which organization, for what, and where the answer goes. */
import type { User } from "../../domain/people/access/User.ts"
import type { AuthorizationRequest } from "../../domain/people/oauth/AuthorizationRequest.ts"
import { scopeWords } from "../../domain/people/oauth/GrantableScopes.ts"
import { isDocumentAddress } from "../../domain/people/oauth/OAuthClient.ts"
import { refreshTokenLifetimeMs } from "../../domain/people/oauth/OAuthGrant.ts"
import { isOwnMachine, placeOf } from "../../domain/people/oauth/RedirectUri.ts"
import { type Html, html, nothing, page } from "../wire/pages/Page.ts"
import { oauthPaths } from "./Metadata.ts"
import { toolsOfScope } from "./ScopeTools.ts"

export interface ConsentPageOptions {
  readonly asked: AuthorizationRequest
  /** The query of the authorization request, which comes back with the form. */
  readonly request: string
  readonly csrf: string
  readonly person: User
  readonly organizationName: string
  /** Why this person may not allow it. */
  readonly refusal: string | undefined
}

const idleDays = refreshTokenLifetimeMs / (24 * 60 * 60 * 1_000)

const scopeRow = (scope: AuthorizationRequest["scopes"][number]): Html => {
  const tools = toolsOfScope(scope)
  const named = tools.length === 0 ? nothing : html`<br><code>${tools.join(", ")}</code>`
  const box =
    scope === "mcp"
      ? html`<input type="checkbox" id="${scope}" checked disabled>`
      : html`<input type="checkbox" id="${scope}" name="scope" value="${scope}" checked>`
  return html`<div class="scope">${box}<label for="${scope}">${scopeWords[scope]} <code>${scope}</code>${named}</label></div>
`
}

/** Who vouches for the client's name: the host of its document, or nobody. */
const originOf = (id: string) =>
  isDocumentAddress(id)
    ? html`<dt>Published by</dt><dd>${new URL(id).host}</dd>`
    : html`<dt>Published by</dt><dd>unknown: it registered itself, and nobody has checked its name</dd>`

/** The scheme of the address, and https, to which the client's own site may redirect further. A source cannot name an IPv6 address, hence no hosts. */
const sourcesOf = (redirectUri: string): string =>
  [...new Set([redirectUri.slice(0, redirectUri.indexOf(":") + 1), "https:"])].join(" ")

export const consentPage = ({ asked, request, csrf, person, organizationName, refusal }: ConsentPageOptions) => {
  const { client, redirectUri, scopes } = asked
  const local = isOwnMachine(redirectUri)
    ? html`<p class="warn">The answer goes to a program on this computer. Allow it only if you started this yourself, just now.</p>`
    : nothing
  const decision =
    refusal === undefined
      ? html`<fieldset><legend>It will be able to</legend>
${scopes.map(scopeRow)}</fieldset>
<div class="row">
<button class="main" type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Do not allow</button>
</div>
<p class="soft">It works in your name until you revoke its key, which is in your organization's list of API keys under the assistant's name. Its access ends
by itself after ${String(idleDays)} days without use.</p>`
      : html`<p class="bad" role="alert">${refusal}</p>
<div class="row"><button type="submit" name="decision" value="deny">Back to the assistant</button></div>`
  return page({
    status: 200,
    title: `Connect ${client.name}`,
    formTargets: sourcesOf(redirectUri),
    body: html`<h1>${client.name} wants to work in ${organizationName}</h1>
<dl>
<dt>Organization</dt><dd>${organizationName}</dd>
<dt>Assistant</dt><dd>${client.name}</dd>
${originOf(client.id)}
<dt>Answer goes to</dt><dd>${placeOf(redirectUri)}</dd>
<dt>Signed in as</dt><dd>${person.name} (${person.email}), ${person.role}</dd>
</dl>
${local}
<form method="post" action="${oauthPaths.consent}">
<input type="hidden" name="request" value="${request}">
<input type="hidden" name="csrf" value="${csrf}">
${decision}
<p><button class="plain" type="submit" name="decision" value="switch">Sign in as somebody else</button></p>
</form>`
  })
}

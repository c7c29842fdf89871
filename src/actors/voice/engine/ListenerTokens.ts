/** The address at which a person listens to a call. It carries a signed token, because a browser's WebSocket can send no header. */
import type { ListenerInvitation } from "./CallListeners.ts"
import type { StreamTokens } from "./StreamTokens.ts"

const subjectOf = ({ organizationId, callId, listener }: ListenerInvitation): string =>
  `listen:${organizationId}:${callId}:${listener}`

/** `listenUrl`: where engines let people listen, `wss://…/listen`. */
export const listenerAddress = (listenUrl: string, tokens: StreamTokens, invitation: ListenerInvitation): string => {
  const url = new URL(listenUrl)
  url.searchParams.set("organization", invitation.organizationId)
  url.searchParams.set("call", invitation.callId)
  url.searchParams.set("listener", invitation.listener)
  url.searchParams.set("token", tokens.issue(subjectOf(invitation)))
  return url.href
}

/** Whether the token belongs to the invitation and has not expired. Any process knows it: nothing is looked up. */
export const isInvited = (tokens: StreamTokens, invitation: ListenerInvitation, token: string): boolean =>
  tokens.proves(subjectOf(invitation), token)

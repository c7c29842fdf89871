/** A person with the link by which they choose a password. */
import type { Invitation, User } from "@parley/client"

export interface Invited {
  readonly name: string
  readonly link: string
  readonly expiresAt: string
}

/** The token is behind the `#`: no server and no log sees it. Who had a password already chooses another one. */
export const invitedOf = (
  { name, status }: Pick<User, "name" | "status">,
  { token, expiresAt }: Invitation
): Invited => ({
  name,
  link: `${location.origin}/${status === "active" ? "reset" : "invite"}#${token}`,
  expiresAt
})

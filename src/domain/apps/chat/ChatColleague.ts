/** Who in a team chat is a person of the organization: they are matched by their e-mail address, if they belong to the connected workspace. */
import { Effect } from "effect"
import type { ChatAuthor } from "../../messaging/channel/ChatRecord.ts"
import { roleScopes, type Scope } from "../../people/access/Access.ts"
import { type User, Users } from "../../people/access/User.ts"

/** Needs Users once. The function gives the person; `undefined`: nobody of the organization. */
export const makeFindColleague = Effect.map(Users, (users) =>
  Effect.fnUntraced(function* (organizationId: string, author: Pick<ChatAuthor, "email" | "isMember"> | null) {
    if (author === null || author.email === null || !author.isMember) return undefined
    const found = yield* users.findByEmail(author.email)
    return found.find((user) => user.organizationId === organizationId)
  })
)

export const mayDo = ({ role }: Pick<User, "role">, scope: Scope): boolean => roleScopes[role].includes(scope)

/** What somebody is told who is no person of the organization. */
export const strangerSentence = ({ email }: Pick<ChatAuthor, "email">): string =>
  email === null
    ? "Slack does not tell your e-mail address, so nobody knows which user you are. Nothing was done."
    : `Nobody with the e-mail address ${email} is a user of this organization. An OWNER can invite you. Nothing was done.`

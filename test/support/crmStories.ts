/** What the stories of CRMs do over and over: contacts, conversations that are resolved, and waiting until all was sent. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Conversations } from "../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../src/domain/messaging/conversations/Message.ts"
import { Contacts } from "../../src/domain/people/contacts/Contact.ts"
import type { Apps } from "./apps.ts"
import { comesAbout } from "./eventually.ts"

type Tenant = Awaited<ReturnType<Apps["tenant"]>>

export const crmStories = ({ run, rows, connection }: Pick<Apps, "run" | "rows" | "connection">, provider: string) => ({
  create: ({ organizationId }: Tenant, phone: string, email?: string, name = "Asha Rao") =>
    run(
      Effect.flatMap(Contacts, (contacts) =>
        contacts.create(
          organizationId,
          { phone, name, tags: ["vip"], ...(email === undefined ? {} : { email }) },
          "key"
        )
      )
    ),
  /** All was sent, and nothing was given up. */
  idle: (us: Tenant) =>
    comesAbout("nothing waits", async () => {
      // Not `apps_behind`: it leaves out events until every transaction that is older has ended, in all databases of the server.
      const behind = await rows(
        us,
        `SELECT 1 FROM app_connections a JOIN events e USING (organization_id)
         WHERE a.enabled AND (e.transaction, e.position) > (a.transaction, a.position) LIMIT 1`
      )
      if (behind.length > 0) return false
      const { waiting, problems } = await connection(us, provider)
      assert.strictEqual(problems, 0)
      return waiting === 0
    }),
  /** Says something in a conversation of messages, a new one or this one, and resolves it. */
  resolve: ({ organizationId }: Tenant, contactId: string, text: string, conversation?: string) =>
    run(
      Effect.gen(function* () {
        const conversations = yield* Conversations
        const conversationId = conversation ?? (yield* conversations.open(organizationId, contactId, "messaging"))
        const said = { organizationId, conversationId, direction: "inbound", type: "text" } as const
        yield* (yield* Messages).add({ ...said, content: { text } }, Date.now())
        yield* conversations.change(organizationId, conversationId, { status: "RESOLVED" }, Date.now())
        return conversationId
      })
    )
})

/** A simulated Notion, and a session of a connection to it. */
import { Effect } from "effect"
import { start } from "../../simulators/notes/Notion.ts"
import { makeOpenSession } from "../../src/domain/apps/OpenSession.ts"
import * as Notion from "../../src/integrations/notion/Notion.ts"
import { withTestApps } from "./testApps.ts"

export const notionSecret = "ntn_the-secret-of-an-internal-integration"

/** Lives as long as the scope. */
export const startNotion = Effect.acquireRelease(
  Effect.promise(async () => {
    const notion = await start()
    notion.tokens.privateApps.add(notionSecret)
    return notion
  }),
  ({ close }) => Effect.promise(close)
)

/** The simulator, our adapter and a session of it. */
export const notionAtWork = Effect.gen(function* () {
  const notion = yield* startNotion
  const { open } = yield* makeOpenSession
  const sessionWith = (
    settings: Readonly<Record<string, string>>,
    credentials: Readonly<Record<string, string>> = {}
  ) =>
    open({
      ...{ organizationId: "org_test", provider: "notion", id: "con_test", settings },
      credentials: { accessToken: notionSecret, ...credentials }
    }).session
  const session = sessionWith({
    database: `https://www.notion.so/books/${notion.records.databaseId.replaceAll("-", "")}?v=1`
  })
  const adapter = Notion.make({ baseUrl: notion.url })
  return { notion, adapter, session, sessionWith }
}).pipe(withTestApps)
